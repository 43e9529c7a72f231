"""What ./dev house counts, on small texts."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "tools" / "dev"))
import house  # noqa: E402


class House(unittest.TestCase):
    # A class, a table and a declaration are no functions; a function's head may take two lines.
    def test_lengths_of_functions(self):
        text = "\n".join(["class A {", "  void inside() {", "  }", "};", "static int f(int a);", "static const int kTable[] = {", "    1};",
                          "static int f(int a,", "             int b) {", "  return a;", "}", "void A::g() {", "}"])
        self.assertEqual(house.function_lengths(text), [4, 2])

    # Without this a helper that two files have would not be seen: names and comments differ.
    def test_copies_of_functions(self):
        body = ["  int b = a;", "  return b; // twice", "}"]
        texts = {"a.cpp": "\n".join(["static int f(int a) {", *body]), "b.cpp": "\n".join(["int A::g(int a) {", body[0], "  return  b;", "}"]),
                 "c.cpp": "\n".join(["int h(int a) {", "  return a;", "}"]), "d.cpp": "\n".join(["int i(int a) {", "  return a;", "}"])}
        self.assertEqual(house.copies(texts), [(2, [("a.cpp", 1, "f"), ("b.cpp", 1, "A::g")])])

    def test_percentiles_are_values_of_the_list(self):
        self.assertEqual(house.percentile([4, 1, 3, 2], 0.5), 2)
        self.assertEqual(house.percentile(range(1, 101), 0.95), 95)
        self.assertEqual(house.percentile([7], 0.99), 7)

    def test_names_of_passes_and_tests(self):
        names = ["lowering/x/InsertSync.cpp", "test/lowering/x/insert-sync.mlir"]
        self.assertTrue(house.has_source("InsertSync", names))
        self.assertTrue(house.has_test("InsertSync", "aicore-insert-sync", names))
        self.assertFalse(house.has_test("Rotate", "aicore-rotate", names))

    # The tree itself: each measure has a value, and every label is described.
    def test_the_tree(self):
        rows = dict(house.measure(pathlib.Path(__file__).resolve().parents[4]))
        self.assertEqual(rows["files with an order of passes"], "lowering/pipelines/Pipelines.cpp")
        reported, described, _ = rows["labels reported / described / tested"].split(" / ")
        self.assertEqual(reported, described)


if __name__ == "__main__":
    unittest.main()
