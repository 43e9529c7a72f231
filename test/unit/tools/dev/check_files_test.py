"""The check of tracked files finds what it is there to find, and lets through what belongs into the tree."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "tools" / "dev" / "check_files.py"


class CheckFiles(unittest.TestCase):
    def run_on(self, files):
        """Exit code and lines printed for a work tree that tracks these files (path: bytes)."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            subprocess.run(["git", "init", "-q", root], check=True)
            for path, content in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(content)
            subprocess.run(["git", "-C", root, "add", "--force", "."], check=True)
            done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout.splitlines()

    def refuses(self, path, content, rule):
        code, lines = self.run_on({path: content})
        self.assertEqual((code, len(lines)), (1, 1), lines)
        self.assertTrue(lines[0].startswith(f"{path}: {rule}"), lines[0])

    def accepts(self, files):
        self.assertEqual(self.run_on(files), (0, []))

    # A wheel of 16 MB lay in the root once, and every clone has carried it since.
    def test_large_file(self):
        self.refuses("docs/table.md", b"x" * (256 * 1024 + 1), "size: expects at most 262144 bytes, found 262145")
        self.accepts({"docs/table.md": b"x" * (256 * 1024)})

    # Two empty files, left in the root by an experiment, were tracked for a while.
    def test_empty_file(self):
        self.refuses("docs/bad.md", b"", "size: expects at least one byte, found none")

    def test_stray_file_in_the_root(self):
        self.refuses("bad.mlir", b"// prose\n", "referred: no other tracked file names it")
        self.accepts({"README.md": b"text", "README.zh.md": b"text", "LICENSE": b"text", "dev": b"text"})

    def test_generated(self):
        self.refuses("numpy.whl", b"PK", "generated: a file of kind '.whl'")
        self.refuses("picture.png", b"text", "generated: a picture lies in docs/performance/")
        self.accepts({"docs/performance/rows.svg": b"<svg/>", "docs/README.md": b"performance/rows.svg"})

    def test_binary(self):
        self.refuses("docs/data.md", b"a\0b", "text: expects no zero byte, found one at 1")
        self.refuses("docs/data.md", b"ab\xff", "text: expects UTF-8, found the byte 0xff at 2")
        self.accepts({"test/fuzz/regressions/npy/seed.npy": b"\x93NUMPY\0"})

    # A source that no CMakeLists.txt names is compiled by nobody and rots unseen.
    def test_nobody_refers_to_it(self):
        self.refuses("runtime/core/Lost.cpp", b"// prose\n", "referred: no other tracked file names it")
        self.accepts({"runtime/core/Found.cpp": b"// prose\n", "runtime/core/CMakeLists.txt": b"add_library(core Found.cpp)\n"})
        self.accepts({"test/tools/opc/run.test": b"RUN: true\n"})

    # A folder of forty sources is a list, not a room: what belongs together cannot be seen any more.
    def test_crowded(self):
        many = {f"lowering/cpu/Part{i}.h": b"// prose\n" for i in range(26)}
        names = " ".join(path.rpartition("/")[2] for path in many).encode()
        code, lines = self.run_on({**many, "lowering/cpu/CMakeLists.txt": names})
        self.assertEqual((code, lines), (1, ["lowering/cpu: crowded: expects at most 25 sources in one folder, found 26"]))
        del many["lowering/cpu/Part0.h"]
        self.accepts({**many, "lowering/cpu/CMakeLists.txt": names, "lowering/cpu/rows/Rows.td": b"// prose\n",
                      "lowering/CMakeLists.txt": b"Rows.td"})

    # Without git nobody can tell what is tracked: the check says so instead of passing without a word.
    def test_no_work_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0)
            self.assertIn("is no work tree of git", done.stdout)


if __name__ == "__main__":
    unittest.main()
