"""What a run is to do."""

import argparse
import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PARTS = ["start", "batches", "mixes", "singles", "latency", "memory", "client", "grid", "stored", "reports", "soak"]
DEFAULT_PARTS = [part for part in PARTS if part not in ["reports", "soak"]]


@dataclasses.dataclass(frozen=True)
class Options:
    parts: list[str]
    seconds: int  # of the row with 30 s
    short_seconds: int  # of each other load
    repetitions: int
    stored: int
    events: int  # imported, in the part `reports`
    soak_seconds: int
    directory: pathlib.Path
    binaries: pathlib.Path
    postgres: list[str]  # settings besides those that the collector makes, as name=value
    keep: bool

    @property
    def lengths(self) -> dict[str, int]:
        return {
            "seconds": self.seconds, "short_seconds": self.short_seconds, "repetitions": self.repetitions,
            "stored": self.stored, "soak_seconds": self.soak_seconds, "events": self.events,
        }

    @staticmethod
    def parse(arguments: list[str]) -> "Options":
        parser = argparse.ArgumentParser(
            prog="scripts/bench", description="Measures the release build against its peers on this machine."
        )
        parser.add_argument("--quick", action="store_true", help="3 minutes: short loads, no large database")
        parser.add_argument("--only", action="append", metavar="PART", choices=PARTS, help=", ".join(PARTS))
        parser.add_argument("--seconds", type=int, help="length of the load in requests of 100 (30)")
        parser.add_argument("--short-seconds", type=int, help="length of each other load (10)")
        parser.add_argument("--repetitions", type=int, help="how often ours and its peer take turns (3)")
        parser.add_argument("--stored", type=int, help="events stored before, in the part `stored` (50000000)")
        parser.add_argument("--events", type=int, help="events imported, in the part `reports` (10000000)")
        parser.add_argument("--soak-seconds", type=int, default=600, help="length of the part `soak` (600)")
        parser.add_argument("--directory", type=pathlib.Path, default=ROOT / ".build/bench",
                            help="where the scratch clusters are made: a disk whose speed matters (.build/bench)")
        parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / ".build/release")
        parser.add_argument("--postgres", action="append", default=[], metavar="NAME=VALUE",
                            help="a setting of the scratch clusters, to try it")
        parser.add_argument("--keep", action="store_true", help="leave the scratch clusters' files")
        given = parser.parse_args(arguments)

        def chosen(value: int | None, quick: int, full: int) -> int:
            return value if value is not None else quick if given.quick else full

        stored = chosen(given.stored, 0, 50_000_000)
        parts = [part for part in PARTS if part in (given.only or DEFAULT_PARTS)]
        return Options(
            parts=[part for part in parts if part != "stored" or stored > 0],
            seconds=chosen(given.seconds, 5, 30),
            short_seconds=chosen(given.short_seconds, 3, 10),
            repetitions=chosen(given.repetitions, 1, 3),
            stored=stored,
            events=chosen(given.events, 1_000_000, 10_000_000),
            soak_seconds=given.soak_seconds,
            directory=given.directory.resolve(),
            binaries=given.binaries.resolve(),
            postgres=given.postgres,
            keep=given.keep,
        )
