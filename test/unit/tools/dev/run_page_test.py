"""The runner of pages fails where a page says something that does not happen."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "tools" / "dev" / "run_page.py"


class RunPage(unittest.TestCase):
    def run_page(self, text):
        """Exit code and message for a page, in a tree with one file in ops/library."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "ops" / "library").mkdir(parents=True)
            (root / "ops" / "library" / "a.txt").write_text("one\ntwo\nthree\n")
            (root / "build" / "bin").mkdir(parents=True)
            (root / "page.md").write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, root / "page.md", f"--source={root}", f"--binary={root / 'build'}",
                                   f"--python={sys.executable}"], capture_output=True, text=True)
        return done.returncode, done.stderr

    def accepts(self, text):
        self.assertEqual(self.run_page(text), (0, ""))

    def refuses(self, text, line, message):
        code, error = self.run_page(text)
        self.assertEqual(code, 1)
        self.assertIn(f"page.md:{line}: " if line else "page.md: ", error)
        self.assertIn(message, error)

    # Without this a command that stopped working would stay on the page.
    def test_script_must_succeed(self):
        self.accepts("```sh\ntrue\n```\n")
        self.refuses("text\n\n```sh\ntrue\nfalse\ntrue\n```\n", 3, "ended with exit code 1")

    # Without this each block would need the whole of the blocks before it.
    def test_scripts_share_a_folder(self):
        self.accepts("```sh\necho x > file\n```\n```sh\ntest -f file\n```\n")

    # Without this the output shown could be of an older version.
    def test_output(self):
        self.accepts("```sh\nprintf 'a 12 b\\nc\\nd\\n'\n```\n\n```text\na ... b\n...\nd\n```\n")
        self.refuses("```sh\necho one\n```\n\n```text\ntwo\n```\n", 5, "expects this output")
        self.refuses("```sh\nprintf 'one\\ntwo\\n'\n```\n```text\none\n```\n", 4, "expects this output")

    # Without this a text block of its own, far from a script, would be taken for its output.
    def test_text_on_its_own(self):
        self.accepts("```sh\necho one\n```\nA sentence.\n```text\ntwo\n```\n")

    # Without this an excerpt would stay when its file changes.
    def test_excerpt(self):
        self.accepts("```sh\ntrue\n```\n```txt ops/library/a.txt\ntwo\nthree\n```\n")
        self.refuses("```txt ops/library/a.txt\none\nthree\n```\n", 1, "it does not contain these lines")
        self.refuses("```txt ops/library/b.txt\none\n```\n", 1, "found none")

    # Without this the rest of a page would silently not be run.
    def test_fences(self):
        self.refuses("```sh\ntrue\n", 1, "closing backticks")
        self.refuses("no scripts\n", 0, "expects a page with scripts")

    # Without this the page could not use the environment's packages.
    def test_python(self):
        self.accepts("```sh\nbuild/venv/bin/python3 -c 'print(1)'\n```\n```text\n1\n```\n")


if __name__ == "__main__":
    unittest.main()
