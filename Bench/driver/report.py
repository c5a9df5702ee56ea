"""The results of a run, as a table and as JSON."""

import dataclasses
import json
import pathlib
import textwrap


@dataclasses.dataclass(frozen=True)
class Row:
    """One line of the table: `value` is compared with its target and with the previous run."""

    key: str
    title: str
    value: float
    format: str = "{:,.0f}"  # how `value` and its unit are printed
    minimum: float | None = None
    maximum: float | None = None
    detail: str = ""

    @property
    def target(self) -> str:
        limits = [sign + self.format.format(limit) for sign, limit in [("≥ ", self.minimum), ("< ", self.maximum)]
                  if limit is not None]
        return ", ".join(limits)

    @property
    def is_missed(self) -> bool:
        low = self.minimum is not None and self.value < self.minimum
        return low or (self.maximum is not None and self.value >= self.maximum)


class Report:
    """The table: first all ratios, then all other figures, in the order in which they were added."""

    def __init__(self, machine: dict[str, object], lengths: dict[str, int], previous: pathlib.Path):
        """Runs are compared only if their `lengths` are equal."""
        self.machine = machine
        self.lengths = lengths
        self.ratios: list[Row] = []
        self.figures: list[Row] = []
        self.facts: dict[str, object] = {}
        self.before: dict[str, float] = {}
        if previous.exists():
            last = json.loads(previous.read_text())
            if last.get("lengths") == lengths:
                # A run of some parts keeps the earlier results of the others.
                self.before = last["before"] | {key: row["value"] for key, row in last["rows"].items()}

    @property
    def rows(self) -> list[Row]:
        return self.ratios + self.figures

    def ratio(self, key: str, title: str, value: float, minimum: float, detail: str,
              maximum: float | None = None) -> None:
        self.ratios.append(Row(key, title, value, "{:.2f}", minimum=minimum, maximum=maximum, detail=detail))

    def figure(self, key: str, title: str, value: float, format: str = "{:,.0f}", **more: object) -> None:
        self.figures.append(Row(key, title, value, format, **more))

    def json(self) -> str:
        rows = {row.key: dataclasses.asdict(row) for row in self.rows}
        whole = {
            "machine": self.machine, "lengths": self.lengths, "rows": rows, "before": self.before, "facts": self.facts,
        }
        return json.dumps(whole, indent=1, ensure_ascii=False)

    def text(self) -> str:
        lines = [["", "measured", "target", "previous", ""]]
        for row in self.rows:
            before = self.before.get(row.key)
            lines.append([
                row.title, row.format.format(row.value), row.target + (" MISSED" if row.is_missed else ""),
                row.format.format(before) if before is not None else "", row.detail,
            ])
        widths = [max(len(line[column]) for line in lines) for column in range(4)]
        table = [
            f"{line[0]:<{widths[0]}}  {line[1]:>{widths[1]}}  {line[2]:<{widths[2]}}  {line[3]:>{widths[3]}}  {line[4]}"
            for line in lines
        ]
        return "\n".join([*self._head(), "", *(line.rstrip() for line in table)])

    def _head(self) -> list[str]:
        machine = self.machine
        settings = ", ".join(f"{name} {value}" for name, value in machine["settings"].items())
        head = (
            f"{machine['date']}, {machine['commit']}: {machine['cores']} cores of {machine['cpu']},"
            f" {machine['memory_gib']} GiB, Linux {machine['kernel']}; collector, PostgreSQL and load on this machine;"
            f" fdatasync of 8 KiB {machine['fdatasync_ms']:.2f} ms;"
            f" load average before {machine['load_average_before']:.1f}."
            f" PostgreSQL {machine['postgresql']}: {settings}."
        )
        return textwrap.wrap(head, 118)
