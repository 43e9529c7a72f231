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

    # Without this a group of lit tests would hide the file that takes its time. The file that lit left out took none.
    def test_groups_of_lit_count_by_files(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "lit.tools.opc.1of2.xml").write_text(
                '<testsuites time="9"><testsuite name="opc" time="9"><testcase classname="opc.tools/opc" name="run.test" time="2.50"/>'
                '<testcase classname="opc.tools/opc" name="pkg.test" time="4.00"><failure/></testcase>'
                '<testcase classname="opc.tools/opc" name="large.test" time="0.00"><skipped message="full"/></testcase>'
                "</testsuite></testsuites>")
            file = folder / "tests.xml"
            file.write_text('<testsuite><testcase name="lit.tools/opc.1of2" time="7"/><testcase name="lit.tools/opc.2of2" time="3"/>'
                            '<testcase name="unit" time="1"/></testsuite>')
            done = subprocess.run([sys.executable, SCRIPT, file, f"--lit={folder}"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.splitlines(), ["11 s in 4 tests, the slowest:", "     4.0 s  lit.tools/opc/pkg.test",
                                                    "     3.0 s  lit.tools/opc.2of2", "     2.5 s  lit.tools/opc/run.test",
                                                    "     1.0 s  unit"])


if __name__ == "__main__":
    unittest.main()
