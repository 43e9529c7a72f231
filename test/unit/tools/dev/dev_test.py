"""./dev refuses what it does not know before it does anything, with the exit codes it documents."""

import pathlib
import subprocess
import unittest

DEV = pathlib.Path(__file__).resolve().parents[4] / "dev"


class Dev(unittest.TestCase):
    def call(self, *arguments):
        return subprocess.run([DEV, *arguments], capture_output=True, text=True, timeout=60)

    # Without this a misspelt option would first install and build for minutes, or silently run something else.
    def test_usage_errors(self):
        for arguments, message in (
            (("tset",), "expects one of the commands above, found 'tset'"),
            (("setup", "now"), "./dev setup takes no arguments, found 'now'"),
            (("build", "--debug"), "./dev build takes no arguments, found '--debug'"),
            (("lint", "--everything"), "./dev lint takes --all or nothing, found '--everything'"),
            (("test", "--sanitise"), "./dev test takes --sanitize, --thread, --full and, after --, options of ctest; found '--sanitise'"),
        ):
            with self.subTest(arguments=arguments):
                done = self.call(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stderr)
                self.assertEqual(done.stdout, "")

    # Without this a newcomer would find no way in.
    def test_help(self):
        for arguments in ((), ("help",), ("--help",)):
            done = self.call(*arguments)
            self.assertEqual(done.returncode, 0)
            for command in ("setup", "build", "demo", "test", "bench", "format", "lint"):
                self.assertIn(f"\n  {command} ", done.stdout)


if __name__ == "__main__":
    unittest.main()
