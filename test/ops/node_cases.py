#!/usr/bin/env python3
"""Node tests of the onnx package on operators of the library: its inputs, its expected results, by opc on the CPU.

`opc model check` says which contract computes the node of a case, and its attributes of the same names are given to the
compiler. Operands that a model has as constants, and the cases as inputs, are made constants. Numbers of float64 and of int64
are given as float32 and int32, which hold those of the cases. Cases that no contract computes are listed below with the reason; one that is computed nevertheless has to leave the
list. A sample of the cases, by seed; all of them with --full.
"""

import argparse
import importlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys

import numpy as np
import onnx
import onnx.backend.test.case.node as node_cases
from onnx import numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import cpu_levels  # noqa: E402

OPERATORS = {"conv": "Conv", "maxpool": "MaxPool", "averagepool": "AveragePool", "globalaveragepool": "GlobalAveragePool",
             "globalmaxpool": "GlobalMaxPool", "cumsum": "CumSum", "cumprod": "CumProd", "mean": "Mean",
             "sum": "Sum", "max": "Max", "min": "Min", "concat": "Concat",
             "trilu": "Trilu", "matmulinteger": "MatMulInteger", "topk": "TopK", "scatterelements": "ScatterElements",
             "scatternd": "ScatterND", "gather": "Gather", "gatherelements": "GatherElements", "gathernd": "GatherND"}
# Operands that are attributes of the contract.
CONSTANTS = {"CumSum": {1: "axis"}, "CumProd": {1: "axis"}, "Trilu": {1: "k"}, "TopK": {1: "k"}}
# Windows of whole cases take the simulator long; ops.* run them there.
ON_SIMULATOR = {"CumSum", "CumProd", "Mean", "Sum", "Max", "Min", "Concat", "Trilu", "Gather", "GatherElements", "GatherND", "ScatterElements",
                "ScatterND", "TopK"}
NARROWER = {np.dtype("float64"): np.float32, np.dtype("int64"): np.int32}
SAME = "padding that is computed from sizes: auto_pad is SAME_UPPER or SAME_LOWER"
WITHOUT = {
    "same_upper": SAME,
    "same_lower": SAME,
    "autopad_same": SAME,
    "_one_input": "the operand itself, which no kernel copies",
    **{f"concat_{case}": "ranges of bytes, which need no kernel"
       for case in ("1d", "2d_axis_0", "2d_axis_negative_2", "3d_axis_0", "3d_axis_negative_3")},
    "with_argmax": "positions of the maxima as a second result",
    "matmulinteger": "zero points of both operands",
    **{f"{node}_uint{bits}": "elements without a sign that the library lacks" for node in ("max", "min") for bits in (16, 32, 64)},
    "top_k": "positions of int64, which a Cast makes of ours: model.node_tests has them",
    "with_element_indices": "two indices for an element",
    "gathernd_example_int32_batch_dim1": "an index for each batch: batch_dims is 1",
    **dict.fromkeys(["averagepool_2d_ceil_last_window_starts_on_pad", "count_include_pad_is_1_ceil_mode_is_True"],
                    "padding counted in a window that reaches beyond it"),
}


def cases():
    for module in OPERATORS:
        importlib.import_module(f"onnx.backend.test.case.node.{module}")
    found = {case.name: case for case in node_cases._NodeTestCases
             if len(case.model.graph.node) == 1 and case.model.graph.node[0].op_type in OPERATORS.values()}
    return [found[name] for name in sorted(found)]


def folder_of(op_type, library):
    for path in library.glob("*/op_contract.yaml"):
        if re.search(rf"^op_type: {op_type}$", path.read_text(encoding="utf-8"), flags=re.M):
            return path
    return None


class Runner:
    def __init__(self, options):
        self.options = options
        self.environment = {"ASCEND_CACHE_PATH": str(options.folder / "cache"), **os.environ}

    def opc(self, *arguments):
        return subprocess.run([self.options.opc, *map(str, arguments)], capture_output=True, text=True, env=self.environment)

    def run(self, case):
        """What is wrong with a case: None if nothing; '' if no contract computes it."""
        folder = self.options.folder
        model = folder / "model.onnx"
        inputs, outputs = case.data_sets[0]
        arrays = [np.asarray(value) if isinstance(value, (np.ndarray, np.generic)) else numpy_helper.to_array(value) for value in inputs]
        proto, arrays, constants = self.narrowed(case.model, arrays)
        model.write_bytes(proto.SerializeToString())
        checked = json.loads(self.opc("model", "check", model, "--format=json").stdout.splitlines()[0])
        operator = checked["operators"][0]
        if operator["status"] != "library":
            return ""
        contract = folder_of(operator["contract"], self.options.library)
        text = contract.read_text(encoding="utf-8")
        node = case.model.graph.node[0]
        given = []
        for attribute in node.attribute:
            if re.search(rf"^  - name: {attribute.name}$\n.*\n    type: (list_)?int$", text, flags=re.M):
                value = onnx.helper.get_attribute_value(attribute)
                given += ["--attr", f"{attribute.name}={value}"]
        for name, value in self.defaults(text, node).items():
            given += ["--attr", f"{name}={value}"]
        for name, value in constants.items():
            given += ["--attr", f"{name}={value}"]
        # The last input may represent any number of operands.
        count = re.search(r"^    count: (\w+)$", text, flags=re.M)
        if count:
            others = len(re.findall(r"^  - name: \w+$", text[text.index("\ninputs:") : text.index("\noutputs:")], flags=re.M)) - 1
            given += ["--attr", f"{count.group(1)}={len(arrays) - others}"]
        # A row is named after the type of the first input, or after all types where others have that one too.
        first = re.search(r"\n    types:\n((?:      - \w+\n)+)", text).group(1).split("- ")[1:]
        dtype = str(arrays[0].dtype)
        if sum(one.strip() == dtype for one in first) > 1:
            dtype = "_".join([*(str(array.dtype) for array in arrays), dtype])
        inputs = text[text.index("\ninputs:") : text.index("\noutputs:")]
        names = re.findall(r"^  - name: (\w+)$", inputs, flags=re.M)
        if count:
            names[-1:] = [f"{names[-1]}_{i}" for i in range(len(arrays) + 1 - len(names))]
        for name in names[len(arrays) :]:  # an operand that the node does not have
            present = re.search(rf"^  - name: {name}$\n(?:    .*\n)*?    present: (\w+)$", inputs, flags=re.M)
            given += ["--attr", f"{present.group(1)}=false"] if present else []
        result = self.opc("compile", contract, "--soc_version=Ascend310B", f"--dtype={dtype}", *given, "-o", folder / "op")
        if result.returncode:
            return f"does not compile: {result.stderr}"
        results = re.findall(r"^  - name: (\w+)$", re.split(r"\n(?=\w)", text[text.index("\noutputs:") + 1 :])[0], flags=re.M)
        places = []
        for name, array in zip(names, arrays):
            np.save(folder / f"{name}.npy", array)
            places += ["--input", f"{name}=@{folder / name}.npy"]
        for device in ("cpu", "sim") if node.op_type in ON_SIMULATOR else ("cpu",):
            files = [option for name in results for option in ("-o", f"{name}=@{folder / name}.npy")]
            result = self.opc("run", folder / "op", f"--device={device}", *places, *files)
            if result.returncode:
                return f"does not run on {device}: {result.stderr}"
            for name, expected in zip(results, outputs):
                found = np.load(folder / f"{name}.npy")
                if found.shape != expected.shape:
                    return f"gave the shape {found.shape} on {device}, expected {expected.shape}"
                # The tolerances of onnx's own runner.
                if not np.allclose(found, expected, rtol=1e-3, atol=1e-7):
                    return f"gave {found.ravel()[:5]} on {device}, expected {expected.ravel()[:5]}"
        return None

    @staticmethod
    def narrowed(model, arrays):
        """The model and its inputs in types that opc has, and the values of operands that became constants, by attribute."""
        proto = onnx.ModelProto()
        proto.CopyFrom(model)
        graph, left, constants = proto.graph, [], {}
        attributes = CONSTANTS.get(graph.node[0].op_type, {})
        names = [value.name for value in graph.input]
        for name, array in zip(names, arrays):
            value = next(one for one in graph.input if one.name == name)
            attribute = attributes.get(list(graph.node[0].input).index(name))
            if attribute:
                graph.initializer.append(numpy_helper.from_array(array, name))
                graph.input.remove(value)
                constants[attribute] = array.item()
                continue
            if graph.node[0].op_type != "GatherND" or name == names[0]:  # whose indices are int64
                array = array.astype(NARROWER.get(array.dtype, array.dtype))
            value.type.tensor_type.elem_type = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
            left.append(array)
        graph.output[0].type.tensor_type.elem_type = graph.input[0].type.tensor_type.elem_type
        return proto, left, constants

    @staticmethod
    def defaults(text, node):
        """Values that the form of ONNX gives to attributes which a node does not have."""
        form = text[text.index("\nonnx:") : text.index("\nbodies:")] if "\nonnx:" in text else ""
        has = {attribute.name for attribute in node.attribute}
        found = re.findall(r"- name: (\w+)\n        attribute: (\w+)\n        default:(.*\n(?:          - .+\n)*)", form)
        values = {attribute: re.findall(r"[^\s-]+", value) for name, attribute, value in found if name not in has}
        return {name: f"[{','.join(value)}]" if "default:\n" in form.split(f"attribute: {name}")[1][:20] else value[0] for name, value in values.items()}


def main():
    os.environ.update(cpu_levels.environment())
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opc", required=True)
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("OPC_TEST_SEED", "0")))
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    chosen = cases()
    total = len(chosen)
    if not options.full:
        chosen = random.Random(options.seed).sample(chosen, options.count)
    runner = Runner(options)
    failed, computed = [], 0
    for case in chosen:
        reasons = [reason for part, reason in WITHOUT.items() if part in case.name]
        wrong = runner.run(case)
        computed += wrong is None
        if wrong is None and reasons:
            failed.append(f"{case.name} is computed, but listed as one that is not: {reasons[0]}")
        elif wrong == "" and not reasons:
            failed.append(f"{case.name}: no contract computes it, and no reason is listed")
        elif wrong:
            failed.append(f"{case.name}: {wrong}")
    print(f"{computed} of {len(chosen)} cases computed and compared, of {total} in the package")
    for line in failed:
        print("FAILED:", line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
