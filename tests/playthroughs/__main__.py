"""Compare the kept playthroughs with what the engine plays now, or write them anew.

``python -m tests.playthroughs`` names what differs, ``python -m tests.playthroughs --write`` rewrites it. A difference
is a change of the game's behaviour: it needs a new version of the rules, and whoever rewrites reads it first.
"""

from __future__ import annotations

import sys

from tests.playthroughs.files import differing, stray, write_all

if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        write_all()
    changed = [*differing(), *stray()]
    sys.exit("\n".join(f"differs: {name}" for name in changed) or None)
