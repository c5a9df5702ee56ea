"""What the collector keeps resident: doing nothing, doing all it can, and holding idle connections."""

import socket
import time
import urllib.parse

from ..collector import Collector
from ..load import Load
from ..measurement import measure
from ..options import Options
from ..processes import memory_mib
from ..progress import say
from ..report import Report

CONNECTIONS = 4_096
PER_ADDRESS = 64  # connections of one client's address


def run(options: Options, collector: Collector, report: Report) -> None:
    restart(collector)
    idle = memory_mib(collector.program.pid, "VmRSS")
    report.figure("memory.idle", "Memory, idle", idle, "{:.0f} MiB")

    most = {}
    for events, connections in [(100, 64), (1, 256)]:
        restart(collector)
        load = Load(events=events, connections=connections, seconds=options.short_seconds)
        most[events] = measure(collector, load).memory_mib
    report.figure("memory.load", "Memory at full load, most", max(most.values()), "{:.0f} MiB", most=150,
                  detail=f"{most[100]:.0f} MiB in requests of 100, {most[1]:.0f} MiB in single events")

    restart(collector)
    open_connections = [connect(collector.program.address, number) for number in range(CONNECTIONS)]
    time.sleep(2)
    alive = sum(is_alive(connection) for connection in open_connections)
    holding = memory_mib(collector.program.pid, "VmRSS")
    for connection in open_connections:
        connection.close()
    report.figure("memory.connections", f"Memory with {CONNECTIONS:,} idle connections", holding, "{:.0f} MiB",
                  most=150, detail=f"{alive:,} of them open")
    say(f"memory: idle {idle:.0f} MiB, at full load {max(most.values()):.0f} MiB,"
        f" with {alive:,} idle connections {holding:.0f} MiB")


def restart(collector: Collector) -> None:
    collector.stop()
    collector.start()
    time.sleep(1)


def connect(address: str, number: int) -> socket.socket:
    """A connection that had one request; from one of many addresses, as a limit per address is not what is measured."""
    where = urllib.parse.urlsplit(address)
    source = f"127.0.1.{1 + number // PER_ADDRESS}"
    connection = socket.create_connection((where.hostname, where.port), timeout=10, source_address=(source, 0))
    connection.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
    if not connection.recv(4096).startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"/livez was not answered with 200 on connection {number}")
    return connection


def is_alive(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return bool(connection.recv(4096))
    except BlockingIOError:
        return True
    except ConnectionError:
        return False
