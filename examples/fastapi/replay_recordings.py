"""Reads each recorded stream of a folder, and compares the answer with the one that was recorded beside it.

The recordings are those of packages/protocol/fixtures. To try a reader of your own, put it in place of `read_stream`.
"""

import json
import sys
from pathlib import Path

from read_stream import read_stream

recordings = sorted(Path(sys.argv[1]).glob("*.sse"))
differing = 0
for recording in recordings:
    expected = json.loads(recording.with_suffix(".json").read_text("utf-8"))
    read = read_stream(recording.read_bytes())
    if any(read[name] != expected[name] for name in ("done", "message")):
        differing += 1
        print(f"{recording.stem}: {expected['what']}\n  expected {expected}\n  read     {read}")
print(f"{len(recordings)} recordings, {differing} of them read otherwise")
sys.exit(differing > 0 or not recordings)
