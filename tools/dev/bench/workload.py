"""The workload: operators of the library, each with three versions of its formula (NumPy step by step into given
memory, NumPy in float64 as the expected result, ONNX for peers), and the sizes.
"""

import dataclasses
import math
from collections.abc import Callable

import numpy as np
from movement import MOVEMENTS, Movement
from onnx import TensorProto, helper, numpy_helper
from scipy import special

SIZES = (4 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20)
ROWS = ((1024, 128), (1024, 1000), (1024, 4096), (32, 50257))
# Sizes from models that are not multiples of a vector, of a loop's step or of a chunk.
ODD_ROWS = {"softmax": ((2364, 128), (2364, 197)), "bias_gelu": ((128, 3072), (197, 3071)), "add_row": ((128, 768), (197, 771))}
ODD_SIZES = {"erf": (300_000,), "gelu": (128 * 3072, 300_007), "tanh": (300_007,), "sigmoid": (300_007,)}
TYPES = {"f32": np.float32, "f16": np.float16}
# Operands of products into int32: int8, or uint8 on the left and int8 on the right.
BYTES = {"s8": (np.int8, np.int8), "u8": (np.uint8, np.int8)}


@dataclasses.dataclass(frozen=True)
class Operator:
    """An operator of ops/library. Its folder is `folder`, or `name` if that is empty."""

    name: str
    inputs: int  # arrays, in the contract's order; for rows those after the first are vectors of a row's length
    steps: Callable  # (inputs, output, scratch): NumPy with out=, nothing allocated
    answer: Callable  # (inputs in float64): the result
    nodes: Callable  # (): ONNX nodes from x0, x1, ... to y, with y last
    opset: int = 17
    rows: bool = False
    reduces: bool = False  # the output has one element for each row
    axis: int = -1  # that is reduced, if it is not the last
    positions: bool = False  # the result is positions along the reduced axis, int32
    turns: bool = False  # the output has the dimensions in reverse order
    product: str = ""  # a matrix product, of shape (m, n, k) after batches: which operands are transposed, "nn", "nt", "tn", "tt"
    conv: bool = False  # a convolution with a bias, of shape (channels, size, filters, window, stride, groups)
    constants: int = 0  # so many of the last inputs are weights of a model, which packs them when it is loaded
    attributes: dict = dataclasses.field(default_factory=dict)
    folder: str = ""
    moves: Movement | None = None

    def streams(self):
        """The name of the ceiling with the same memory traffic."""
        return "read1" if self.reduces else "move2" if self.inputs == 2 and not self.rows else "move1"


@dataclasses.dataclass(frozen=True)
class Case:
    operator: Operator
    shape: tuple
    type: str = "f32"
    threads: int = 1

    def __str__(self):
        return f"{self.operator.name} {'x'.join(map(str, self.shape))} {self.type} t{self.threads}"

    def operand(self, index):
        """The type of an input's elements."""
        if self.operator.moves and self.operator.moves.indices and index == self.operator.inputs - 1:
            return np.int64
        return BYTES[self.type][index] if self.type in BYTES else TYPES[self.type]

    def result(self):
        """The type of the result's elements."""
        return np.int32 if self.type in BYTES or self.operator.positions else TYPES[self.type]

    def elements(self):
        """Elements, of a movement those of its result; of a product or a convolution, multiplications."""
        if self.operator.moves:
            return math.prod(output_shape(self))
        if self.operator.conv:
            channels, _, _, window, _, groups = self.shape
            return math.prod(output_shape(self)) * channels // groups * window**2
        return math.prod(self.shape)

    def bytes(self):
        """Bytes that are read and written, with each element once."""
        if self.operator.moves:
            return self.operator.moves.bytes(self.shape, np.dtype(TYPES[self.type]).itemsize)
        if self.operator.product:
            operands = sum(map(math.prod, product_shapes(self)))
            return operands * np.dtype(self.operand(0)).itemsize + math.prod(output_shape(self)) * np.dtype(self.result()).itemsize
        if self.operator.conv:
            elements = sum(map(math.prod, [*shapes_of(self), output_shape(self)]))
            return elements * np.dtype(TYPES[self.type]).itemsize
        tensors = 1 if self.operator.reduces else 2 if self.operator.rows else self.operator.inputs + 1
        return self.elements() * tensors * np.dtype(TYPES[self.type]).itemsize


def node(op, inputs, output="y", **attributes):
    return helper.make_node(op, inputs.split(), [output], **attributes)


def one(op, **attributes):
    return lambda: [node(op, "x0", **attributes)]


def sigmoid_steps(inputs, out, scratch):
    np.negative(inputs[0], out=out)
    np.exp(out, out=out)
    np.add(out, 1, out=out)
    np.reciprocal(out, out=out)


def swish_steps(inputs, out, scratch):
    np.negative(inputs[0], out=out)
    np.exp(out, out=out)
    np.add(out, 1, out=out)
    np.divide(inputs[0], out, out=out)


def add_relu_steps(inputs, out, scratch):
    np.add(inputs[0], inputs[1], out=out)
    np.maximum(out, 0, out=out)


def softmax_steps(inputs, out, scratch):
    np.max(inputs[0], axis=-1, keepdims=True, out=scratch)
    np.subtract(inputs[0], scratch, out=out)
    np.exp(out, out=out)
    np.sum(out, axis=-1, keepdims=True, out=scratch)
    np.divide(out, scratch, out=out)


def softmax_answer(x):
    power = np.exp(x - x.max(axis=-1, keepdims=True))
    return power / power.sum(axis=-1, keepdims=True)


def rms_factor(out, scratch):
    """Computes 1 / sqrt(mean + epsilon) of the squares in `out` into `scratch`."""
    np.mean(out, axis=-1, keepdims=True, out=scratch)
    np.add(scratch, 1e-5, out=scratch)
    np.sqrt(scratch, out=scratch)
    np.reciprocal(scratch, out=scratch)


def layer_norm_steps(inputs, out, scratch):
    x, gamma, beta = inputs
    np.mean(x, axis=-1, keepdims=True, out=scratch)
    mean = scratch.copy()
    np.subtract(x, mean, out=out)
    np.multiply(out, out, out=out)
    rms_factor(out, scratch)
    np.subtract(x, mean, out=out)
    np.multiply(out, scratch, out=out)
    np.multiply(out, gamma, out=out)
    np.add(out, beta, out=out)


def layer_norm_answer(x, gamma, beta):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5) * gamma + beta


def rms_norm_steps(inputs, out, scratch):
    np.multiply(inputs[0], inputs[0], out=out)
    rms_factor(out, scratch)
    np.multiply(inputs[0], scratch, out=out)
    np.multiply(out, inputs[1], out=out)


def rms_norm_answer(x, gamma):
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5) * gamma


def ufunc(function):
    return lambda inputs, out, scratch: function(*inputs, out=out)


def gelu_answer(x):
    return x / 2 * (1 + special.erf(x / math.sqrt(2)))


ELEMENTWISE = [
    Operator("add_relu", 2, add_relu_steps, lambda a, b: np.maximum(a + b, 0),
             lambda: [node("Add", "x0 x1", "sum"), node("Relu", "sum")]),
    Operator("add", 2, ufunc(np.add), lambda a, b: a + b, lambda: [node("Add", "x0 x1")]),
    Operator("mul", 2, ufunc(np.multiply), lambda a, b: a * b, lambda: [node("Mul", "x0 x1")]),
    Operator("relu", 1, lambda i, out, s: np.maximum(i[0], 0, out=out), lambda x: np.maximum(x, 0), one("Relu")),
    Operator("sqrt", 1, ufunc(np.sqrt), np.sqrt, one("Sqrt")),
    Operator("exp", 1, ufunc(np.exp), np.exp, one("Exp")),
    Operator("sigmoid", 1, sigmoid_steps, lambda x: 1 / (1 + np.exp(-x)), one("Sigmoid")),
    Operator("tanh", 1, ufunc(np.tanh), np.tanh, one("Tanh")),
    # NumPy has no erf.
    Operator("erf", 1, None, special.erf, one("Erf")),
    Operator("gelu", 1, None, gelu_answer, one("Gelu"), opset=20),
    Operator("swish", 1, swish_steps, lambda x: x / (1 + np.exp(-x)),
             lambda: [node("Sigmoid", "x0", "gate"), node("Mul", "x0 gate")]),
    Operator("hard_swish", 1, None, lambda x: x * np.clip(x / 6 + 0.5, 0, 1), one("HardSwish"), opset=14),
    Operator("mish", 1, None, lambda x: x * np.tanh(np.logaddexp(0, x)), one("Mish"), opset=18),
    Operator("sin", 1, ufunc(np.sin), np.sin, one("Sin")),
]
OF_ROWS = [
    Operator("softmax", 1, softmax_steps, softmax_answer, one("Softmax", axis=-1), rows=True),
    Operator("layer_norm", 3, layer_norm_steps, layer_norm_answer,
             lambda: [node("LayerNormalization", "x0 x1 x2", axis=-1, epsilon=1e-5)], rows=True),
    Operator("rms_norm", 2, rms_norm_steps, rms_norm_answer,
             lambda: [node("RMSNormalization", "x0 x1", axis=-1, epsilon=1e-5)], opset=23, rows=True),
    Operator("reduce_sum", 1, lambda i, out, s: np.sum(i[0], axis=-1, keepdims=True, out=out),
             lambda x: x.sum(axis=-1, keepdims=True),
             lambda: [node("ReduceSum", "x0 axes", keepdims=1)], rows=True, reduces=True,
             attributes={"axes": "[-1]", "keepdims": "true"}),
]
# Elementwise, with an operand that is broadcast to each row.
WITH_ROW = [
    Operator("bias_gelu", 2, None, lambda x, bias: gelu_answer(x + bias),
             lambda: [node("Add", "x0 x1", "sum"), node("Gelu", "sum")], opset=20, rows=True),
    Operator("add_row", 2, ufunc(np.add), lambda a, b: a + b, lambda: [node("Add", "x0 x1")], rows=True, folder="add"),
]


def sum_over(name, axis):
    return Operator(name, 1, lambda i, out, s: np.sum(i[0], axis=axis, keepdims=True, out=out),
                    lambda x: x.sum(axis=axis, keepdims=True), lambda: [node("ReduceSum", "x0 axes", keepdims=1)],
                    reduces=True, axis=axis, attributes={"axes": f"[{axis}]", "keepdims": "true"}, folder="reduce_sum")


ARG_MAX = Operator("arg_max", 1, lambda i, out, s: np.copyto(out, np.argmax(i[0], axis=-1, keepdims=True), "same_kind"),
                   lambda x: np.argmax(x, axis=-1, keepdims=True),
                   lambda: [node("ArgMax", "x0", "at", axis=-1), node("Cast", "at", to=TensorProto.INT32)],
                   rows=True, reduces=True, positions=True)
OF_AXES = [sum_over("reduce_first", 0), sum_over("reduce_middle", 1), sum_over("reduce_last", 1)]
AXES = {"reduce_first": ((1024, 1000), (4096, 1023)), "reduce_middle": ((64, 128, 256), (32, 77, 771)),
        "reduce_last": ((4096, 1023), (30000, 300))}
LINES = ((4096, 4096), (64, 262144), (16384, 1000), (1024, 1024), (3001, 772))
TRANSPOSE = Operator("transpose", 1, lambda i, out, s: np.copyto(out, i[0].T), lambda x: x.T,
                     one("Transpose", perm=[1, 0]), turns=True, folder="matrix_transpose")
TURNED = ((1000, 3000), (4096, 4096))
MOVED = [Operator(name, len(one.inputs(one.shapes[0])), None, None, None, opset=one.opset, folder=one.folder, moves=one)
         for name, one in MOVEMENTS.items()]


def product_of(order):
    """A matrix product; a letter t is a transposed operand."""
    def turned(arrays):
        return [array.T if letter == "t" else array for letter, array in zip(order, arrays)]

    name = "mat_mul" if order == "nn" else f"mat_mul_{order}"
    attributes = {"transA": int(order[0] == "t"), "transB": int(order[1] == "t")}
    return Operator(name, 2, lambda i, out, s: np.matmul(*turned(i), out=out), lambda a, b: np.matmul(*turned((a, b))),
                    lambda: [node("MatMul", "x0 x1") if order == "nn" else node("Gemm", "x0 x1", **attributes)],
                    product=order)


def product_shapes(case):
    """The shapes of both operands in memory."""
    *batch, m, n, k = case.shape
    shapes = [(m, k), (k, n)]
    return [(*batch, *(shape[::-1] if letter == "t" else shape)) for letter, shape in zip(case.operator.product, shapes)]


PRODUCTS = [product_of(order) for order in ("nn", "nt", "tn", "tt")]
BATCHES = dataclasses.replace(PRODUCTS[0], name="batch_mat_mul")
# A layer whose weights are constants, in both orders.
PACKED = [dataclasses.replace(op, name=op.name.replace("mat_mul", "packed_mat_mul"), folder=op.name, constants=1)
          for op in PRODUCTS[:2]]
# Of int8 into int32, as it is and with weights.
OF_BYTES = [Operator("mat_mul_integer", 2, None, lambda a, b: a @ b, lambda: [node("MatMulInteger", "x0 x1")], product="nn")]
OF_BYTES += [dataclasses.replace(OF_BYTES[0], name="packed_mat_mul_integer", folder="mat_mul_integer", constants=1)]
CONV = Operator("packed_conv2d", 3, None, None, None, conv=True, constants=2, folder="conv2d")
SQUARES = tuple((n, n, n) for n in (64, 128, 256, 384, 512, 1024, 2048))
LAYERS = ((128, 768, 768), (128, 3072, 768), (128, 768, 3072))  # of BERT
HEADS = ((12, 128, 128, 64), (12, 128, 64, 128))  # of BERT's attention: the scores and the weighted values
ODD_PRODUCTS = ((127, 129, 131), (197, 768, 768), (1009, 386, 770), (50, 333, 1000))
FEW_ROWS = ((32, 3072, 768), (8, 3072, 768), (4, 4096, 4096))
# Of ResNet-50, YOLOv3 and MobileNet: 1 x 1 and 3 x 3 windows, some with a stride, and depthwise ones.
CONVOLUTIONS = ((64, 56, 64, 3, 1, 1), (256, 56, 64, 1, 1, 1), (256, 56, 128, 1, 2, 1), (128, 28, 128, 3, 1, 1),
                (256, 14, 256, 3, 1, 1), (512, 7, 512, 3, 1, 1), (3, 224, 64, 7, 2, 1), (128, 52, 256, 3, 1, 1),
                (256, 26, 512, 3, 1, 1))
DEPTHWISE = ((32, 112, 32, 3, 1, 32), (128, 56, 128, 3, 1, 128), (256, 28, 256, 3, 1, 256), (512, 14, 512, 3, 1, 512),
             (512, 7, 512, 3, 1, 512), (256, 28, 256, 3, 2, 256))
VECTORS = ((1, 3072, 768), (1, 4096, 4096))  # one row: the weights are read once
OPERATORS = {operator.name: operator for operator in
             ELEMENTWISE + OF_ROWS + WITH_ROW + OF_AXES + [ARG_MAX] + MOVED + [TRANSPOSE, CONV, BATCHES] + PRODUCTS + PACKED + OF_BYTES}


def cases():
    """Every case of a full run."""
    found = [Case(op, (n,)) for n in SIZES for op in ELEMENTWISE]
    found += [Case(op, (n,), threads=2) for n in SIZES[2:4] for op in ELEMENTWISE]
    found += [Case(OPERATORS[name], (SIZES[4],), threads=2) for name in ("add_relu", "swish")]
    found += [Case(op, shape, threads=threads) for threads in (1, 2) for shape in ROWS for op in OF_ROWS]
    found += [Case(OPERATORS[name], (n,)) for name, sizes in ODD_SIZES.items() for n in sizes]
    found += [Case(OPERATORS[name], shape) for name, shapes in ODD_ROWS.items() for shape in shapes]
    found += [Case(OPERATORS[name], (n,), "f16") for n in SIZES[1:4] for name in ("add_relu", "swish")]
    found += [Case(OPERATORS[name], (1024, 1000), "f16") for name in ("softmax", "layer_norm")]
    found += [Case(op, shape, type) for type in TYPES for op in OF_AXES for shape in AXES[op.name]]
    found += [Case(ARG_MAX, shape, type) for type in TYPES for shape in LINES]
    found += [Case(PRODUCTS[0], shape) for shape in SQUARES + LAYERS + ODD_PRODUCTS + VECTORS]
    found += [Case(op, shape) for op in PRODUCTS[1:] for shape in (SQUARES[5], LAYERS[0], ODD_PRODUCTS[0])]
    found += [Case(PRODUCTS[0], shape, "f16") for shape in (*SQUARES[2:6:3], LAYERS[0], *VECTORS)]
    found += [Case(PRODUCTS[0], shape, threads=2) for shape in (*SQUARES[2:6], LAYERS[1])]
    found += [Case(BATCHES, shape, threads=threads) for threads in (1, 2) for shape in HEADS]
    found += [Case(PACKED[0], shape) for shape in (SQUARES[6], *LAYERS, *FEW_ROWS, *ODD_PRODUCTS[1:], *VECTORS)]
    found += [Case(PACKED[1], shape) for shape in (LAYERS[1], FEW_ROWS[0])]
    found += [Case(PACKED[0], shape, threads=2) for shape in (SQUARES[6], LAYERS[1])]
    found += [Case(OF_BYTES[0], shape, "s8") for shape in (*SQUARES[2:6], *LAYERS, *ODD_PRODUCTS[:3], *VECTORS)]
    found += [Case(OF_BYTES[0], shape, "u8") for shape in (SQUARES[5], LAYERS[0])]
    found += [Case(OF_BYTES[1], shape, type) for type in BYTES for shape in (*LAYERS, *FEW_ROWS[1:], *VECTORS)]
    found += [Case(CONV, shape) for shape in CONVOLUTIONS + DEPTHWISE]
    found += [Case(CONV, shape, threads=2) for shape in (CONVOLUTIONS[0], CONVOLUTIONS[4])]
    found += [Case(TRANSPOSE, shape, type, threads) for threads in (1, 2) for type in TYPES for shape in TURNED]
    found += [Case(op, shape, type) for op in MOVED for type in op.moves.types for shape in op.moves.shapes]
    return found


# A few cases of each kind, for a quick run or a test of the bench.
def quick_cases():
    found = [Case(OPERATORS[name], (n,)) for n in SIZES[:4] for name in ("add_relu", "relu", "exp", "swish")]
    found += [Case(OPERATORS["swish"], (SIZES[2],), threads=2), Case(OPERATORS["add_relu"], (SIZES[1],), "f16")]
    found += [Case(OPERATORS["sigmoid"], (n,)) for n in ODD_SIZES["sigmoid"]]
    found += [Case(op, shape) for shape in ROWS for op in OF_ROWS]
    found += [Case(PRODUCTS[0], shape) for shape in (SQUARES[2], LAYERS[0], ODD_PRODUCTS[0], VECTORS[0])]
    found += [Case(BATCHES, shape) for shape in HEADS]
    found += [Case(PACKED[0], shape) for shape in (*LAYERS, *FEW_ROWS, VECTORS[0])]
    found += [Case(op, LAYERS[0], "u8") for op in OF_BYTES]
    found += [Case(CONV, shape) for shape in (*CONVOLUTIONS[:2], *CONVOLUTIONS[4:6], *DEPTHWISE)]
    return found


def shapes_of(case):
    """The shapes of all inputs."""
    operator = case.operator
    if operator.moves:
        return operator.moves.inputs(case.shape)
    if operator.product:
        return product_shapes(case)
    if operator.conv:
        channels, size, filters, window, _, groups = case.shape
        return [(1, channels, size, size), (filters, channels // groups, window, window), (filters,)]
    return [case.shape] + [case.shape[-1:] if operator.rows else case.shape] * (operator.inputs - 1)


def moving(case, arrays):
    """What a model's caller gives of all inputs: those that are no weights."""
    return arrays[:len(arrays) - case.operator.constants]


def inputs_of(case, allocate):
    """Arrays of a case from a fixed seed; values between -4 and 4 (above 0 for sqrt), scales near 1."""
    random = np.random.default_rng(310)
    operator, arrays = case.operator, []
    for index, shape in enumerate(shapes_of(case)):
        dtype = case.operand(index)
        array = allocate(shape, dtype)
        vector = operator.rows and index > 0
        low, high = (0.5, 1.5) if vector else (0.0, 4.0) if operator.name == "sqrt" else (-4.0, 4.0)
        # Draw the values of one period and repeat them: drawing 64M numbers would take longer than measuring.
        period = random.uniform(low, high, 65521).astype(dtype)
        if dtype == np.int64:
            period = random.integers(0, operator.moves.indices(case.shape), 65521)
        elif case.type in BYTES:
            period = random.integers(np.iinfo(dtype).min, np.iinfo(dtype).max + 1, 65521).astype(dtype)
        flat = array.reshape(-1)
        for start in range(0, flat.size, period.size):
            flat[start:start + period.size] = period[:flat.size - start]
        arrays.append(array)
    return arrays


def as_floats(array):
    """The bytes of an array as float32, but for some at its end, for loops that move them."""
    flat = array.reshape(-1).view(np.uint8)
    return flat[:flat.size // 4 * 4].view(np.float32)


def output_shape(case):
    if case.operator.moves:
        return case.operator.moves.output(case.shape)
    if case.operator.turns:
        return case.shape[::-1]
    if case.operator.product:
        return case.shape[:-1]
    if case.operator.conv:
        _, size, filters, window, stride, _ = case.shape
        out = (size + 2 * (window // 2) - window) // stride + 1
        return (1, filters, out, out)
    axis = case.operator.axis % len(case.shape)
    return tuple(1 if case.operator.reduces and at == axis else size for at, size in enumerate(case.shape))


def wrong_product(case, inputs, output):
    """Likewise of a matrix product: some rows of it, in proportion to the sum of all magnitudes."""
    m, k = case.shape[-3], case.shape[-1]
    rows = np.unique(np.r_[0, m // 2, m - 1])
    a, b = [(np.swapaxes(array, -1, -2) if letter == "t" else array).astype(np.float64)
            for letter, array in zip(case.operator.product, inputs)]
    a = a[..., rows, :]
    expected, found = a @ b, output[..., rows, :].astype(np.float64)
    bound = (2e-3 if case.type == "f16" else 0) * np.abs(expected) + k * 2.0**-24 * (np.abs(a) @ np.abs(b))
    bad = found != expected if case.type in BYTES else ~(np.abs(found - expected) <= bound + 1e-6)
    if not bad.any():
        return None
    *batch, row, column = map(int, np.argwhere(bad)[0])
    at = (*batch, row, column)
    return f"element {[*batch, int(rows[row]), column]} is {found[at]:.7g}, expected {expected[at]:.7g}"


def wrong_convolution(case, inputs, output):
    """Likewise of a convolution: the first and the last filter."""
    x, weights, bias = [array.astype(np.float64) for array in inputs]
    channels, _, filters, window, stride, groups = case.shape
    pad, of_group = window // 2, channels // groups
    for number in (0, filters - 1):
        first = number // (filters // groups) * of_group
        planes = np.pad(x[0, first:first + of_group], ((0, 0), (pad, pad), (pad, pad)))
        windows = np.lib.stride_tricks.sliding_window_view(planes, (window, window), (1, 2))[:, ::stride, ::stride]
        expected = np.einsum("chwij,cij->hw", windows, weights[number]) + bias[number]
        sums = np.einsum("chwij,cij->hw", np.abs(windows), np.abs(weights[number])) + np.abs(bias[number])
        found = output[0, number].astype(np.float64)
        bad = ~(np.abs(found - expected) <= of_group * window**2 * 2.0**-24 * sums + 1e-6)
        if bad.any():
            at = tuple(np.argwhere(bad)[0])
            return f"element {[0, number, *map(int, at)]} is {found[at]:.7g}, expected {expected[at]:.7g}"
    return None


def wrong_movement(case, inputs, output):
    """Likewise of a movement, all of it: equal elements, or for sums and means a difference of float32."""
    moves = case.operator.moves
    given = inputs if moves.exact else [inputs[0].astype(np.float64)]
    expected = moves.answer(case.shape, *given)
    bound = 0 if moves.exact else 1e-4 * np.maximum(np.abs(expected), 4)
    bad = ~(np.abs(output.astype(np.float64) - expected) <= bound)
    if not bad.any():
        return None
    at = tuple(np.argwhere(bad)[0])
    return f"element {[*map(int, at)]} is {output[at]:.7g}, expected {expected[at]:.7g}"


def wrong(case, inputs, output):
    """Compares the first 4096 elements of an output (for rows: its first rows and the last one) with float64, with
    the tolerance of float32 (float16) sums and functions; where another axis is reduced, or dimensions are in another
    order, all of it. Returns the difference, or None."""
    if case.operator.moves:
        return wrong_movement(case, inputs, output)
    if case.operator.product:
        return wrong_product(case, inputs, output)
    if case.operator.conv:
        return wrong_convolution(case, inputs, output)
    pick = slice(None)
    if case.operator.turns or case.operator.axis >= 0:
        arrays = inputs
    elif case.operator.rows:
        count = max(1, 4096 // case.shape[-1])
        pick = np.r_[:count, case.shape[0] - 1]
        arrays = [inputs[0][pick], *inputs[1:]]
    else:
        pick = np.r_[:min(4096, case.shape[0]), case.shape[0] - 1]
        arrays = [array[pick] for array in inputs]
    expected = case.operator.answer(*[array.astype(np.float64) for array in arrays])
    found = output[pick].astype(np.float64)
    scale = np.abs(arrays[0].astype(np.float64)).sum(axis=case.operator.axis, keepdims=True) if case.operator.reduces else 1.0
    bound = (4e-3 if case.type == "f16" else 2e-5) * np.maximum(np.abs(expected), scale) * (not case.operator.positions)
    bad = ~(np.abs(found - expected) <= bound)
    if not bad.any():
        return None
    at = np.argwhere(bad)[0]
    place = at.tolist() if isinstance(pick, slice) else [int(pick[at[0]]), *at[1:].tolist()]
    return f"element {place} is {found[tuple(at)]:.7g}, expected {expected[tuple(at)]:.7g}"


def conv_nodes(case):
    _, _, _, window, stride, groups = case.shape
    return [node("Conv", "x0 x1 x2", kernel_shape=[window] * 2, pads=[window // 2] * 4, strides=[stride] * 2, group=groups)]


def onnx_model(case, inputs=None):
    """The bytes of a model for the case's shape, from x0, x1, ... to y. Weights are those of `inputs`."""
    operator = case.operator
    def info(name, dtype, shape):
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)

    values = [info(f"x{i}", case.operand(i), shape) for i, shape in enumerate(moving(case, shapes_of(case)))]
    y = info("y", case.result(), output_shape(case))
    if operator.moves:
        nodes, axes = operator.moves.nodes(case.shape)
        more = [info("second", np.int64, operator.moves.second(case.shape))] if operator.moves.second else []
        graph = helper.make_graph(nodes, operator.name, values, [y, *more], axes)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", operator.opset)],
                                 ir_version=10).SerializeToString()
    nodes = conv_nodes(case) if operator.conv else operator.nodes()
    axes = [numpy_helper.from_array(np.array([operator.axis]), "axes")] if operator.reduces and not operator.positions else []
    weights = [numpy_helper.from_array(inputs[i], f"x{i}") for i in range(len(values), operator.inputs)]
    graph = helper.make_graph(nodes, operator.name, values, [y], axes + weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", operator.opset)],
                             ir_version=10).SerializeToString()
