"""A collector with its own PostgreSQL cluster in a scratch directory."""

import pathlib
import shutil
import subprocess
import tempfile
import time

from .database import Database
from .options import Options
from .program import Program


class Collector:
    """A context manager that stops collector and cluster on exit, and removes their files."""

    def __init__(self, options: Options):
        self.options = options
        options.directory.mkdir(parents=True, exist_ok=True)
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="data-", dir=options.directory))
        self.program: Program | None = None
        self.database: Database | None = None
        self.keys: dict[str, str] = {}

    def __enter__(self) -> "Collector":
        try:
            self.start()
            self.database = Database(self._afterpush("database-url"))
            if self.options.postgres:
                for setting in self.options.postgres:
                    name, _, value = setting.partition("=")
                    self.database.value(f"alter system set {name} = '{value}'")
                self.stop()
                self.start()
            self._afterpush("apps", "create", "bench")
            for scope in ["send", "ingest", "read", "manage"]:
                self.keys[scope] = self._afterpush("keys", "create", "--app", "bench", "--scope", scope)
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self) -> float:
        """Starts the collector; returns the seconds until it can acknowledge events."""
        serve = [str(self.options.binaries / "afterpush"), "serve", "--port", "0", "--data-dir", str(self.directory)]
        self.program = Program([*serve, "--log-level", "notice"])
        return self.program.wait_until_ready()

    def stop(self) -> None:
        """Stops the collector, and with it the cluster, which has no other user."""
        if self.program:
            self.program.stop()

    def settle(self, seconds: float) -> float:
        """Waits until all posted events are stored and in the rollups, and none have arrived for `seconds`.

        Returns the seconds until they were in the rollups.
        """
        begun = time.monotonic()
        drained, newest = 0.0, None
        while True:
            while self.program.metric("afterpush_spool_entries"):
                time.sleep(0.1)
            self.database.wait_for_rollups()
            settled = time.monotonic() - begun
            # Disconnected clients may have left requests in the queue or in the kernel.
            known, newest = newest, self.database.value("select max(batch_id) from afterpush.batches")
            if newest == known:
                return drained
            drained = settled
            time.sleep(seconds)

    def __exit__(self, *_: object) -> None:
        self.stop()
        places = [self.directory]
        if self.database:
            self.database.stop()
            # The server may have no access to root's directory; then the cluster is elsewhere.
            places.append(self.database.directory.parent)
        if not self.options.keep:
            for place in places:
                shutil.rmtree(place, ignore_errors=True)

    def _afterpush(self, *arguments: str) -> str:
        command = [str(self.options.binaries / "afterpush"), *arguments, "--data-dir", str(self.directory)]
        done = subprocess.run(command, text=True, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(f"afterpush {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout.strip()
