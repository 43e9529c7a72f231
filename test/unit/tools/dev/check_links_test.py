"""The check of links finds dead links, dead headings and pages that nobody links to."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "tools" / "dev" / "check_links.py"


class CheckLinks(unittest.TestCase):
    def run_on(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            for name, text in pages.items():
                (root / ("README.md" if name == "top" else f"docs/{name}.md")).write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return done.returncode, done.stdout

    # Without these a renamed page or heading would leave dead links behind.
    def test_links(self):
        self.assertEqual(self.run_on(README="[a](a.md#two-words) [w](https://example.org)", a="# Two words\n"), (0, ""))
        self.assertEqual(self.run_on(README="\n[b](b.md)"),
                         (1, "docs/README.md:2: leads to 'b.md', which is no file of the tree\n"))
        self.assertEqual(self.run_on(README="[a](a.md#three)", a="# Two words\n"),
                         (1, "docs/README.md:1: leads to 'a.md#three', but that page has no such heading\n"))
        self.assertEqual(self.run_on(README="# x", top="[d](../etc)")[0], 1)

    # Without this a code sample with brackets would be read as a link.
    def test_code_is_no_link(self):
        self.assertEqual(self.run_on(README="```\n[a](nowhere)\n```\n"), (0, ""))

    # Without this a page could be written and never found.
    def test_lost_page(self):
        self.assertEqual(self.run_on(README="# map", a="# lost\n"),
                         (1, "docs/a.md:1: no link leads here from docs/README.md\n"))
        self.assertEqual(self.run_on(README="[a](a.md)", a="[b](b.md)", b="text"), (0, ""))

    # Without this a moved file would keep its old name in comments and pages.
    def test_named_files(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "ops").mkdir()
            (root / "docs" / "README.md").write_text("`ops/A.h`, `ops/B.h` and ops/C.h\n")
            (root / "ops" / "A.h").write_text("// See ops/A.h.\nint a; // and ops/D.h\nchar b[] = {\"ops/E.h\"};\n")
            done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        self.assertEqual(done.stdout, "ops/A.h:2: names 'ops/D.h', which is no file of the tree\n"
                                      "docs/README.md:1: names 'ops/B.h', which is no file of the tree\n")
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
