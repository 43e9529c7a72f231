"""The check of comments finds lines that a formatter tore, and lets lists, tables, pictures and code be."""

import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "tools" / "dev" / "check_comments.py"

# 116 columns.
FULL = ("// Every kernel of a body is read before the first one is written, "
        "so a name which two of them share is told at once")
FILE = "runtime/core/File.cpp"


class CheckComments(unittest.TestCase):
    def run_on(self, text, file=FILE):
        """Exit code and lines printed for a work tree that tracks one file of this text."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            subprocess.run(["git", "init", "-q", root], check=True)
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(textwrap.dedent(text), encoding="utf-8")
            subprocess.run(["git", "-C", root, "add", "--force", "."], check=True)
            done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout.splitlines()

    def refuses(self, text, line, rule, file=FILE):
        self.assertEqual(self.run_on(text, file), (1, [f"{file}:{line}: {rule}"]))

    def accepts(self, text, file=FILE):
        self.assertEqual(self.run_on(text, file), (0, []))

    # The width went from 100 columns to 120 once, and nobody saw the comments that were left behind.
    def test_orphan(self):
        self.refuses("int a;\n\n// One instruction a\n// line.\n", 4, "orphan: 'line.' fits the lines before")
        self.refuses("  /// False, with the first\n  /// problem.\n", 2, "orphan: 'problem.' fits the lines before")
        self.refuses("  int a; ///< of the widest\n         ///< row\n", 2, "orphan: 'row' fits the lines before")
        self.accepts("// One instruction a line.\n")
        self.accepts(f"{FULL}\n// once.\n")  # there is no room for it in front
        self.accepts(f"{FULL}\n// once, and first.\n")

    def test_width(self):
        self.refuses(f"{FULL} once\n", 1, "width: expects at most 120 columns, found 121")
        self.refuses(f"int a; {FULL}\n", 1, "width: expects at most 120 columns, found 123")
        self.accepts(f"{FULL} one\n")
        self.accepts(f"// {'x' * 200}\n")  # an address cannot be wrapped
        self.accepts(f"std::string a = \"{'x' * 200}\";\n")

    def test_torn(self):
        torn = "torn: this line and the next one fit one"
        self.refuses("// What an instruction does: scalar reads\n// and writes of all kinds.\n", 1, torn)
        self.refuses(f"{FULL}\n// once.\n//\n// Of reads\n// and writes all are told.\n", 4, torn)
        self.accepts("// Reads are told.\n// Writes are told as well.\n")
        self.accepts(f"// Reads, and\n// of them the first, {'in the order of the text, ' * 3}as it stands.\n")

    # Without these a list could not have short lines.
    def test_no_prose(self):
        self.accepts("// Kinds:\n//   load\n//   store and add\n//     row by\n//     row\n")
        self.accepts("// - loads of\n//   rows\n// - stores\n// 1. loads\n// 2. stores\n")
        self.accepts("// load   of rows\n// store  of\n// add    or\n")
        self.accepts("// for (;;) {\n// run();\n// }\n")
        self.accepts("// ┌───┐\n// │ a │\n// └───┘\n")
        self.accepts("//===------===//\n// Names\n//===------===//\n")
        self.accepts("// Every edge has a way back.\n// NOLINTNEXTLINE(core)\n")
        self.accepts("// clang-format off\n// a\n// clang-format on\n")
        self.accepts("int a; ///< of a\nint b; ///< row\n")
        self.accepts("  // one\n    // two\n/// three\n// four\n")

    # Without these texts that are written into other files would be held to the width of their own.
    def test_strings(self):
        self.accepts('auto a = R"(\n// of a\n// row\n)";\n')
        self.accepts('auto a = "https://x y";\nauto b = "// of a"\n         "// row";\n')
        self.accepts("char a = '\"';  // of a quote\nchar b = '\"';  // or two\n")
        self.refuses('auto a = R"(//)"; // of a\n                  // row\n', 2, "orphan: 'row' fits the lines before")
        description = "let description = [{\n// of a\n// row\n}];\n"
        self.accepts(description, "dialect/te/Ops.td")
        self.refuses(description, 3, "orphan: 'row' fits the lines before", "dialect/te/Ops.def")
        self.refuses(description.replace("description", "extraClassDeclaration"), 3,
                     "orphan: 'row' fits the lines before", "dialect/te/Ops.td")

    def test_other_files(self):
        self.accepts("// of a\n// row\n", "test/unit/Inputs/kernel.cpp")
        self.accepts("// of a\n// row\n", "tools/opc/page.js")

    # Without git nobody can tell what is tracked: the check says so instead of passing without a word.
    def test_no_work_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0)
            self.assertIn("is no work tree of git", done.stdout)


if __name__ == "__main__":
    unittest.main()
