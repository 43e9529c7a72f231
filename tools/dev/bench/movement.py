"""Operators that move elements or reduce windows of them, as `./dev bench` measures them: what each reads and writes,
in NumPy and in ONNX. The shape of a case has the sizes of the operand first, then the numbers that an operator takes.
"""

import dataclasses
import math
from collections.abc import Callable

import numpy as np
from onnx import helper, numpy_helper

COPY = {"ceiling": 0.90}


@dataclasses.dataclass(frozen=True)
class Movement:
    """All functions take the shape of a case; `answer` and `steps` take its inputs too, `steps` also the output."""

    folder: str  # of ops/library
    attributes: Callable  # of the contract, bound when compiling
    inputs: Callable  # the shape of each input
    output: Callable  # the shape of the first result
    answer: Callable  # the first result, of any float type
    steps: Callable | None  # the same into given memory; None: NumPy has no such function
    node: Callable  # operator, attributes and constant operands of the ONNX node
    shapes: tuple  # of the cases
    types: tuple = ("f32",)
    goals: dict = dataclasses.field(default_factory=dict)  # of the ratio against a side
    read: Callable | None = None  # elements that are read, if not all inputs
    indices: Callable | None = None  # the last input has indices below this number
    second: Callable | None = None  # shape of a second result, int64
    exact: bool = True
    opset: int = 17

    def bytes(self, shape, itemsize):
        """Bytes that are read and written, with each element once."""
        read = self.read(shape) if self.read else sum(map(math.prod, self.inputs(shape)))
        return (read + math.prod(self.output(shape))) * itemsize

    def nodes(self, shape):
        """The node from x0, x1, .. to y, and its constant operands."""
        op, attributes, constants = self.node(shape)
        names = [f"x{i}" for i in range(len(self.inputs(shape)))] + list(constants)
        outputs = ["y", "second"] if self.second else ["y"]
        return [helper.make_node(op, names, outputs, **attributes)], \
            [numpy_helper.from_array(np.array(value), name) for name, value in constants.items()]


def permuted(order, shapes, types=("f32",), **more):
    return Movement("transpose", lambda s: {"perm": list(order)}, lambda s: [s], lambda s: tuple(s[i] for i in order),
                    lambda s, x: x.transpose(order), lambda s, x, y: np.copyto(y, x.transpose(order)),
                    lambda s: ("Transpose", {"perm": list(order)}, {}), shapes, types, COPY, **more)


def middle(shape):
    """A range of two thirds of the columns."""
    return shape[1] // 6, shape[1] - shape[1] // 6


def edged(shape):
    """Planes with an edge of 1."""
    return (1, shape[0], shape[1] + 2, shape[2] + 2)


def pad_into(shape, x, y):
    y.fill(0)
    y[:, :, 1:-1, 1:-1] = x


def pooled(shape):
    channels, height, width, window, stride, pad = shape
    return (1, channels, *((size + 2 * pad - window) // stride + 1 for size in (height, width)))


def windows_of(shape, x, border):
    window, stride, pad = shape[3:]
    planes = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=border)
    return np.lib.stride_tricks.sliding_window_view(planes, (window, window), (2, 3))[:, :, ::stride, ::stride]


def mean_of_windows(shape, x):
    return windows_of(shape, x, 0).mean((-2, -1)) / windows_of(shape, np.ones_like(x), 0).mean((-2, -1))


def pool_of(folder, op, answer, shapes, **more):
    def of_attributes(shape):
        return {"kernel_shape": [shape[3]] * 2, "strides": [shape[4]] * 2, "pads": [shape[5]] * 4}

    return Movement(folder, of_attributes, lambda s: [(1, *s[:3])], pooled, answer, None,
                    lambda s: (op, of_attributes(s), {}), shapes, **more)


def sums_along(axis, shapes):
    return Movement("cum_sum", lambda s: {"axis": axis}, lambda s: [s], lambda s: s, lambda s, x: np.cumsum(x, axis),
                    lambda s, x, y: np.cumsum(x, axis, out=y), lambda s: ("CumSum", {}, {"axis": np.int64(axis)}), shapes,
                    goals={"ceiling": 0.8}, exact=False)


def rows_gathered(columns, goal):
    """Rows of a table of 50257 at random."""
    return Movement("gather", lambda s: {"axis": 0}, lambda s: [s[:2], s[2:]], lambda s: (s[2], s[1]),
                    lambda s, x, indices: x[indices], lambda s, x, indices, y: np.take(x, indices, 0, out=y, mode="clip"),
                    lambda s: ("Gather", {"axis": 0}, {}), ((50257, columns, 8388608 // columns // 2),),
                    goals={"ceiling": goal}, read=lambda s: s[1] * s[2], indices=lambda s: s[0])


MOVEMENTS = {
    "permute_outer": permuted((1, 0, 2), ((64, 128, 1024), (37, 53, 1771))),
    "permute_heads": permuted((0, 2, 1, 3), ((8, 197, 12, 64), (8, 512, 12, 64)), ("f32", "f16")),
    "slice": Movement("slice", lambda s: {"start": middle(s)[0], "end": middle(s)[1], "axis": 1}, lambda s: [s],
                      lambda s: (s[0], middle(s)[1] - middle(s)[0]), lambda s, x: x[:, slice(*middle(s))],
                      lambda s, x, y: np.copyto(y, x[:, slice(*middle(s))]),
                      lambda s: ("Slice", {}, {"starts": [middle(s)[0]], "ends": [middle(s)[1]], "axes": [1]}),
                      ((2048, 3072), (3001, 1031)), goals=COPY, read=lambda s: s[0] * (middle(s)[1] - middle(s)[0])),
    "concat": Movement("concat", lambda s: {"n": 2, "axis": 1}, lambda s: [s[:2], (s[0], s[2])], lambda s: (s[0], s[1] + s[2]),
                       lambda s, a, b: np.concatenate((a, b), 1), lambda s, a, b, y: np.concatenate((a, b), 1, out=y),
                       lambda s: ("Concat", {"axis": 1}, {}), ((2048, 1024, 2048), (3001, 331, 700)), goals=COPY),
    "pad": Movement("pad2d", lambda s: {"top": 1, "bottom": 1, "left": 1, "right": 1}, lambda s: [(1, *s)], edged,
                    lambda s, x: np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), pad_into,
                    lambda s: ("Pad", {}, {"pads": [0, 0, 1, 1, 0, 0, 1, 1]}), ((64, 224, 224), (512, 56, 56), (3, 1023, 1021)),
                    goals=COPY),
    "tile": Movement("tile2d", lambda s: {"repeat0": s[2], "repeat1": s[3]}, lambda s: [s[:2]], lambda s: (s[0] * s[2], s[1] * s[3]),
                     lambda s, x: np.tile(x, s[2:]),
                     lambda s, x, y: np.copyto(y.reshape(s[2], s[0], s[3], s[1]), x[None, :, None, :]),
                     lambda s: ("Tile", {}, {"repeats": list(s[2:])}), ((512, 1000, 4, 3), (331, 101, 7, 19)), goals=COPY),
    "gather_rows": rows_gathered(512, 0.85),
    "gather_short_rows": rows_gathered(64, 0.5),
    "max_pool": pool_of("max_pool2d", "MaxPool", lambda s, x: windows_of(s, x, -np.inf).max((-2, -1)),
                        ((64, 112, 112, 3, 2, 1), (192, 28, 28, 3, 1, 1), (512, 20, 20, 5, 1, 2), (256, 56, 56, 2, 2, 0), (61, 57, 53, 3, 2, 1))),
    "average_pool": pool_of("average_pool2d", "AveragePool", mean_of_windows,
                            ((64, 112, 112, 3, 2, 1), (192, 28, 28, 3, 1, 1), (256, 56, 56, 2, 2, 0), (61, 57, 53, 3, 2, 1)), exact=False),
    "global_average_pool": Movement("global_average_pool", lambda s: {}, lambda s: [(1, *s)], lambda s: (1, s[0], 1, 1),
                                    lambda s, x: x.mean((2, 3), keepdims=True), None, lambda s: ("GlobalAveragePool", {}, {}),
                                    ((2048, 7, 7), (512, 56, 56), (331, 13, 17)), exact=False),
    "global_max_pool": Movement("global_max_pool", lambda s: {}, lambda s: [(1, *s)], lambda s: (1, s[0], 1, 1),
                                lambda s, x: x.max((2, 3), keepdims=True), None, lambda s: ("GlobalMaxPool", {}, {}),
                                ((512, 7, 7), (512, 56, 56))),
    "cum_sum_rows": sums_along(-1, ((1024, 1000), (300, 4097))),
    "cum_sum_columns": sums_along(0, ((1000, 1024), (333, 1771))),
    "top_k": Movement("top_k", lambda s: {"k": s[2], "axis": -1}, lambda s: [s[:2]], lambda s: (s[0], s[2]),
                      lambda s, x: -np.sort(-x, -1)[:, :s[2]], None, lambda s: ("TopK", {"axis": -1}, {"k": [s[2]]}),
                      ((1024, 1000, 5), (32, 50257, 50), (1, 8400, 300), (77, 1031, 1), (64, 1000, 1000)),
                      goals={"onnxruntime": 1.0}, second=lambda s: (s[0], s[2])),
}
# Goals of the geometric mean over all pools.
POOLS = ("max_pool", "average_pool", "global_average_pool", "global_max_pool")
OF_POOLS = {"onnxruntime": 1.2, "onednn": 1.0}
