"""What of the lit suite takes turns in builds with sanitizers, by the seed OPC_TEST_SEED: files that say `REQUIRES: turn`, and
commands behind %third1 to %third3 (lit.cfg.py). OPC_TEST_FULL=1 runs all of them."""

import os
import zlib


def seed():
    return int(os.environ.get("OPC_TEST_SEED", "1"))


def is_full():
    return os.environ.get("OPC_TEST_FULL") == "1"


def has_file(name):
    """Whether it is the turn of a file: one of three seeds in a row, by its name in the suite."""
    return is_full() or (zlib.crc32(name.encode()) + seed()) % 3 == 0


def has_command(third):
    """Whether it is the turn of commands, 1 to 3. Seeds that give a file its turn differ by three, so three of them in a row
    have one turn of its commands each."""
    return is_full() or (seed() // 3 + 1) % 3 + 1 == third
