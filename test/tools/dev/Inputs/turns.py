"""turns.py TEST: files and commands that take turns with sanitizers have them all within nine seeds in a row."""

import collections
import os
import pathlib
import sys

test = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(test))
import turns  # noqa: E402

os.environ.pop("OPC_TEST_FULL", None)
files = [path.relative_to(test).as_posix() for suffix in ("*.test", "*.mlir") for path in test.rglob(suffix)
         if "REQUIRES: turn\n" in path.read_text(encoding="utf-8")]
assert len(files) > 50, files
seen = collections.Counter()
for seed in range(310, 319):
    os.environ["OPC_TEST_SEED"] = str(seed)
    commands = [third for third in range(1, 4) if turns.has_command(third)]
    assert len(commands) == 1, (seed, commands)
    seen.update((name, *commands) for name in files if turns.has_file(name))
assert seen == collections.Counter((name, third) for name in files for third in range(1, 4)), seen
os.environ["OPC_TEST_FULL"] = "1"
assert all(map(turns.has_file, files)) and all(map(turns.has_command, range(1, 4)))
