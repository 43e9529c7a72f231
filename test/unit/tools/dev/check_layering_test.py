"""The layering check finds what it is there to find, and lets through what the layers allow."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "tools" / "dev" / "check_layering.py"


class CheckLayering(unittest.TestCase):
    def run_on(self, files):
        """Exit code and lines printed for a tree of these files (path: text)."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "CMakeLists.txt").write_text("")
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout.splitlines()

    def refuses(self, path, line, rule):
        code, lines = self.run_on({path: f"// prose\n{line}\n"})
        self.assertEqual(code, 1)
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith(f"{path}:2: "), lines[0])
        self.assertIn(rule, lines[0])

    def accepts(self, path, line):
        self.assertEqual(self.run_on({path: line + "\n"}), (0, []))

    # Without this a board would need MLIR to run a packaged operator.
    def test_runtime_has_no_mlir(self):
        self.refuses("runtime/core/A.cpp", '#include "mlir/IR/Value.h"', "runtime knows no MLIR")
        self.refuses("runtime/program/A.h", "#include <llvm/ADT/APFloat.h>", "runtime knows no MLIR")
        self.refuses("ops/contract/A.h", '  #  include "mlir/IR/Value.h"', "ops knows no MLIR")

    # Without this the three columns of the tree grow into each other.
    def test_columns_are_apart(self):
        self.refuses("runtime/core/A.cpp", '#include "ops/contract/Model.h"', "runtime may include runtime")
        self.refuses("dialect/aicore/A.cpp", '#include "runtime/core/Status.h"', "dialect may include dialect")
        self.refuses("ops/contract/A.cpp", '#include "lowering/import/A.h"', "ops may include ops")
        self.refuses("lowering/import/A.cpp", '#include "runtime/core/Status.h"', "lowering may include")
        self.refuses("dialect/aicore/A.td", 'include "lowering/aicore/A.td"', "dialect may include dialect")
        self.refuses("runtime/core/A.cpp", '#include "tools/opc/Command.h"', "runtime may include runtime")
        self.refuses("lowering/emit/A.cpp", '#include "test/unit/A.h"', "lowering may include")

    # Without this the order of the stages would stand in many places instead of one.
    def test_stages_are_apart(self):
        self.refuses("lowering/import/A.cpp", '#include "lowering/emit/A.h"', "stages of lowering")
        self.accepts("lowering/pipelines/A.cpp", '#include "lowering/emit/simulator/A.h"')
        self.accepts("lowering/emit/ascendc/A.cpp", '#include "lowering/emit/ascendc/B.h"')

    # Without this two folders of one stage grow into one another: neither can be read, tested or moved alone.
    def test_folders_have_floors(self):
        code, lines = self.run_on({"lowering/cpu/a/A.h": '#include "lowering/cpu/b/B.h"\n',
                                   "lowering/cpu/b/B.h": '#include "lowering/cpu/c/C.h"\n',
                                   "lowering/cpu/c/C.h": '\n#include "lowering/cpu/a/D.h"\n',
                                   "lowering/cpu/a/D.h": ""})
        rule = "the folders lowering/cpu/a, lowering/cpu/b, lowering/cpu/c include each other: found"
        self.assertEqual(lines, [f"lowering/cpu/a/A.h:1: {rule} 'lowering/cpu/b/B.h'",
                                 f"lowering/cpu/b/B.h:1: {rule} 'lowering/cpu/c/C.h'",
                                 f"lowering/cpu/c/C.h:2: {rule} 'lowering/cpu/a/D.h'"])
        self.assertEqual(code, 1)
        code, lines = self.run_on({"lowering/cpu/A.h": '#include "lowering/cpu/b/B.h"\n',
                                   "lowering/cpu/b/B.cpp": '#include "lowering/cpu/A.h"\n'})
        self.assertEqual(len(lines), 2, lines)
        self.assertEqual(self.run_on({"lowering/cpu/a/A.h": '#include "lowering/cpu/b/B.h"\n',
                                      "lowering/cpu/b/B.h": '#include "lowering/cpu/c/C.h"\n',
                                      "lowering/cpu/A.cpp": '#include "lowering/cpu/a/A.h"\n'}), (0, []))

    # Without this two headers of one room grow into one idea that is cut the wrong way round; sources may use both.
    def test_headers_have_floors(self):
        code, lines = self.run_on({"lowering/cpu/a/A.h": '#include "lowering/cpu/a/B.h"\n',
                                   "lowering/cpu/a/B.h": '\n#include "lowering/cpu/a/A.h"\n',
                                   "lowering/cpu/a/B.cpp": '#include "lowering/cpu/a/A.h"\n#include "lowering/cpu/a/B.h"\n'})
        rule = "the headers lowering/cpu/a/A.h, lowering/cpu/a/B.h include each other: found"
        self.assertEqual(lines, [f"lowering/cpu/a/A.h:1: {rule} 'lowering/cpu/a/B.h'",
                                 f"lowering/cpu/a/B.h:2: {rule} 'lowering/cpu/a/A.h'"])
        self.assertEqual(code, 1)

    # Without this a leaf would drag a whole layer into everyone who includes it.
    def test_leaves(self):
        self.refuses("runtime/program/A.cpp", '#include "runtime/core/Status.h"', "a leaf includes leaves only")
        self.accepts("runtime/program/A.cpp", '#include "runtime/target/Target.h"')
        self.accepts("lowering/emit/A.cpp", '#include "runtime/program/SimulatorProgram.h"')
        self.accepts("dialect/aicore/A.cpp", '#include "runtime/target/Target.h"')

    # Without this a library that throws would be met in targets that are built without exceptions.
    def test_libraries_that_throw(self):
        self.refuses("lowering/import/A.cpp", "#include <yaml-cpp/yaml.h>", "below ops/contract/ only")
        self.refuses("runtime/core/A.cpp", "#include <CLI/CLI.hpp>", "below tools/ only")
        self.accepts("ops/contract/A.cpp", "#include <yaml-cpp/yaml.h>")

    # Without this one header could be reached under several names, and moving a folder would break it.
    def test_paths_start_at_the_root(self):
        self.refuses("runtime/core/A.cpp", '#include "Status.h"', "a path from the root")
        self.refuses("runtime/core/A.cpp", '#include "../target/Target.h"', "a path from the root")
        self.accepts("runtime/core/A.cpp", "#include <vector>")

    # Without this a test could not reach what it tests.
    def test_tools_and_tests_see_all(self):
        self.accepts("tools/opc/A.cpp", '#include "lowering/pipelines/A.h"')
        self.accepts("test/unit/runtime/A.cpp", '#include "llvm/ADT/APFloat.h"')

    # Without this a wrong argument would read as a tree without breaches.
    def test_needs_a_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("expects the root of a source tree", done.stderr)


if __name__ == "__main__":
    unittest.main()
