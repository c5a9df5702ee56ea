"""The options of a run."""

import argparse
import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PARTS = ["start", "batches", "merges", "mixes", "dialects", "singles", "latency", "memory", "client", "grid", "plan",
         "stored", "reports", "soak"]
DEFAULT_PARTS = [part for part in PARTS if part not in ["reports", "soak"]]


@dataclasses.dataclass(frozen=True)
class Options:
    parts: list[str]
    seconds: int  # length of the loads with requests of 100
    short_seconds: int  # length of all other loads
    repetitions: int
    stored: int
    events: int  # events that the part `reports` imports
    soak_seconds: int
    directory: pathlib.Path
    binaries: pathlib.Path
    postgres: list[str]  # additional settings of the clusters, as name=value
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
            prog="scripts/bench", description="Benchmarks the release build against its baselines on this machine."
        )
        parser.add_argument("--quick", action="store_true", help="short loads and no large database, in 3 minutes")
        parser.add_argument("--only", action="append", metavar="PART", choices=PARTS,
                            help="run only this part; may be repeated. Parts: " + ", ".join(PARTS))
        parser.add_argument("--seconds", type=int, help="length of the loads with requests of 100 (default 30)")
        parser.add_argument("--short-seconds", type=int, help="length of all other loads (default 10)")
        parser.add_argument("--repetitions", type=int, help="how often to repeat each comparison (default 3)")
        parser.add_argument("--stored", type=int,
                            help="events in the filled database of the part stored (default 50000000)")
        parser.add_argument("--events", type=int, help="events to import in the part reports (default 10000000)")
        parser.add_argument("--soak-seconds", type=int, default=600, help="length of the part soak (default 600)")
        parser.add_argument("--directory", type=pathlib.Path, default=ROOT / ".build/bench",
                            help="where to put the scratch clusters; the disk matters (default .build/bench)")
        parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / ".build/release",
                            help="directory of the programs to measure (default .build/release)")
        parser.add_argument("--postgres", action="append", default=[], metavar="NAME=VALUE",
                            help="a setting of the scratch clusters; may be repeated")
        parser.add_argument("--keep", action="store_true", help="keep the files of the scratch clusters")
        given = parser.parse_args(arguments)

        def choose(value: int | None, quick: int, full: int) -> int:
            return value if value is not None else quick if given.quick else full

        stored = choose(given.stored, 0, 50_000_000)
        parts = [part for part in PARTS if part in (given.only or DEFAULT_PARTS)]
        return Options(
            parts=[part for part in parts if part != "stored" or stored > 0],
            seconds=choose(given.seconds, 5, 30),
            short_seconds=choose(given.short_seconds, 3, 10),
            repetitions=choose(given.repetitions, 1, 3),
            stored=stored,
            events=choose(given.events, 1_000_000, 10_000_000),
            soak_seconds=given.soak_seconds,
            directory=given.directory.resolve(),
            binaries=given.binaries.resolve(),
            postgres=given.postgres,
            keep=given.keep,
        )
