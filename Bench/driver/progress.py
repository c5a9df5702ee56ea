"""What a person who waits wants to know, on standard error."""

import sys
import time

_begun = time.monotonic()


def say(what: str) -> None:
    print(f"bench: {time.monotonic() - _begun:5.0f} s  {what}", file=sys.stderr, flush=True)
