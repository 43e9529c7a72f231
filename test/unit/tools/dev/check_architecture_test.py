"""The check of docs/architecture.md finds a page that is no longer true of its tree."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "tools" / "dev" / "check_architecture.py"

PAGE = """# Architecture

## Phases

| phase | of | what holds |
|---|---|---|
| `bound` | te | a |
| `tiled` | te | b |
| `placed` | aicore | c |
| `emitted` | text | d |

| phase | holds |
|---|---|
| `legal` | g |

## Layers

`tree.layering` reads `tools/dev/check.py`.

## Folders

| folder | holds |
|---|---|
| `runtime/core`, `runtime/core/launch` | e |
| `tools/dev`, `dialect/te`, `dialect/aicore`, `dialect/graph` | f |
"""

TREE = {
    "docs/architecture.md": PAGE,
    "dialect/te/TeAttrs.td": 'def P : Te_Enum<"Phase", "how far", [\n  I32EnumCase<"Bound", 0, "bound">,\n]>;\n',
    "dialect/aicore/AICoreAttrs.td": 'def P : AICore_Enum<"Phase", "how far", [\n  I32EnumCase<"Placed", 0, "placed">,\n]>;\n',
    "dialect/graph/GraphAttrs.td": 'def P : Graph_Enum<"Phase", "how far", [\n  I32EnumCase<"Legal", 0, "legal">,\n]>;\n',
    "runtime/core/File.cpp": "",
    "runtime/core/launch/Launch.h": "",
    "tools/dev/check.py": "",
    "test/CMakeLists.txt": "add_test(NAME tree.layering COMMAND true)\n",
}


class CheckArchitecture(unittest.TestCase):
    def run_on(self, changes=None, page=PAGE):
        """Lines that the check prints of the tree with other files (path: text, or None for a file that is not there)."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in {**TREE, "docs/architecture.md": page, **(changes or {})}.items():
                if text is None:
                    continue
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            lines = done.stdout.splitlines()
            self.assertEqual(done.returncode, 1 if lines else 0)
            return [line.replace("docs/architecture.md: ", "") for line in lines]

    def test_a_true_page(self):
        self.assertEqual(self.run_on(), [])

    # Without this a newcomer looks for a stage where it was a year ago.
    def test_folders(self):
        self.assertEqual(self.run_on({"runtime/pool/Pool.h": ""}), ["folder: 'runtime/pool' holds sources and has no row"])
        self.assertEqual(self.run_on({"runtime/core/launch/Launch.h": None}),
                         ["folder: the row 'runtime/core/launch' is no folder with sources",
                          "path: there is no 'runtime/core/launch'"])
        self.assertEqual(self.run_on(page=PAGE + "| `tools/dev` | g |\n"), ["folder: 'tools/dev' has two rows"])

    def test_phases(self):
        case = '  I32EnumCase<"Fused", 1, "fused">,\n]>'
        changed = TREE["dialect/te/TeAttrs.td"].replace("]>", case)
        self.assertEqual(self.run_on({"dialect/te/TeAttrs.td": changed}),
                         ["phase: the table has bound, tiled, placed, emitted, legal, "
                          "the dialects have bound, fused, tiled, placed, emitted, legal"])

    def test_paths_and_tests(self):
        self.assertEqual(self.run_on({"tools/dev/check.py": None, "tools/dev/other.py": ""}),
                         ["path: there is no 'tools/dev/check.py'"])
        self.assertEqual(self.run_on({"test/CMakeLists.txt": "add_test(NAME tree.links COMMAND true)\n"}),
                         ["test: 'tree.links' is registered and not on the page",
                          "test: 'tree.layering' is on the page and not registered"])


if __name__ == "__main__":
    unittest.main()
