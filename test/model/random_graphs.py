#!/usr/bin/env python3
"""Random models over operators of the library, by seed: compiled, run, and each value compared with ONNX Runtime.

A model is a chain of values of which any may be read again, also through views, and some are outputs: what shares memory with
what, and for how long, is different in each. Its nodes are those of every operator that a contract of the library has a form for:
MAKERS has one function for each, LEFT_OUT the others, each with its reason.

    random_graphs.py --opc=PATH --library=ops/library --folder=DIR [--count=N --seed=S]
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


# Of one value, and of two, of any shape: no attributes, any number as operand, a result of about its size.
UNARY = """Abs Neg Relu Sigmoid Tanh Erf Cos Sin Celu Elu Gelu HardSigmoid HardSwish LeakyRelu Mish Selu Shrink Softplus Softsign Swish
ThresholdedRelu""".split()
BINARY = ["Add", "Sub", "Mul", "Max", "Min"]
# Where operands that differ in their last bit give results that differ by much: computed of values that have the same bits in
# both runtimes.
STEPS = ["Ceil", "Floor", "Round", "Sign"]
COMPARISONS = ["Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"]
# Of numbers from 0.5 on, and of numbers from -1 to 1.
POSITIVE = ["Log", "Sqrt", "Reciprocal"]
SMALL = ["Exp", "Cosh"]
REDUCTIONS = ["ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum", "ReduceSumSquare"]
# Results that have the bits of their operands.
EXACT = {"Abs", "Neg", "Relu", "Max", "Min", *STEPS}


class Graph:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.weights = [], []
        first = [int(self.rng.integers(1, 5)), int(self.rng.integers(2, 7)), int(self.rng.integers(3, 20))]
        self.values = [("x", first)]
        self.input = first
        self.exact = {"x"}

    def weight(self, array, name=None):
        name = name or f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def add(self, kind, inputs, shape, **attributes):
        result = self.node(kind, inputs, **attributes)
        self.values.append((result, list(shape)))
        if kind in EXACT and self.exact.issuperset(inputs):
            self.exact.add(result)

    def node(self, kind, inputs, **attributes):
        """A node whose result nothing else reads."""
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [result], name=f"{kind}_{len(self.nodes)}", **attributes))
        return result

    def number(self, low=-2.0, high=2.0):
        return float(np.float32(self.rng.uniform(low, high)))

    def floats(self, *shape):
        return self.weight(self.rng.standard_normal(shape).astype(np.float32))

    def image(self):
        """A value as images [N, C, H, W], and their shape."""
        name, shape = self.pick()
        flat = int(np.prod(shape))
        channels = next((c for c in (4, 3, 2, 1) if flat % c == 0 and flat // c <= 600))  if flat <= 600 else None
        if channels is None:
            return None
        rows = next(r for r in range(min(12, flat // channels), 0, -1) if flat // channels % r == 0)
        made = [1, channels, rows, flat // channels // rows]
        return self.node("Reshape", [name, self.weight(np.array(made, dtype=np.int64))]), made

    def pick(self, holds=lambda shape: True):
        """A value, late ones more often; None when none holds."""
        fitting = [value for value in self.values if holds(value[1])]
        if not fitting:
            return None
        return self.pick_of(fitting)

    def pick_exact(self):
        return self.pick_of([value for value in self.values if value[0] in self.exact])

    def pick_of(self, fitting):
        return fitting[-1 - int(min(self.rng.geometric(0.4) - 1, len(fitting) - 1))]

    def step(self):
        choice = int(self.rng.integers(0, 13))
        name, shape = self.pick()
        if choice <= 1:
            self.add(str(self.rng.choice(["Relu", "Tanh", "Sigmoid", "Neg", "Abs"])), [name], shape)
        elif choice <= 3:
            other = self.pick(lambda other: other == shape)
            self.add(str(self.rng.choice(["Add", "Sub", "Mul"])), [name, other[0]], shape)
        elif choice == 4 and len(shape) >= 2:
            columns = int(self.rng.integers(1, 24))
            matrix = self.weight((self.rng.standard_normal((shape[-1], columns)) / np.sqrt(shape[-1])).astype(np.float32))
            self.add("MatMul", [name, matrix], [*shape[:-1], columns])
        elif choice == 5:
            self.add("Softmax", [name], shape, axis=-1)
        elif choice == 6 and len(shape) >= 2:
            axis = int(self.rng.integers(0, len(shape)))
            axes = self.weight(np.array([axis], dtype=np.int64))
            keep = int(self.rng.integers(0, 2))
            self.add("ReduceMean", [name, axes], [1 if i == axis else size for i, size in enumerate(shape) if keep or i != axis],
                     keepdims=keep)
        elif choice == 7:
            self.add("Flatten", [name], [int(np.prod(shape[:1])), int(np.prod(shape[1:]))], axis=1)
        elif choice == 8:
            wanted = [-1, shape[-1]] if len(shape) != 2 else [1, -1, shape[-1]]
            made = [int(np.prod(shape[:-1])), shape[-1]] if len(shape) != 2 else [1, shape[0], shape[1]]
            self.add("Reshape", [name, self.weight(np.array(wanted, dtype=np.int64))], made)
        elif choice == 9:
            bias = self.weight(self.rng.standard_normal(shape[-1]).astype(np.float32))
            self.add("Add", [name, bias], shape)
        else:
            self.ranges(choice, name, shape)

    def ranges(self, choice, name, shape):
        """What is often one range of bytes: joins, parts, one place of an axis."""
        axis = int(self.rng.integers(0, len(shape))) if self.rng.integers(0, 3) == 0 else next((i for i, size in enumerate(shape) if size > 1), 0)
        size = shape[axis]
        if choice == 10:
            fitting = [value for value in self.values if len(value[1]) == len(shape) and all(a == b for i, (a, b) in enumerate(zip(value[1], shape)) if i != axis)]
            chosen = [fitting[int(i)] for i in self.rng.integers(0, len(fitting), int(self.rng.integers(1, 4)))] + [(name, shape)]
            joined = [sum(each[1][axis] for each in chosen) if i == axis else size for i, size in enumerate(shape)]
            if np.prod(joined) < 20000:
                self.add("Concat", [each[0] for each in chosen], joined, axis=axis)
        elif choice == 11:
            start = int(self.rng.integers(0, size))
            end = int(self.rng.integers(start + 1, size + 1))
            bounds = [self.weight(np.array([number], dtype=np.int64)) for number in (start - size, end, axis)]
            self.add("Slice", [name, *bounds], [end - start if i == axis else each for i, each in enumerate(shape)])
        elif len(shape) > 2:
            index = self.weight(np.array(int(self.rng.integers(-size, size)), dtype=np.int64))
            self.add("Gather", [name, index], [each for i, each in enumerate(shape) if i != axis], axis=axis)

    def of_library(self, operator):
        """A node of an operator; false where no value has a shape for it."""
        return MAKERS[operator](self, operator) is not False

    def model(self, steps, operators):
        """Half of the steps are of the operators, in turns."""
        while len(self.nodes) < steps:
            self.step()
            if operators:
                operator = operators.popleft()
                if not self.of_library(operator):
                    operators.append(operator)
        results = [value for value in self.values[1:]]
        count = int(self.rng.integers(1, 4))
        chosen = {results[-1][0], *(results[int(i)][0] for i in self.rng.integers(0, len(results), count))}
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in results if name in chosen]
        inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.input)]
        graph = helper.make_graph(self.nodes, "random", inputs, outputs, self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=10)


def unary(graph, operator):
    name, shape = graph.pick()
    graph.add(operator, [name], shape)


def binary(graph, operator):
    name, shape = graph.pick()
    graph.add(operator, [name, graph.pick(lambda other: other == shape)[0]], shape)


def step_of(graph, operator):
    name, shape = graph.pick_exact()
    graph.add(operator, [name], shape)


def comparison(graph, operator):
    """The comparison and the choice by it."""
    name, shape = graph.pick_exact()
    truth = graph.node(operator, [name, graph.floats(shape[-1]) if shape else graph.floats()])
    if graph.rng.integers(0, 2):
        truth = graph.node("Not", [truth])
    if graph.rng.integers(0, 2):
        truth = graph.node(str(graph.rng.choice(["And", "Or", "Xor"])), [truth, graph.node("Less", [name, graph.floats()])])
    graph.add("Where", [truth, name, graph.pick(lambda other: other == shape)[0]], shape)


def positive(graph, operator):
    name, shape = graph.pick()
    operand = graph.node("Add", [graph.node("Abs", [name]), graph.weight(np.float32(0.5))])
    graph.add(operator, [operand], shape)


def small(graph, operator):
    name, shape = graph.pick()
    graph.add(operator, [graph.node("Tanh", [name])], shape)


def division(graph, operator):
    name, shape = graph.pick()
    divisor = graph.node("Add", [graph.node("Abs", [graph.pick(lambda other: other == shape)[0]]), graph.weight(np.float32(0.5))])
    graph.add("Div", [name, divisor], shape)


def power(graph, operator):
    name, shape = graph.pick()
    base = graph.node("Add", [graph.node("Sigmoid", [name]), graph.weight(np.float32(0.5))])
    graph.add("Pow", [base, graph.weight(np.float32(graph.number(-2, 3)))], shape)


def reduction(graph, operator):
    picked = graph.pick(lambda shape: len(shape) >= 2)
    if not picked:
        return False
    name, shape = picked
    first = int(graph.rng.integers(0, len(shape)))
    axes = list(range(first, int(graph.rng.integers(first + 1, len(shape) + 1))))
    keep = int(graph.rng.integers(0, 2))
    if operator == "ReduceLogSumExp":  # of rows alone
        axes = [-1]
    dropped = {axis % len(shape) for axis in axes}
    made = [1 if i in dropped else size for i, size in enumerate(shape) if keep or i not in dropped]
    if not made:
        return False
    if operator == "ReduceLogSum":
        name = graph.node("Add", [graph.node("Abs", [name]), graph.weight(np.float32(0.5))])
    graph.add(operator, [name, graph.weight(np.array(axes, dtype=np.int64))], made, keepdims=keep)
    return True


def of_rows(graph, operator):
    name, shape = graph.pick()
    if not shape:
        return False
    graph.add(operator, [name], shape, axis=-1)
    return True


def clip(graph, operator):
    name, shape = graph.pick()
    low = graph.number(-1, 0)
    graph.add("Clip", [name, graph.weight(np.float32(low)), graph.weight(np.float32(low + 1.5))], shape)


def slopes(graph, operator):
    name, shape = graph.pick()
    if not shape:
        return False
    graph.add("PRelu", [name, graph.floats(shape[-1])], shape)
    return True


def transpose(graph, operator):
    name, shape = graph.pick()
    order = [int(i) for i in graph.rng.permutation(len(shape))]
    graph.add("Transpose", [name], [shape[i] for i in order], perm=order)


def normed(graph, operator):
    name, shape = graph.pick()
    if not shape:
        return False
    weights = [graph.floats(shape[-1]) for _ in range(2 if operator == "LayerNormalization" else 1)]
    graph.add(operator, [name, *weights], shape, axis=-1, epsilon=1e-3)
    return True


def gemm(graph, operator):
    picked = graph.pick(lambda shape: len(shape) == 2)
    if not picked:
        return False
    name, (rows, inner) = picked
    turned, columns = int(graph.rng.integers(0, 2)), int(graph.rng.integers(1, 24))
    matrix = graph.weight((graph.rng.standard_normal((columns, inner) if turned else (inner, columns)) / np.sqrt(inner)).astype(np.float32))
    more = [graph.floats(columns)] if graph.rng.integers(0, 2) else []
    graph.add("Gemm", [name, matrix, *more], [rows, columns], transB=turned)
    return True


def gathered(graph, operator):
    name, shape = graph.pick()
    if not shape or operator == "GatherElements" and len(shape) < 2:
        return False
    axis = int(graph.rng.integers(0, len(shape)))
    if operator == "Gather":
        index = graph.rng.integers(-shape[axis], shape[axis], int(graph.rng.integers(1, 5)))
        made = [len(index) if i == axis else size for i, size in enumerate(shape)]
    else:
        made = [int(graph.rng.integers(1, 6)) if i == axis else size for i, size in enumerate(shape)]
        index = graph.rng.integers(-shape[axis], shape[axis], made)
    graph.add(operator, [name, graph.weight(index.astype(np.int64))], made, axis=axis)
    return True


def image_of(make):
    def maker(graph, operator):
        picked = graph.image()
        return False if picked is None else make(graph, operator, *picked)
    return maker


def convolution(graph, operator, name, shape):
    _, channels, rows, columns = shape
    groups = int(graph.rng.choice([1, channels]))
    outer = groups * int(graph.rng.integers(1, 5))
    kernel = [int(graph.rng.integers(1, min(3, rows) + 1)), int(graph.rng.integers(1, min(3, columns) + 1))]
    strides = [int(each) for each in graph.rng.integers(1, 3, 2)]
    pads = [int(graph.rng.integers(0, each)) for each in (*kernel, *kernel)]
    filters = graph.weight((graph.rng.standard_normal((outer, channels // groups, *kernel)) / np.sqrt(channels * kernel[0] * kernel[1])).astype(np.float32))
    more = [graph.floats(outer)] if graph.rng.integers(0, 2) else []
    made = [(size + pads[i] + pads[i + 2] - kernel[i]) // strides[i] + 1 for i, size in enumerate((rows, columns))]
    graph.add("Conv", [name, filters, *more], [1, outer, *made], kernel_shape=kernel, strides=strides, pads=pads, group=groups)


def pool(graph, operator, name, shape):
    kernel = [int(graph.rng.integers(1, min(3, size) + 1)) for size in shape[2:]]
    strides = [int(each) for each in graph.rng.integers(1, 3, 2)]
    made = [(size - kernel[i]) // strides[i] + 1 for i, size in enumerate(shape[2:])]
    graph.add(operator, [name], [*shape[:2], *made], kernel_shape=kernel, strides=strides)


def global_pool(graph, operator, name, shape):
    graph.add(operator, [name], [*shape[:2], 1, 1])


def channels(graph, operator, name, shape):
    count = shape[1]
    spread = graph.weight(graph.rng.uniform(0.5, 1.5, count).astype(np.float32))
    if operator == "BatchNormalization":
        graph.add(operator, [name, spread, graph.floats(count), graph.floats(count), spread], shape, epsilon=1e-3)
    else:
        groups = {} if operator == "InstanceNormalization" else {"num_groups": 1}
        graph.add(operator, [name, spread, graph.floats(count)], shape, epsilon=1e-2, **groups)


def padded(graph, operator, name, shape):
    pads = [int(each) for each in graph.rng.integers(0, 3, 4)]
    made = [*shape[:2], shape[2] + pads[0] + pads[2], shape[3] + pads[1] + pads[3]]
    ends = graph.weight(np.array([0, 0, *pads[:2], 0, 0, *pads[2:]], dtype=np.int64))
    graph.add("Pad", [name, ends, graph.weight(np.float32(graph.number()))], made)


def resized(graph, operator, name, shape):
    scales = graph.weight(np.array([1, 1, 2, 2], dtype=np.float32))
    graph.add("Resize", [name, "", scales], [*shape[:2], shape[2] * 2, shape[3] * 2], mode="nearest", nearest_mode="floor",
              coordinate_transformation_mode="asymmetric")


def to_space(graph, operator):
    picked = graph.pick(lambda shape: np.prod(shape) % 4 == 0 and np.prod(shape) <= 2000)
    if not picked:
        return False
    name, shape = picked
    flat = int(np.prod(shape))
    made = [1, 4, 1, flat // 4] if operator == "DepthToSpace" else [1, 1, 2, flat // 2]
    shaped = graph.node("Reshape", [name, graph.weight(np.array(made, dtype=np.int64))])
    result = [1, 1, 2, flat // 2] if operator == "DepthToSpace" else [1, 4, 1, flat // 4]
    graph.add(operator, [shaped], result, blocksize=2)
    return True


def tiled(graph, operator):
    picked = graph.pick(lambda shape: 2 <= len(shape) <= 3 and np.prod(shape) <= 500)
    if not picked:
        return False
    name, shape = picked
    repeats = [int(each) for each in graph.rng.integers(1, 4, len(shape))]
    graph.add("Tile", [name, graph.weight(np.array(repeats, dtype=np.int64))], [a * b for a, b in zip(shape, repeats)])
    return True


def expanded(graph, operator):
    name, shape = graph.pick()
    if np.prod(shape) > 2000:
        return False
    graph.add("Expand", [name, graph.weight(np.array([2, *([1] * len(shape))], dtype=np.int64))], [2, *shape])
    return True


def halves(graph, operator):
    picked = graph.pick(lambda shape: any(size % 2 == 0 for size in shape))
    if not picked:
        return False
    name, shape = picked
    axis = next(i for i, size in enumerate(shape) if size % 2 == 0)
    made = [size // 2 if i == axis else size for i, size in enumerate(shape)]
    results = [f"v{len(graph.nodes)}", f"v{len(graph.nodes)}b"]
    graph.nodes.append(helper.make_node("Split", [name], results, name=f"Split_{len(graph.nodes)}", axis=axis, num_outputs=2))
    graph.values += [(result, made) for result in results]
    return True


def triangle(graph, operator):
    picked = graph.pick(lambda shape: len(shape) >= 2)
    if not picked:
        return False
    graph.add("Trilu", [picked[0]], picked[1], upper=int(graph.rng.integers(0, 2)))
    return True


MAKERS = {**dict.fromkeys(UNARY, unary), **dict.fromkeys(BINARY, binary), **dict.fromkeys(STEPS, step_of),
          **dict.fromkeys(COMPARISONS, comparison), **dict.fromkeys(POSITIVE, positive), **dict.fromkeys(SMALL, small),
          **dict.fromkeys(REDUCTIONS, reduction), "Div": division, "Pow": power, "Softmax": of_rows, "LogSoftmax": of_rows,
          "LpNormalization": of_rows, "Clip": clip, "PRelu": slopes, "Transpose": transpose, "LayerNormalization": normed, "RMSNormalization": normed, "Gemm": gemm,
          "Gather": gathered, "GatherElements": gathered, "Conv": image_of(convolution), "MaxPool": image_of(pool),
          "AveragePool": image_of(pool), "GlobalAveragePool": image_of(global_pool), "GlobalMaxPool": image_of(global_pool),
          "BatchNormalization": image_of(channels), "InstanceNormalization": image_of(channels), "GroupNormalization": image_of(channels),
          "Pad": image_of(padded), "Resize": image_of(resized), "DepthToSpace": to_space, "SpaceToDepth": to_space, "Tile": tiled,
          "Expand": expanded, "Split": halves, "Trilu": triangle}
# Nodes that `step`, or the maker of another operator, makes; and what is no part of a chain of floats.
LEFT_OUT = {**dict.fromkeys(["MatMul", "Concat", "Slice"], "in `step`"),
            **dict.fromkeys(["Where", "Not", "And", "Or", "Xor"], "behind comparisons"),
            **dict.fromkeys(["ArgMax", "ArgMin", "Cast", "EyeLike", "OneHot", "DequantizeLinear", "QuantizeLinear", "ReduceProd", "Mod", "IsInf",
                             "IsNaN", "Sum"], "integers, or results that one bit of an operand decides")}


def operators_of(library):
    names = set()
    for file in sorted(library.glob("*/op_contract.yaml")):
        form = re.search(r"^onnx:\n((?: .*\n)+)", file.read_text(encoding="utf-8"), re.M)
        names |= set(re.findall(r"^  - operator: (\w+)", form.group(1), re.M)) if form else set()
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opc", required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    names = operators_of(options.library)
    unknown = names - MAKERS.keys() - LEFT_OUT.keys()
    if unknown:
        print(f"neither made nor left out with a reason: {sorted(unknown)}")
        return 1
    turns = sorted(names & MAKERS.keys())
    np.random.default_rng(options.seed).shuffle(turns)
    operators = collections.deque(turns * (1 + options.count // 4))
    failed = 0
    for seed in range(options.seed, options.seed + options.count):
        file = options.folder / f"{seed}.onnx"
        model = Graph(seed).model(10 + seed % 25, operators)
        onnx.checker.check_model(model)
        onnx.save(model, file)
        done = subprocess.run([options.opc, "test", str(file), f"--seed={seed}"], capture_output=True, text=True, timeout=300, check=False)
        if done.returncode != 0:
            failed += 1
            print(f"seed {seed}, {file}: exit {done.returncode}\n{done.stderr[-2000:]}")
    print(f"{options.count} graphs, {failed} of them wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
