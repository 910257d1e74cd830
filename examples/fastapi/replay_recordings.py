"""Checks a reader of streams, in Python, against the recordings of packages/protocol/fixtures.

    python replay_recordings.py packages/protocol/fixtures [my_module:my_reader]

The reader gets the bytes of a response's body. It returns what it has read: `done`, `message`, and `threadEvents` and `ids` where
there are any. Each recording is read as it came and with every other end of line, since a line may end with LF, CR or CRLF.
"""

import json
import sys
from importlib import import_module
from pathlib import Path

LINE_ENDS = (b"\n", b"\r", b"\r\n")


def differences(read: dict, expected: dict) -> list[str]:
    """What was read otherwise, by the names of its fields. A field that should be absent counts too."""
    names = sorted((read.keys() | expected.keys()) - {"what"})
    return [
        f"  {name}\n    expected {json.dumps(expected.get(name), ensure_ascii=False)}"
        f"\n    read     {json.dumps(read.get(name), ensure_ascii=False)}"
        for name in names
        if read.get(name) != expected.get(name)
    ]


def main(folder: str, reader: str = "read_stream:read_stream") -> int:
    sys.path.insert(0, "")
    module, name = reader.split(":")
    read = getattr(import_module(module), name)
    recordings = sorted(Path(folder).glob("*.sse"))
    differing = 0
    for recording in recordings:
        body = recording.read_bytes()
        expected = json.loads(recording.with_suffix(".json").read_text("utf-8"))
        bodies = [body] if b"\r" in body else [body.replace(b"\n", end) for end in LINE_ENDS]
        found = next(filter(None, (differences(read(each), expected) for each in bodies)), None)
        if found:
            differing += 1
            print(f"{recording.stem}: {expected['what']}", *found, sep="\n")
    print(f"{len(recordings)} recordings, {differing} of them read otherwise")
    return int(differing > 0 or not recordings)


sys.exit(main(*sys.argv[1:]))
