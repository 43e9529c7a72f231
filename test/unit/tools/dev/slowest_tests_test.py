"""What ./dev test prints of the times of its tests."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "tools" / "dev" / "slowest_tests.py"


class SlowestTests(unittest.TestCase):
    # Without this a suite grows by a minute here and a minute there, and nobody sees which test it was.
    def test_ten_slowest_first(self):
        cases = "".join(f'<testcase name="t{i}" time="{i / 2}"/>' for i in range(12))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "tests.xml"
            file.write_text(f"<testsuite>{cases}<testcase name='skipped'/></testsuite>")
            done = subprocess.run([sys.executable, SCRIPT, file], capture_output=True, text=True, check=True)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "33 s in 13 tests, the slowest:")
        self.assertEqual(lines[1:3], ["     5.5 s  t11", "     5.0 s  t10"])
        self.assertEqual((len(lines), lines[-1]), (11, "     1.0 s  t2"))


if __name__ == "__main__":
    unittest.main()
