"""The collector's resident memory: idle, at full load, and with idle connections."""

import socket
import time
import urllib.parse

from ..collector import Collector
from ..load import Load
from ..measurement import measure
from ..options import Options
from ..processes import memory_mib
from ..progress import log
from ..report import Report

CONNECTIONS = 4_096
PER_ADDRESS = 64  # connections from one client address


def run(options: Options, collector: Collector, report: Report) -> None:
    restart(collector)
    idle = memory_mib(collector.program.pid, "VmRSS")
    report.figure("memory.idle", "Memory, idle", idle, "{:.0f} MiB")

    peaks = {}
    for events, connections in [(100, 64), (1, 256)]:
        restart(collector)
        load = Load(events=events, connections=connections, seconds=options.short_seconds)
        peaks[events] = measure(collector, load).memory_mib
    report.figure("memory.load", "Peak memory at full load", max(peaks.values()), "{:.0f} MiB", maximum=150,
                  detail=f"{peaks[100]:.0f} MiB in requests of 100, {peaks[1]:.0f} MiB in single events")

    restart(collector)
    open_connections = [connect(collector.program.address, number) for number in range(CONNECTIONS)]
    time.sleep(2)
    alive = sum(is_alive(connection) for connection in open_connections)
    holding = memory_mib(collector.program.pid, "VmRSS")
    for connection in open_connections:
        connection.close()
    report.figure("memory.connections", f"Memory with {CONNECTIONS:,} idle connections", holding, "{:.0f} MiB",
                  maximum=150, detail=f"{alive:,} of them open")
    log(f"memory: idle {idle:.0f} MiB, at full load {max(peaks.values()):.0f} MiB,"
        f" with {alive:,} idle connections {holding:.0f} MiB")


def restart(collector: Collector) -> None:
    collector.stop()
    collector.start()
    time.sleep(1)


def connect(address: str, number: int) -> socket.socket:
    """A connection after one request, from one of many addresses to stay below the limit per address."""
    where = urllib.parse.urlsplit(address)
    source = f"127.0.1.{1 + number // PER_ADDRESS}"
    connection = socket.create_connection((where.hostname, where.port), timeout=10, source_address=(source, 0))
    connection.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
    if not connection.recv(4096).startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"/livez did not return 200 on connection {number}")
    return connection


def is_alive(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return bool(connection.recv(4096))
    except BlockingIOError:
        return True
    except ConnectionError:
        return False
