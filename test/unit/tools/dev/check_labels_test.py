"""tools/dev/check_labels.py on small trees: what it finds, and what it lets pass."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "tools" / "dev" / "check_labels.py"


class CheckLabels(unittest.TestCase):
    def check(self, sources, tests, page="* (plan_c3) x\n* `sim_c1`: y\n", rules=""):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**{f"runtime/{k}": v for k, v in sources.items()},
                               **{f"test/{k}": v for k, v in tests.items()}, "docs/reference/a.md": page,
                               "ops/contract/Rules.def": rules}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1 if done.stdout else 0, done.stderr)
            return [line for line in done.stdout.splitlines() if "is listed as untested" not in line]

    # Without it the check could not fail.
    def test_a_rule_without_a_test(self):
        found = self.check({"a.cpp": 'x\nerror("[plan_c3] expects")'}, {"a.mlir": "plan_c33 planc3 plan_c3a"}, "* (plan_c3) x\n")
        self.assertEqual(found, ["plan_c3: runtime/a.cpp:2 reports a rule that no test names"])

    def test_rules_with_tests(self):
        self.assertEqual(self.check({"a.cpp": '"[plan_c3] x", "sim_c1"'},
                                    {"a.mlir": "{{[plan_c3] x}}", "b/c.cpp": 'rule == "sim_c1"'}), [])

    # The summary of a type constraint is part of the error that it reports.
    def test_a_rule_of_a_type_constraint(self):
        self.assertEqual(self.check({"a.td": 'Tile<"[plan_c3] a tile">'}, {"a.mlir": "[plan_c3]"}, "* (plan_c3) x\n"), [])

    def test_a_rule_without_a_description(self):
        found = self.check({"a.cpp": '"[plan_c3] x", "sim_c1"'}, {"a.mlir": "plan_c3 sim_c1"},
                           "rule plan_c3\n| `sim_c1` | y |\n")
        self.assertEqual(found, ["plan_c3: runtime/a.cpp:1 reports a rule that no page of docs/reference describes"])

    # Without it a rule whose check is deleted stays in the reference.
    def test_a_description_without_a_rule(self):
        found = self.check({"a.cpp": '"sim_c1"'}, {"a.mlir": "sim_c1"})
        self.assertEqual(found, ["plan_c3: docs/reference describes a rule that no source reports"])

    def test_an_expectation_without_a_rule(self):
        found = self.check({"a.cpp": '"[plan_c3]"'}, {"a.test": "OPC-E0321 [plan_c3]", "b.mlir": "expected-error {{[plan_c4] x}}"},
                           "* (plan_c3) x\n")
        self.assertEqual(found, ["plan_c4: test/b.mlir expects a rule that no source reports"])

    # Rules of contracts have names in the sources and numbers in messages.
    def test_rules_of_contracts(self):
        rules = "OPC_CONTRACT_RULE(Size, 0201)\nOPC_CONTRACT_RULE(Tag, 0207)\n"
        page = "| `contract_c1` | x |\n| `contract_c7` | y |\n"
        found = self.check({"a.cpp": "report(ContractRule::Size"}, {"a.txt": "contract_c1"}, page, rules)
        self.assertEqual(found, ["contract_c7: docs/reference describes a rule that no source reports"])

    # Prose that mentions a rule reports nothing.
    def test_comments_are_no_reports(self):
        self.assertEqual(self.check({"a.h": "// plan_c3 says"}, {}, ""), [])


if __name__ == "__main__":
    unittest.main()
