"""The demo notices what is wrong: tried with a stand-in for opc that computes with NumPy, well or badly."""

import contextlib
import importlib.util
import io
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

TOOLS = pathlib.Path(__file__).resolve().parents[4] / "tools" / "dev"

# What opc would do, with a fault of the test's choice. argv: opc compile|run|--version ...
STAND_IN = """#!{python}
import json, os, pathlib, sys
import numpy as np
fault = os.environ.get("FAULT", "")
arguments = sys.argv[1:]
if fault == "exit":
    sys.exit("broken")
if arguments[0] == "compile":
    pathlib.Path([a for a in arguments if a.startswith("--output=")][0][9:]).mkdir(exist_ok=True)
if arguments[0] != "run":
    sys.exit()
inputs = {{}}
for flag, value in zip(arguments, arguments[1:]):
    name, _, file = value.partition("=@")
    if flag == "--input":
        inputs[name] = np.load(file)
    elif flag == "--output":
        output = file
for a in arguments:
    if a.startswith("--trace="):
        pathlib.Path(a[8:]).write_text(json.dumps({{"traceEvents": [
            {{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {{"name": "MTE2: GM to UB"}}}},
            {{"ph": "X", "pid": 1, "tid": 1, "cat": "work", "name": "load", "ts": 0, "dur": 5}},
            {{"ph": "X", "pid": 1, "tid": 1, "cat": "sync", "name": "wait_flag", "ts": 5, "dur": 3}},
            {{"ph": "X", "pid": 1, "tid": 2, "cat": "work", "name": "vadd", "ts": 5, "dur": 5}}]}}))
first, *rest = inputs.values()
wide = first.astype(np.float64)
with np.errstate(over="ignore"):
    y = np.maximum(wide + rest[0], 0) if rest else wide / (1 + np.exp(-1.5 * wide))
    y = y.astype(first.dtype)
    if fault == "ulp" and "--device=cpu" in arguments:
        y[-1] = np.nextafter(np.nextafter(y[-1], y.dtype.type(9)), y.dtype.type(9)) if rest else 123
if fault == "nan":
    y[7] = np.nan
if fault == "type":
    y = y.astype(np.float64)
if fault == "shape":
    y = y[1:]
np.save(output, y)
"""


def load(name):
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.ELEMENTS = 1003
    return module


class WithStandIn(unittest.TestCase):
    def call(self, module, fault, *arguments):
        """Exit code (or message) and standard output of the script's main."""
        with tempfile.TemporaryDirectory() as folder:
            opc = pathlib.Path(folder) / "opc"
            opc.write_text(STAND_IN.format(python=sys.executable))
            opc.chmod(0o755)
            argv = [module.__name__, f"--opc={opc}", f"--work={folder}/work", *arguments]
            out = io.StringIO()
            with mock.patch.object(sys, "argv", argv), mock.patch.dict(os.environ, FAULT=fault), \
                    contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
                try:
                    code = module.main()
                except SystemExit as exit_:
                    code = exit_.code
        return code, out.getvalue()


class Demo(WithStandIn):
    # Without this the demo could be red for everyone.
    def test_right_results(self):
        code, table = self.call(load("demo"), "")
        self.assertEqual(code, 0, table)
        self.assertEqual(table.count("equal"), 8)

    # Without these the demo would be green whatever the kernels compute.
    def test_one_wrong_element(self):
        code, table = self.call(load("demo"), "ulp")
        self.assertEqual(code, 1)
        self.assertEqual(table.count("1 WRONG"), 4, table)

    def test_nan_counts_as_wrong(self):
        code, table = self.call(load("demo"), "nan")
        self.assertEqual((code, table.count("1 WRONG")), (1, 8), table)

    def test_wrong_type_and_shape(self):
        self.assertIn("expects 1003 elements of float16", self.call(load("demo"), "type")[0])
        self.assertIn("expects 1003 elements of float16", self.call(load("demo"), "shape")[0])

    def test_failing_program(self):
        self.assertIn("exit code 1", self.call(load("demo"), "exit")[0])

    # Without this a distance across a power of two, or to infinity, would be judged by the wrong unit.
    def test_ulp_error(self):
        demo = load("demo")
        half = np.array([1.0, 2.0, np.inf, 65504.0, 0.0], np.float16)
        exact = np.array([1.0 + 2**-10, 2.0, 1e9, 1e9, 1e-9])
        self.assertEqual(list(demo.ulp_error(half, exact, 0.0)[[0, 1, 2, 4]]), [1.0, 0.0, 0.0, 0.0])
        self.assertFalse(demo.ulp_error(half, exact, 0.0)[3] <= 1.0)


if __name__ == "__main__":
    unittest.main()
