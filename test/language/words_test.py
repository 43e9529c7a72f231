#!/usr/bin/env python3
"""Every word of te in every combination, compiled and run on every device, against NumPy.

words_test.py --words=te.json --runner=word_runner --record=te-types.md --folder=DIR [--full] [--seed=N] [--only=REGEX]

words.py enumerates from TableGen what the language offers: operations, enum cases, flags, element types, tensors, scalars
and constants. Each combination either runs, and then gives what meaning.py says on the simulator and at every level of CPU
that the machine has; or it is refused, and then with the language's own label where the language refuses it, and with a
message to the author of the body in any case. Which of the two stands in docs/reference/te-types.md: a combination that
changed sides fails, and so does an operation without a meaning, and a word that was not run. `--update` writes the record.

By default combinations share kernels, a few outputs each, and --share says how many take part beside the first of each
word and type; what is left out must stand in the record, so a new word, type or enum case is never left out unseen. Each of
these kernels is compiled for one level of CPU, which the seed OPC_TEST_SEED draws, until each word has run at every level. With
--full every combination has a kernel of its own at every level. With --light, for builds with sanitizers, each word takes part
with one of its floats, of its integers and of its truth values, by seed: a type is data of the ways through the compiler that
its kind takes, and other words take the other types.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import numpy as np  # noqa: E402
from meaning import ELEMENTWISE, REDUCTIONS, leaky_relu, on_simulator, place_of, scan, scatter, sort, tolerance_of  # noqa: E402
from numeric import (FLOATS, INTEGERS, MLIR, TYPES, cast, kind, limits, loaded, random_values, special_values, stored,  # noqa: E402
                     tie_values, to_float, wrap, wrong_places)
from words import (ATTRIBUTE, SCALAR, TENSOR, UNWORKED, cases_of, is_unworked, language_refuses,  # noqa: E402
                   read_operations)

OUTPUTS = 8  # of a kernel that several combinations share
ALONE = ("broadcast", "cast", "constant", "select")  # operations with inputs of their own, which share kernels with no other one
SORTED = 30  # results of a line that is sorted, or all of it
RANGE = 5  # elements of the second range, a size that the contract gives
WINDOW, STRIDE, PADDING = 4, 2, 3  # of windows, of which some begin before the input and some end behind it
# What no message to an author says.
FOREIGN = re.compile(r"\b(arith|linalg|memref|scf|math|aicore|llvm|builtin|func)\.|tensor<|memref<|operand #|^'")


# Operands ----------------------------------------------------------------------------------------------------------


def number_text(value, type):
    """A value as a body writes a constant."""
    if type == "bool":
        return "true" if value else "false"
    if type in INTEGERS:
        return str(int(value))
    value = float(value)
    if value != value or value in (float("inf"), float("-inf")):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")


def attribute_text(value, type):
    return str(int(value)) if type in INTEGERS else ("true" if value else "false") if type == "bool" else repr(float(value))


def scalars_of(type, random):
    """Some values that launch attributes and constants take; the last ones differ from seed to seed."""
    if type == "bool":
        return [1, 0]
    values = [float(v) for v in special_values(type)] if type in FLOATS else [int(v) for v in special_values(type)]
    if type in FLOATS:
        first = [1.5, -0.75, 0.0, -0.0, 3.0]
    else:
        first = [3, *([-2] if limits(type)[0] < 0 else [])]
        values = [v for v in values if v < 2**63]  # a larger number is refused as a number (constant_c1)
    return first + random.sample(values, len(values))


def tensors_of(case_type, count, ties, random, numpy_random):
    """`count` tensors over every combination of special values, and random ones behind them."""
    special = tie_values(case_type) if ties else special_values(case_type)
    if count > 1:
        first = np.repeat(special, len(special))
        second = np.tile(special, len(special))
        # A third one has them in another order.
        result = [first, second, np.roll(first, len(special) // 2)][:count]
    else:
        result = [special]
    more = 700 + random.randrange(64)  # no multiple of anything
    return [np.concatenate([values, random_values(case_type, more, numpy_random)]) for values in result]


def factors_of(type, shape, numpy_random):
    """Factors whose products are exact in every type, in any order, and none of them zero."""
    if type in INTEGERS:
        whole = numpy_random.integers(*limits(type), shape, dtype=np.uint64 if type == "uint64" else np.int64, endpoint=True)
        return whole | whole.dtype.type(1)  # odd numbers: their products wrap, but never to zero
    # Few enough powers of two that no part of a product leaves float16.
    return numpy_random.choice([1.0, -1.0, 2.0, 0.5], shape, p=[0.45, 0.45, 0.05, 0.05])


def rows_of(type, form, word, random, numpy_random):
    """Rows whose sums are exact in every type, and rows of corners; columns keep the former. Products have factors of
    their own."""
    rows, length = 9, 61 + random.randrange(8)
    if word == "reduce_prod":
        values = factors_of(type, (rows, length), numpy_random) if type != "bool" else np.ones((rows, length), np.uint8)
        if type in FLOATS:
            values[1, 5], values[2, 7], values[3, 9], values[3, 30] = np.nan, np.inf, np.inf, 0.0
        return values
    low = 0 if type in INTEGERS and limits(type)[0] == 0 else -3
    values = numpy_random.integers(low, 3, (rows, length), endpoint=True).astype(np.uint64 if type == "uint64" else np.int64)
    if type == "bool":  # any byte but 0 is true; some rows and columns are of one value
        values = numpy_random.choice(np.array([0, 0, 1, 255], np.uint8), (rows, length))
        values[1], values[2], values[:, 3], values[:, 5] = 0, 1, 0, 7
        values[1, 40], values[2, 17] = word == "reduce_any", word == "reduce_any"
        values[4], values[6] = 0, 2
        return values
    if type in INTEGERS:
        values[1] = wrap(numpy_random.integers(*limits("int32"), length, endpoint=True), type)
        values[2, 3], values[2, 4] = limits(type)
        return values
    values = values.astype(np.float64)
    values[1, 5] = np.nan
    values[2, 7] = np.inf
    values[3, 9], values[3, 30] = np.inf, -np.inf
    values[4] = -0.0
    values[5, 11] = -np.inf
    values[6] = 0.0 if form == "columns" else 2.0 ** (FLOATS[type][1] - FLOATS[type][0])
    return values


def exact_matrix(shape, numpy_random):
    """Whole numbers whose products have sums that are exact in every type, in any order."""
    return numpy_random.integers(-2, 2, shape, endpoint=True).astype(np.float64)


# One operator ------------------------------------------------------------------------------------------------------


def is_of_cpu(form):
    """Whether the AI Core has no kernel of a form, whatever its types: docs/reference/scope.md lists them."""
    return form.startswith("sorted")


class Operator:
    """Some cases of one type and form, as a contract, a body and what it computes: of one operation, or of several without
    an input of their own."""

    def __init__(self, cases, seed):
        self.cases = cases
        first = cases[0]
        self.random = random.Random(f"{seed} {first.name} {len(cases)}")
        self.numpy_random = np.random.default_rng(self.random.getrandbits(32))
        self.type, self.form = first.type, first.form
        self.inputs, self.attributes, self.body, self.constants = {}, {}, [], []
        for number, case in enumerate(cases):
            self.add(case, number)

    def input(self, name, type):
        self.inputs[name] = type
        return f"%{name}"

    def add(self, case, number):
        texts, constants = [], []
        truths = 1 if case.operation == "select" else 0
        if case.form in ("gather", "lookup") or case.operation == "scatter":
            self.input("p", "int32")
        if case.form == "lookup" and not self.body:
            self.body += ["%zero = te.constant 0 : i32", "%q = te.add %p, %zero"]
        if case.form == "row" or (case.operation in ("broadcast", "constant")) or TENSOR not in case.operands:
            self.input("a", self.shape_type(case))
        for index, operand in enumerate(case.operands):
            is_condition = index < truths
            type = "bool" if is_condition else case.type
            letter = "c" if is_condition else f"a_{index}" if case.form == "fold" else ("b" if case.form == "row" else "ab"[index - truths])
            constant = None
            if operand == TENSOR:
                texts.append(self.input(letter, type))
            elif operand == SCALAR:
                name = f"k{letter}"
                self.attributes[name] = ATTRIBUTE[kind(type)]
                texts.append(f"%{name}")
            else:
                constant = self.random.choice(scalars_of(type, self.random))
                if type in FLOATS:  # of the type that a body reads without one
                    narrow = "float32" if type != "float64" else type
                    constant = float(to_float(np.array([constant]), narrow)[0])
                    if type in ("float16", "bfloat16") and case.computed == "storage":
                        constant = float(to_float(np.array([constant]), type)[0])
                text = number_text(constant, type)
                # The type is said where it decides what is computed: no tensor beside, integers and truth values.
                typed = TENSOR not in case.operands or kind(type) != "float" or type == "float64"
                name = f"%c{number}{letter}"
                self.body.append(f"{name} = te.constant {text}" + (f" : {MLIR[type]}" if typed else ""))
                texts.append(name)
            constants.append(constant)
        self.constants.append(constants)
        line = case.text.format("%a") if case.form == "fold" else case.text.format(*texts)
        if case.operation == "constant":
            line = f"te.broadcast {texts[0]} to %a"
        if case.operation == "window":
            self.body += [f"%w{number} = {line}", f"%y{number} = te.reduce_max %w{number} axes [K]"]
            return
        if TENSOR in case.operands or case.operation in ("broadcast", "constant"):
            self.body.append(f"%y{number} = {line}")
            return
        self.body.append(f"%s{number} = {line}")
        if self.adds(case):
            # An integer scalar has 64 bits; beside a tensor it takes its type.
            self.body.append(f"%y{number} = te.add %a, %s{number}")
        else:
            self.body.append(f"%y{number} = te.broadcast %s{number} to %a")

    def adds(self, case):
        """Whether an integer scalar is seen by its sum with the tensor a."""
        return TENSOR not in case.operands and case.type == case.result == "int32" and case.operation not in ("broadcast", "constant")

    def shape_type(self, case):
        return case.result if case.operation != "compare" and case.result in ("int32", case.type) else "float32"

    def shape(self, name):
        if self.form in ("elementwise", "fold"):
            return ["...S"]
        if self.form == "row":
            return ["N"] if name == "b" else ["...S", "N"]
        if self.form == "parts":
            return ["P*D"] if name.startswith("y") == (self.cases[0].operation == "stack") else ["D"]
        if self.form == "product":
            return {"a": ["M", "K"], "b": ["K", "N"]}.get(name, ["M", "N"])
        if self.form == "windows":
            return ["P"] if name.startswith("y") else ["N"]
        if self.form.startswith(("counted", "scanned")):
            return ["N", "M"]
        if self.form.startswith("sorted"):
            own = "K" if name.startswith("y") else "M"
            return [own, "N"] if "rows" in self.form else ["N", own]
        if self.form.startswith("scattered"):
            return {"a": ["I", "N"], "p": ["I"]}.get(name, ["V", "N"])
        if self.form in ("gather", "lookup"):
            return {"a": ["V", "N"], "p": ["I"]}.get(name, ["I", "N"])
        if self.form == "ranges":
            return ["A+B"] if name.startswith("y") == (self.cases[0].operation == "concat") else ["B" if name == "b" else "A"]
        if name.startswith("y"):
            return ["...S", "1"] if self.form == "rows keep" else ["...S"]
        return ["...S"] if self.form == "columns" else ["...S", "N"]

    def write(self, folder):
        def tensor(name, type):
            lines = [f"  - name: {name}", f"    types: [{type}]"]
            if self.form == "columns" and name.startswith("y"):
                return [*lines, "    reduces:", "      input: a", "      axes: axes"]
            if self.form == "fold" and not name.startswith("y"):
                return [*lines, "    shape: [...S]", "    count: n"]
            places = ["    values:", "      along: V"] if name == "p" and self.form != "lookup" else []
            return [*lines, f"    shape: [{', '.join(self.shape(name))}]", *places]

        outputs = {f"y{number}": case.result for number, case in enumerate(self.cases)}
        lines = ["schema: 1", "op_type: Word", "version: 1.0.0", "summary: Words of te", "inputs:"]
        # The tensors of a fold are one input of the contract and one argument of the body.
        written = {"a": self.inputs["a_0"]} if self.form == "fold" else self.inputs
        for name in sorted(written):
            lines += tensor(name, written[name])
        lines += ["outputs:"]
        for name, type in outputs.items():
            lines += tensor(name, type)
        attributes = [[f"  - name: {name}", f"    type: {type}", "    bind: launch"] for name, (type, _) in sorted(self.attributes.items())]
        if self.form == "columns":
            attributes.append(["  - name: axes", "    type: list_int", "    bind: shape"])
        if self.form == "fold":
            attributes.append(["  - name: n", "    type: int", "    bind: compile", f"    default: {len(self.inputs)}",
                               "    range: {minimum: 1, maximum: 16}"])
        if attributes:
            lines += ["attributes:", *(line for attribute in attributes for line in attribute)]
        if self.form == "parts":
            lines += ["dimensions:", "  - name: P", "    equals: 2"]
        if self.form == "ranges":
            lines += ["dimensions:", "  - name: B", f"    equals: {RANGE}"]
        if self.form.startswith("sorted"):
            lines += ["dimensions:", "  - name: K", "    equals:", "      min:", f"        - {SORTED}", "        - M"]
        if self.form.startswith("scattered"):
            lines += ["dimensions:", "  - name: V", "    minimum: 1"]
        if self.form == "windows":
            lines += ["dimensions:", "  - name: K", f"    equals: {WINDOW}", "  - name: P", "    window:", "      over: N", "      size: K",
                      f"      stride: {STRIDE}", f"      pad_begin: {PADDING}", f"      pad_end: {PADDING}"]
        lines += ["precision:", f"  compute: {self.cases[0].computed}", "  tolerance:"]
        for type in dict.fromkeys(outputs.values()):
            lines += [f"    - type: {type}", "      max_ulp: 0"]
        devices = ["    devices: cpu"] if self.on_cpu_alone() else []
        lines += ["bodies:", "  - level: te", "    file: word.mlir", *devices, "reference: reference.py", ""]
        (folder / "op_contract.yaml").write_text("\n".join(lines))
        arguments = [f"%{name}: !{name}" for name in sorted(written)]
        arguments += [f"%{name}: {MLIR[type]}" for name, (_, type) in sorted(self.attributes.items())]
        names = ", ".join(f"%{name}" for name in outputs)
        types = ", ".join(f"!{name}" for name in outputs)
        result = types if len(outputs) == 1 else f"({types})"
        body = ["!T = f16", f"func.func @word({', '.join(arguments)}) -> {result} {{"]
        body += [f"  {line}" for line in self.body] + [f"  return {names} : {types}", "}", ""]
        (folder / "word.mlir").write_text("\n".join(body))
        (folder / "reference.py").write_text('"""None: words_test.py has the numbers."""\n')

    # What it is given and what it has to give ------------------------------------------------------------------

    def on_cpu_alone(self):
        """Whether the AI Core has no kernel of it: of matrix products in float32 and of bytes in this order, of windows and
        computed places of types it does not work on."""
        if self.form in ("windows", "lookup"):
            return self.inputs["a"] in UNWORKED
        if is_of_cpu(self.form):
            return True
        return self.form == "product" and self.inputs["a"] in ("int8", "uint8")

    def launches(self, count):
        """(values by input, values by attribute, axes), `count` times."""
        ties = self.cases[0].operation == "cast"
        result = []
        number = max(1, count if self.attributes or self.form != "elementwise" else 1)
        for index in range(number):
            given = {}
            if self.form in ("elementwise", "fold"):
                names = [name for name in sorted(self.inputs) if name != "c"]
                types = {self.inputs[name] for name in names}
                if len(types) == 1:
                    values = tensors_of(types.pop(), len(names), ties, self.random, self.numpy_random)
                    given.update(zip(names, values))
                if "c" in self.inputs:
                    size = len(next(iter(given.values()))) if given else 301
                    given["c"] = self.numpy_random.choice(special_values("bool"), size)
            elif self.form == "row":
                values = tensors_of(self.inputs["b"], 1, False, self.random, self.numpy_random)[0]
                given = {"b": values, "a": np.tile(np.zeros_like(values), (3, 1))}
            elif self.form in ("parts", "windows"):
                names = sorted(self.inputs)
                given = dict(zip(names, tensors_of(self.inputs["a"], len(names), False, self.random, self.numpy_random)))
                given = {name: values[: len(values) // 2 * 2] for name, values in given.items()}
            elif self.form == "product":
                m, k, n = (self.random.randrange(20, 40) for _ in range(3))
                given = {"a": exact_matrix((m, k), self.numpy_random), "b": exact_matrix((k, n), self.numpy_random)}
                if self.inputs["a"] == "uint8":
                    given = {name: np.abs(values) for name, values in given.items()}
            elif self.form.startswith(("counted", "sorted")):
                values = tensors_of(self.inputs["a"], 1, False, self.random, self.numpy_random)[0]
                given = {"a": values[: len(values) // 77 * 77].reshape(-1, 77)}
            elif self.form.startswith("scanned"):
                # Sums and products of few of them are exact in every type.
                like = np.asarray(tensors_of(self.inputs["a"], 1, False, self.random, self.numpy_random)[0])
                numbers = (-2, -1, 1, 2) if kind(self.inputs["a"]) == "float" or INTEGERS.get(self.inputs["a"], (False,))[0] else (1, 2)
                given = {"a": self.numpy_random.choice(np.array(numbers, dtype=like.dtype), (9, 43))}
            elif self.form.startswith("scattered"):
                # Updates of one place differ, in order.
                values = tensors_of(self.inputs["a"], 2, False, self.random, self.numpy_random)
                data, updates = (one[: len(one) // 7 * 7].reshape(-1, 7) for one in values)
                if self.form.endswith(("add", "mul")) and self.inputs["a"] in FLOATS:
                    data, updates = (self.numpy_random.choice([-1.0, 1.0, 2.0], one.shape) for one in (data, updates))
                given = {"a": updates[:90], "b": data[:30], "p": self.numpy_random.integers(-3, 33, 90)}
            elif self.form in ("gather", "lookup"):
                values = tensors_of(self.inputs["a"], 1, False, self.random, self.numpy_random)[0]
                table = values[: len(values) // 7 * 7].reshape(-1, 7)
                # Some of them are no places: the nearest one counts.
                given = {"a": table, "p": self.numpy_random.integers(-3, len(table) + 3, 90)}
            elif self.form == "ranges":
                names = sorted(self.inputs)
                given = dict(zip(names, tensors_of(self.inputs["a"], len(names), False, self.random, self.numpy_random)))
                given = {name: values[:RANGE] if name == "b" else values for name, values in given.items()}
            else:
                given = {"a": rows_of(self.inputs["a"], self.form, self.cases[0].operation, self.random, self.numpy_random)}
            scalars = {}
            for name, (_, type) in sorted(self.attributes.items()):
                narrow = "bool" if name == "kc" else self.type if self.type in INTEGERS else type
                values = scalars_of(narrow, self.random)
                scalars[name] = values[(index * 5 + self.random.randrange(5)) % len(values)] if count == 1 else values[index % len(values)]
            result.append((given, scalars))
        return result

    def operands(self, number, given, scalars, computed):
        """The exact operands of a case."""
        case = self.cases[number]
        truths = 1 if case.operation == "select" else 0
        values = []
        for index, (operand, constant) in enumerate(zip(case.operands, self.constants[number])):
            type = "bool" if index < truths else case.type
            letter = "c" if index < truths else f"a_{index}" if case.form == "fold" else ("b" if case.form == "row" else "ab"[index - truths])
            if operand == TENSOR:  # any byte but 0 is true
                values.append((given[letter] != 0).astype(np.uint8) if type == "bool" else given[letter])
                continue
            value = scalars[f"k{letter}"] if operand == SCALAR else constant
            if type in FLOATS:  # attributes are float32; beside tensors numbers take the type of the computation
                value = to_float(np.array([value]), "float32" if type != "float64" else type)
                value = to_float(value, computed if TENSOR in case.operands else "float32")
            elif type in INTEGERS:
                value = np.array([value], dtype=np.uint64 if type == "uint64" else np.int64)
            else:
                value = np.array([value], dtype=np.uint8)
            values.append(value)
        return values

    def expected(self, number, given, scalars, device):
        """The exact result of a case (float64 that its type is to hold, whole numbers, or truth values), the units in the
        last place that are admitted, and the elements of which the device promises no number."""
        case = self.cases[number]
        computed = case.computed if case.computed != "storage" else "float32" if case.type == "bfloat16" else case.type
        values = self.operands(number, given, scalars, computed)
        ulps = tolerance_of(case.word, case.result)[0]
        if case.operation == "cast" and kind(case.type) == "integer" and case.result in ("float16", "bfloat16"):
            ulps = 1  # by way of float32, which rounds twice
        with np.errstate(all="ignore"):
            if case.word == "swish" and case.result == "float32":
                # The product is rounded before the exponential, which multiplies that error.
                product = np.abs(values[0] * values[1])
                ulps = ulps + np.where(np.isfinite(product), product, 0.0)
            if case.word == "pow" and case.result == "float32":
                # The error of the logarithm is multiplied by the exponent.
                product = np.abs(values[1] * np.log(np.abs(values[0])))
                ulps = ulps + 2.0 * np.where(np.isfinite(product), product, 0.0)
            if case.word in REDUCTIONS:
                x = values[0]
                exact = REDUCTIONS[case.word](x, case.type, 0 if self.form == "columns" else -1)
            elif case.operation in ("broadcast", "constant"):
                exact = values[0]
            elif case.operation == "matmul":
                exact = values[0] @ values[1]
            elif case.operation == "window":
                starts = range(-PADDING, len(values[0]) + PADDING - WINDOW + 1, STRIDE)
                exact = np.array([np.max(values[0][max(start, 0) : start + WINDOW]) for start in starts])
            elif case.operation == "iota":
                exact = np.indices(np.shape(values[0]))[0 if self.form == "counted rows" else 1]
            elif case.operation == "scan":
                exact = scan(values[0], case.word, case.type, 1 if "rows" in self.form else 0)
            elif case.operation == "fold":
                exact = values[0]
                for value in values[1:]:  # each step is rounded
                    exact = ELEMENTWISE[case.word.partition(" ")[2]](case.type, exact, value)
                    exact = to_float(exact, computed) if case.type in FLOATS else exact
            elif case.operation == "sort":
                exact = sort(values[0], case.word, SORTED, 0 if "rows" in self.form else 1)
            elif case.operation == "scatter":
                exact = scatter(values[0], values[1], np.clip(given["p"], 0, len(values[1]) - 1), case.word, case.type)
            elif case.operation == "gather":
                exact = values[0][place_of(given["p"], len(values[0]), case.word.partition("beyond ")[2])]
            elif case.operation == "slice":
                exact = np.split(values[0], 2)[1] if self.form == "parts" else values[0][:-RANGE]
            elif case.operation == "concat":
                exact = np.concatenate([values[0], np.broadcast_to(values[1], RANGE)])
            elif case.operation == "stack":
                exact = np.concatenate(values)
            elif case.operation == "cast":
                rounding = re.search(r"round (\w+)", case.word)
                exact = cast(values[0], case.type, case.result, rounding.group(1) if rounding else "nearest_even", "saturate" in case.word)
            elif case.word == "leaky_relu":
                exact = leaky_relu(computed, *values)
            else:
                exact = ELEMENTWISE[case.word](case.type if TENSOR in case.operands else "int64" if case.type in INTEGERS else case.type, *values)
            if case.operation not in ("cast", "broadcast", "constant", "slice", "stack", "concat", "gather", "matmul", "scan", "scatter", "sort", "window") and case.result in FLOATS and not tolerance_of(case.word, case.result)[0]:
                exact = to_float(exact, computed)
            exact, open_ = on_simulator(case, exact, values) if device == "sim" else (exact, False)
            if self.adds(case):
                exact = wrap(given["a"] + exact, "int32")
        shape = np.shape(given["a"]) if self.form in ("elementwise", "row") and "a" in given else np.shape(next(iter(given.values())))
        whole = self.form in ("fold", "parts", "product", "ranges", "gather", "lookup", "windows") or case.operation in ("sort", "scatter")
        if case.word not in REDUCTIONS and not whole:
            exact = np.broadcast_to(exact, shape)
        return exact, np.ravel(np.broadcast_to(ulps, np.shape(exact))), np.ravel(np.broadcast_to(open_, np.shape(exact)))


class Runner:
    def close(self):
        """Seconds of CPU that it took."""
        self.process.stdin.close()
        self.process.wait()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def __init__(self, program, folder):
        self.folder = folder
        self.process = subprocess.Popen([program, str(folder / "op")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, operator, launches, levels):
        operator.write(self.folder)
        request = {"contract": str(self.folder / "op_contract.yaml"), "levels": levels, "launches": []}
        for index, (given, scalars) in enumerate(launches):
            inputs = []
            for name in sorted(operator.inputs):
                path = self.folder / f"{index}.{name}"
                path.write_bytes(stored(given[name], operator.inputs[name]))
                inputs.append({"type": operator.inputs[name], "shape": list(np.shape(given[name])), "file": str(path)})
            attributes = {name: attribute_text(value, operator.attributes[name][1]) for name, value in scalars.items()}
            if operator.form == "columns":
                attributes["axes"] = "[0]"
            request["launches"].append({"inputs": inputs, "attributes": attributes})
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            body = (self.folder / "word.mlir").read_text()
            sys.exit(f"the runner ended with {self.process.wait()} at\n{body}")
        return json.loads(line)


# The test ----------------------------------------------------------------------------------------------------------


def unclean(errors):
    """What is wrong with the errors of a refused body, for its author."""
    first = errors[0]
    texts = [f"{first['code']} {first['message']}"]
    if not re.match(r"OPC-E\d{4}$", first["code"]):
        return "has no code"
    if not re.search(r"\[\w+_c\d+\]", first["message"]):
        return "has no label"
    if not first["file"] or first["line"] <= 0 or first["column"] <= 0:
        return "has no place"
    text = re.sub(r"'te\.\w+' op |'func\.func' op |\[\w+_c\d+\] ?", "", texts[0])
    if FOREIGN.search(text.split(" ", 1)[1]):
        return "speaks of what the author did not write"
    return ""


class Test:
    def __init__(self, options):
        self.options = options
        self.levels = subprocess.run([options.runner, "--levels"], capture_output=True, text=True, check=True).stdout.split()
        self.devices = [*self.levels, "sim"]
        self.failures, self.outcome, self.ran = [], {}, collections.Counter()
        self.elements = self.kernels = self.refusals = 0
        self.left_out = set()
        self.runner = Runner(options.runner, options.folder)

    def levels_of(self, cases):
        """The levels of CPU that a kernel is compiled for: one, by seed, where its words have run at all of them."""
        seen = all(self.ran[case.operation, case.word, level] for case in cases for level in self.levels)
        if self.options.full or self.options.update or self.options.only or not seen:
            return self.levels
        return [random.Random(f"{self.options.seed} level of {cases[0].name}").choice(self.levels)]

    def fail(self, text):
        self.failures.append(text)
        if self.options.verbose:
            print("FAILED:", text, flush=True)

    def run(self, cases):
        """One operator; False where it was refused and has several cases."""
        operator = Operator(cases, self.options.seed)
        launches = operator.launches(4 if self.options.full else 2)
        levels = self.levels_of(cases)
        answer = self.runner.ask(operator, launches, levels)
        body = (self.options.folder / "word.mlir").read_text()
        if answer["errors"] and not any(any(launch.values()) for launch in answer["launches"]):
            if len(cases) > 1:
                return False
            self.refusals += 1
            message = answer["errors"][0]["message"]
            label = re.search(r"\[(\w+_c\d+)\]", message)
            self.outcome[cases[0]] = label.group(1) if label else answer["errors"][0]["code"]
            if wrong := unclean(answer["errors"]):
                self.fail(f"{cases[0].name}: a message {wrong}: {answer['errors'][0]}")
            return True
        self.kernels += 1
        for case in cases:
            self.outcome[case] = "runs"
        if answer["errors"]:
            self.fail(f"{cases[0].name}: a launch failed: {answer['errors'][0]}\n{body}")
        for number, case in enumerate(cases):
            for index, (given, scalars) in enumerate(launches):
                for device in [*levels, *([] if operator.on_cpu_alone() else ["sim"])]:
                    expected, ulps, open_ = operator.expected(number, given, scalars, device)
                    files = answer["launches"][index].get(device)
                    if not files:
                        self.fail(f"{case.name}: nothing came from {device}")
                        continue
                    self.compare(case, operator, device, given, scalars, expected, ulps, open_, pathlib.Path(files[number]).read_bytes(), number)
        return True

    def compare(self, case, operator, device, given, scalars, expected, ulps, open_, data, number):
        got = loaded(data, case.result)
        expected = np.ravel(expected)
        if got.shape != expected.shape:
            return self.fail(f"{case.name}: {device} gave {got.shape} elements, expected {expected.shape}")
        wrong = wrong_places(got, expected, case.result, ulps, tolerance_of(case.word, case.result)[1])
        if np.any(open_):  # of a sine
            wrong = np.where(open_, ~(np.abs(got) <= 1.0), wrong)
        self.elements += len(got)
        self.ran[case.operation, case.word, device] += 1
        if np.any(wrong):
            places = np.flatnonzero(wrong)
            at = places[0]
            operands = {name: np.ravel(values)[at % np.size(values)] for name, values in given.items()} if operator.form == "elementwise" else {}
            constants = [c for c in operator.constants[number] if c is not None]
            self.fail(f"{case.name} on {device}: {len(places)} of {len(got)} wrong; element {at} of {operands}, scalars {scalars}, "
                      f"constants {constants}: expected {expected[at]!r}, got {got[at]!r}")

    def choose(self, operation, recorded):
        """The combinations of an operation that every run takes, of those that run and of those that are refused: the first of
        each word and type, so that no word and no type is left out. With --light it is one of each word and kind of elements,
        by seed, and so it is where the vector unit refuses a type for what it is."""
        groups = collections.defaultdict(list)
        for case in cases_of(operation):
            if language_refuses(operation, case):
                continue
            runs = recorded.get(case) == "runs"
            drawn = self.options.light or (is_unworked(case) and not runs)
            of = (kind(case.type), kind(case.result), case.type in UNWORKED) if drawn else (case.row, case.result)
            groups[case.word, runs, drawn, of].append(case)
        draw = random.Random(f"{self.options.seed} of {operation.name}")
        return {draw.choice(cases) if drawn else cases[0] for (_, _, drawn, _), cases in groups.items()}

    def sampled(self, case):
        """Whether a combination takes its turn: all of them with --full; else the chosen ones, and a share by the seed."""
        if self.options.full or self.options.update or self.options.only:
            return True
        if case in self.chosen:
            return True
        return random.Random(f"{self.options.seed} {case.name}").random() < self.options.share

    def run_all(self, operations, recorded):
        only = re.compile(self.options.only) if self.options.only else None
        shared = collections.defaultdict(list)  # of operations that compute an element from elements of one type
        for operation in operations:
            named = [key for key in (*ELEMENTWISE, *REDUCTIONS, "leaky_relu", "cast", "constant", "broadcast", "fold", "slice", "stack", "concat", "gather", "iota", "matmul", "scan", "scatter", "sort", "window") if key.split()[0] == operation.name]
            if not named:
                self.fail(f"te.{operation.name} has no meaning here: write it in meaning.py")
                continue
            self.chosen = self.choose(operation, recorded)
            groups = collections.defaultdict(list)
            for case in cases_of(operation):
                if only and not only.search(case.name):
                    continue
                if not self.sampled(case):
                    self.left_out.add(case)
                    continue
                if self.options.full or language_refuses(operation, case) or recorded.get(case, "runs") != "runs":
                    self.run([case])
                else:
                    scalar_int = TENSOR not in case.operands
                    mixes = case.form == "elementwise" and not scalar_int and case.operation not in ALONE
                    (shared if mixes else groups)[case.type, case.computed, case.form, scalar_int].append(case)
            self.run_groups(groups)
        self.run_groups(shared)

    def run_groups(self, groups):
        """Kernels of a few outputs each; the cases of one that is refused have kernels of their own."""
        for cases in groups.values():
            for start in range(0, len(cases), OUTPUTS):
                part = cases[start : start + OUTPUTS]
                if not self.run(part):
                    for case in part:
                        self.run([case])


def record_text(operations, outcome):
    """The page: for each combination the types in which it runs, and the rest by label."""
    lines = ["# What te runs in which types", "",
             "<!-- Generated by test/language/words_test.py --update from what the compiler takes. Do not edit. -->", "",
             "Every combination of te's words with element types, tensors, scalars (launch attributes: float32, int64, bool) and",
             "constants. Combinations under *runs* are compiled, run on the simulator and on the CPU and compared with NumPy by the",
             "test `language.words`; \"float16 in float32\" is a row whose contract says `compute: float32`. All else is refused when",
             "it is compiled, under a label:", "",
             "* what [the language](te.md) has no meaning for: `value_c4` (kinds of elements), `cast_c2` (`round` without rounding),",
             "  `matmul_c1` (elements of matrix products; those of bytes in this order run on the CPU alone)",
             f"* tensors of elements that the vector unit does not work on ({', '.join(UNWORKED)}): `place_c5`",
             "* combinations under *refused*", ""]
    for operation in operations:
        lines += [f"## te.{operation.name}", "", "| combination | runs | refused |", "|---|---|---|"]
        table = collections.defaultdict(lambda: (collections.defaultdict(list), collections.defaultdict(lambda: collections.defaultdict(list))))
        for case in cases_of(operation):
            result = outcome.get(case)
            if result is None or result == language_refuses(operation, case) or (result == "place_c5" and is_unworked(case)):
                table[case.combination]
                continue
            runs, refused = table[case.combination]
            key = case.type if operation.name == "cast" else ""
            name = case.result if operation.name == "cast" else case.row
            if result == "runs":
                runs[key].append(name)
            else:
                refused[result][key].append(name)
        for combination, (runs, refused) in table.items():
            def text(parts):
                return "; ".join((f"{key} to " if key else "") + ", ".join(names) for key, names in parts.items())
            refusals = "<br>".join(f"{label}: {text(parts)}" for label, parts in sorted(refused.items()))
            lines.append(f"| {combination} | {text(runs) or 'none'} | {refusals or 'none'} |")
        lines.append("")
    return "\n".join(lines)


def read_record(text, operations):
    """What the page says of each case."""
    said = {}
    sections = dict(re.findall(r"^## te\.(\w+)\n(.*?)(?=^## |\Z)", text, re.M | re.S))
    for operation in operations:
        table = {}
        for combination, runs, refused in re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", sections.get(operation.name, ""), re.M):
            entry = table.setdefault(combination, {})
            for label, parts in [("runs", runs), *(tuple(part.split(": ", 1)) for part in refused.split("<br>") if ": " in part)]:
                for part in parts.split("; "):
                    source, names = part.split(" to ", 1) if operation.name == "cast" and " to " in part else ("", part)
                    for name in names.split(", "):
                        entry[source, name] = label
        for case in cases_of(operation):
            key = (case.type, case.result) if operation.name == "cast" else ("", case.row)
            label = table.get(case.combination, {}).get(key)
            if label is None and case.combination in table:
                label = language_refuses(operation, case) or ("place_c5" if is_unworked(case) else None)
            if label:
                said[case] = label
    return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--words", required=True)
    parser.add_argument("--runner", required=True)
    parser.add_argument("--record", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("OPC_TEST_SEED", "1")))
    parser.add_argument("--share", type=float, default=1.0, help="of the combinations beyond the first of each word and type")
    parser.add_argument("--light", action="store_true", help="one type of each word and kind of elements: for builds with sanitizers")
    parser.add_argument("--only", default="", help="a part of the combinations, for looking at; nothing is counted then")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    operations = read_operations(options.words)
    recorded = read_record(options.record.read_text(), operations) if options.record.exists() else {}
    start = time.monotonic()
    test = Test(options)
    test.run_all(operations, recorded)
    used = test.runner.close()
    count = 0
    for operation in operations:
        for case in cases_of(operation):
            found = test.outcome.get(case)
            count += found is not None
            if found is None and (options.only or (case in test.left_out and recorded.get(case))):
                continue
            if found is None:
                test.fail(f"{case.name} was not tried")
            refusal = language_refuses(operation, case)
            if refusal and found != refusal:
                test.fail(f"{case.name}: the language refuses it by {refusal}; found {found}")
            elif found in ("value_c4", "cast_c2") and not refusal:
                test.fail(f"{case.name}: {found} says that the language has no such word; TableGen says that it has")
            if not options.update and found != recorded.get(case):
                test.fail(f"{case.name}: {options.record.name} says {recorded.get(case)}; found {found}; words_test.py --update writes it anew")
        if not options.only:
            # Each word of its own runs somewhere: every operation with every case of its enums, on every device.
            for word in {case.word for case in cases_of(operation) if not language_refuses(operation, case)}:
                forms = {case.form for case in cases_of(operation) if case.word == word}
                for device in test.levels if all(is_of_cpu(form) for form in forms) else test.devices:
                    if not test.ran[operation.name, word, device]:
                        test.fail(f"te.{word} ran nowhere on {device}")
    if options.update and not options.only:
        options.record.write_text(record_text(operations, test.outcome))
    print(f"{count} combinations: {sum(v == 'runs' for v in test.outcome.values())} run in {test.kernels} kernels on {', '.join(test.devices)}, "
          f"{test.elements} elements compared, {test.refusals} refused; {len(test.failures)} failures; {time.monotonic() - start:.1f} s, {used:.1f} s of CPU in the runner")
    if test.failures:
        sys.exit("\n".join(test.failures[:200]))


if __name__ == "__main__":
    main()
