"""The CPU levels that tests compile for, as OPC_TEST_CPU_LEVELS has them (lowering/pipelines/operator/TestLevels.h).

By default opc compiles te bodies for x86-64-v3 and -v4, and the machine runs one of them. A test compiles for one, which the
machine then runs: about half of the tests for each, and with the next seed for the other one. So both are compiled and run in
each run of the suite. A test of levels says `env -u OPC_TEST_CPU_LEVELS`, and `./dev test --full` compiles for all. So does a
machine without AVX-512, which would compile half of the tests for what it cannot run.

Models share a kernel cache, so their tests have one level, that of the seed.
"""

import os
import pathlib
import zlib

VARIABLE = "OPC_TEST_CPU_LEVELS"
AVX2, AVX512 = "v3,v3-vnni", "v4,v4-vnni"


def runs_avx512():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    return all(f"avx512{part}" in flags for part in ("f", "bw", "cd", "dq", "vl"))


def environment(name=None):
    """Variables of a test with this name; of tests of models without it. A choice of the caller stays."""
    if VARIABLE in os.environ or os.environ.get("OPC_TEST_FULL") == "1" or not runs_avx512():
        return {}
    turn = int(os.environ.get("OPC_TEST_SEED", "1")) + (zlib.crc32(name.encode()) if name else 0)
    return {VARIABLE: AVX512 if turn % 2 else AVX2}
