"""Resource use of processes, from /proc."""

import os
import pathlib

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int, with_reaped: bool = False) -> float:
    """User and system time of a process; `with_reaped` adds children that have exited and been waited for."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(field) for field in fields[11 : 15 if with_reaped else 13]) / TICKS


def children(pid: int) -> list[int]:
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def family_cpu_seconds(pid: int) -> float:
    """CPU time of a process and its children, including those that have exited."""
    return cpu_seconds(pid, with_reaped=True) + sum(cpu_seconds(child) for child in children(pid))


def memory_mib(pid: int, which: str) -> float:
    """Memory of a process: `VmRSS` is the current, `VmHWM` the peak value."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(which + ":"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no {which} for process {pid}")
