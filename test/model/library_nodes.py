"""Nodes for random_graphs.py: one function for each operator that a contract of the library has a form for.

A maker adds a node of its operator to a graph, with operands that it has or that the maker adds, or returns False where no value
has a shape for it.
"""

import re

import numpy as np
from onnx import helper

# Of one value, and of two, of any shape: no attributes, any number as operand, a result of about its size.
UNARY = """Abs Neg Relu Sigmoid Tanh Erf Cos Sin Celu Elu Gelu HardSigmoid HardSwish LeakyRelu Mish Selu Shrink Softplus Softsign Swish
ThresholdedRelu""".split()
BINARY = ["Add", "Sub", "Mul"]
OF_ANY_NUMBER = ["Max", "Min", "Mean", "Sum"]
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


def unary(graph, operator):
    name, shape = graph.pick()
    graph.add(operator, [name], shape)


def binary(graph, operator):
    name, shape = graph.pick()
    graph.add(operator, [name, graph.pick(lambda other: other == shape)[0]], shape)


def of_any_number(graph, operator):
    """One operand, several, and more than a contract takes; some broadcast."""
    name, shape = graph.pick()
    operands = [name] + [graph.pick(lambda other: other == shape)[0] for _ in range(int(graph.rng.choice([0, 1, 2, 4, 16])))]
    if shape and len(operands) > 1 and graph.rng.integers(0, 2):
        operands[1] = graph.floats(shape[-1])
    graph.add(operator, operands, shape)


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
    axis = int(graph.rng.integers(0, len(shape)))
    weights = [graph.floats(*shape[axis:]) for _ in range(int(graph.rng.integers(1, 3)) if operator == "LayerNormalization" else 1)]
    graph.add(operator, [name, *weights], shape, axis=axis - len(shape) if graph.rng.integers(0, 2) else axis, epsilon=1e-3)
    return True


def by_norm(graph, operator):
    name, shape = graph.pick()
    if not shape:
        return False
    # Away from zeros, around which one bit of an operand decides.
    operand = graph.node("Add", [graph.node("Abs", [name]), graph.weight(np.float32(0.5))])
    graph.add(operator, [operand], shape, axis=int(graph.rng.integers(-len(shape), len(shape))), p=int(graph.rng.integers(1, 3)))
    return True


def standardised(graph, operator):
    picked = graph.pick(lambda shape: np.prod(shape) > 1)
    if not picked:
        return False
    name, shape = picked
    axes = {int(i) for i in graph.rng.integers(0, len(shape), int(graph.rng.integers(1, 3)))} | {int(np.argmax(shape))}
    # Numbers that differ: ONNX Runtime makes NaN of equal ones, and of nearly equal ones one bit decides.
    operand = graph.node("Add", [graph.node("Tanh", [name]), graph.floats(*shape)])
    graph.add(operator, [operand], shape, axes=sorted(axes))
    return True


def gemm(graph, operator):
    picked = graph.pick(lambda shape: len(shape) == 2)
    if not picked:
        return False
    name, (rows, inner) = picked
    turned, columns = int(graph.rng.integers(0, 2)), int(graph.rng.integers(1, 24))
    matrix = graph.floats(*((columns, inner) if turned else (inner, columns)), scale=inner**-0.5)
    more = [graph.floats(columns)] if graph.rng.integers(0, 2) else []
    graph.add("Gemm", [name, matrix, *more], [rows, columns], transB=turned)
    return True


def losses(graph, operator):
    picked = graph.pick(lambda shape: len(shape) >= 2)
    if not picked:
        return False
    name, shape = picked
    made = [shape[0], *shape[2:]]
    labels = graph.rng.integers(0, shape[1], made).astype(np.int64 if graph.rng.integers(0, 2) else np.int32)
    form = {"reduction": str(graph.rng.choice(["none", "sum", "mean"]))}
    if graph.rng.integers(0, 2):  # some labels, of which one at least is left
        form["ignore_index"] = int(graph.rng.choice([-7, shape[1] + 3]))
        labels.flat[1:] = np.where(graph.rng.random(labels.size - 1) < 0.3, form["ignore_index"], labels.flat[1:])
    weights = [graph.weight(graph.rng.uniform(0.5, 1.5, shape[1]).astype(np.float32))] if graph.rng.integers(0, 2) else []
    operands = [name, graph.weight(labels), *weights]
    if form["reduction"] == "none":
        graph.add(operator, operands, made, **form)
    else:
        graph.add("Reshape", [graph.node(operator, operands, **form), graph.weight(np.array([1], dtype=np.int64))], [1])
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


def running(graph, operator):
    name, shape = graph.pick()
    if not shape:
        return False
    axis = graph.weight(np.array(graph.rng.integers(-len(shape), len(shape)), dtype=np.int64))
    graph.add(operator, [name, axis], shape, exclusive=int(graph.rng.integers(0, 2)), reverse=int(graph.rng.integers(0, 2)))
    return True


def top_k(graph, operator):
    """Values; places of equal elements, which operands that differ in their last bit are not, are what other operands say."""
    name, shape = graph.pick()
    if not shape:
        return False
    axis = int(graph.rng.integers(0, len(shape)))
    k = int(graph.rng.integers(1, shape[axis] + 1))
    made = [k if i == axis else size for i, size in enumerate(shape)]
    results = [f"v{len(graph.nodes)}", f"v{len(graph.nodes)}b"]
    graph.nodes.append(helper.make_node(operator, [name, graph.weight(np.array([k], dtype=np.int64))], results,
                                        name=f"{operator}_{len(graph.nodes)}", axis=axis, largest=int(graph.rng.integers(0, 2))))
    graph.values.append((results[0], made))
    return True


def scattered(graph, operator):
    name, shape = graph.pick()
    if not shape:
        return False
    axis = int(graph.rng.integers(0, len(shape))) if operator == "ScatterElements" else 0
    count = int(graph.rng.integers(1, 6))
    made = [count if i == axis else size for i, size in enumerate(shape)]
    if operator == "ScatterElements":
        index = graph.rng.integers(-shape[axis], shape[axis], made)
    else:
        depth = int(graph.rng.integers(1, len(shape) + 1))
        made = [count, *shape[depth:]]
        # Of two updates of one place the last counts for opc, and ONNX leaves it open.
        flat = graph.rng.permutation(int(np.prod(shape[:depth])))[:count]
        made[0] = len(flat)
        index = np.stack(np.unravel_index(flat, shape[:depth]), axis=-1)
        index = np.where(graph.rng.random(index.shape) < 0.3, index - np.array(shape[:depth]), index)
    form = {"reduction": str(graph.rng.choice(["none", "add", "mul", "max", "min"]))}
    if operator == "ScatterElements":
        form["axis"] = axis
    graph.add(operator, [name, graph.weight(index.astype(np.int64)), graph.floats(*made)], shape, **form)
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
    filters = graph.floats(outer, channels // groups, *kernel, scale=(channels * kernel[0] * kernel[1]) ** -0.5)
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
    if graph.rng.random() < 0.5:
        return reflected(graph, operator, name, shape)
    pads = [int(each) for each in graph.rng.integers(0, 3, 4)]
    made = [*shape[:2], shape[2] + pads[0] + pads[2], shape[3] + pads[1] + pads[3]]
    ends = graph.weight(np.array([0, 0, *pads[:2], 0, 0, *pads[2:]], dtype=np.int64))
    graph.add("Pad", [name, ends, graph.weight(np.float32(graph.number()))], made)


def resized(graph, operator, name, shape):
    if graph.rng.random() < 0.5:
        return reflected(graph, operator, name, shape)
    scales = graph.weight(np.array([1, 1, 2, 2], dtype=np.float32))
    graph.add("Resize", [name, "", scales], [*shape[:2], shape[2] * 2, shape[3] * 2], mode="nearest", nearest_mode="floor",
              coordinate_transformation_mode="asymmetric")


def reflected(graph, operator, name, shape):
    """Borders of elements of the operand, or planes of another size between its elements."""
    if graph.rng.random() < 0.5:
        mode = ["edge", "reflect"][int(graph.rng.integers(0, 2))]
        most = 3 if mode == "edge" else min(shape[2:])
        pads = [int(each) for each in graph.rng.integers(0, max(most, 1), 4)]
        ends = graph.weight(np.array([0, 0, *pads[:2], 0, 0, *pads[2:]], dtype=np.int64))
        return graph.add("Pad", [name, ends], [*shape[:2], shape[2] + pads[0] + pads[2], shape[3] + pads[1] + pads[3]], mode=mode)
    made = [*shape[:2], *(int(each) for each in graph.rng.integers(2, 8, 2))]
    return graph.add("Resize", [name, "", "", graph.weight(np.array(made, dtype=np.int64))], made, mode="linear",
              coordinate_transformation_mode=["half_pixel", "asymmetric", "align_corners"][int(graph.rng.integers(0, 3))])


def at_pairs(graph, operator):
    picked = graph.pick(lambda shape: len(shape) >= 2)
    if not picked:
        return False
    name, shape = picked
    batches = int(graph.rng.integers(0, len(shape)))
    count = int(graph.rng.integers(1, len(shape) - batches + 1))
    found = [*shape[:batches], 2, 3]
    at = np.stack([graph.rng.integers(-size, size, found) for size in shape[batches : batches + count]], axis=-1)
    graph.add("GatherND", [name, graph.weight(at.astype(np.int64))], [*found, *shape[batches + count :]], batch_dims=batches)
    return True


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


def transposed_convolution(graph, operator, name, shape):
    _, inner, *sizes = shape
    if np.prod(shape) > 300:
        return False
    groups = int(graph.rng.choice([1, inner]))
    outer = int(graph.rng.integers(1, 4))
    kernel, strides, dilations = ([int(each) for each in graph.rng.integers(1, most, 2)] for most in (4, 4, 3))
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    pads = [int(graph.rng.integers(0, each)) for each in (*reach, *reach)]
    more = [int(graph.rng.integers(0, each)) for each in strides]
    made = [s * (size - 1) + m + r - a - b for s, size, m, r, a, b in zip(strides, sizes, more, reach, pads[:2], pads[2:])]
    if min(made) < 1:
        return False
    filters = graph.floats(inner, outer, *kernel, scale=(inner * kernel[0] * kernel[1]) ** -0.5)
    bias = [graph.floats(outer * groups)] if graph.rng.integers(0, 2) else []
    graph.add("ConvTranspose", [name, filters, *bias], [1, outer * groups, *made], strides=strides, dilations=dilations, pads=pads,
              output_padding=more, group=groups)
    return True


def volume(graph, operator):
    """Windows over volumes, or over rows that lie far apart."""
    picked = graph.image()
    if picked is None:
        return False
    name, shape = picked
    cube = [1, 1, *shape[1:]]
    name = graph.node("Reshape", [name, graph.weight(np.array(cube, dtype=np.int64))])
    kernel = [int(graph.rng.integers(1, min(3, size) + 1)) for size in cube[2:]]
    strides = [int(each) for each in graph.rng.integers(1, 3, 3)]
    pads = [int(graph.rng.integers(0, (k + 1) // 2)) for k in (*kernel, *kernel)]
    made = [(size + a + b - k) // s + 1 for size, a, b, k, s in zip(cube[2:], pads[:3], pads[3:], kernel, strides)]
    windows = {"kernel_shape": kernel, "strides": strides, "pads": pads}
    if operator == "Conv of volumes":
        outer = int(graph.rng.integers(1, 4))
        filters = graph.floats(outer, 1, *kernel, scale=float(np.prod(kernel)) ** -0.5)
        graph.add("Conv", [name, filters, graph.floats(outer)], [1, outer, *made], **windows)
    elif operator == "MaxPool of volumes":
        graph.add("MaxPool", [name], [1, 1, *made], **windows)
    else:
        graph.add("AveragePool", [name], [1, 1, *made], count_include_pad=int(graph.rng.integers(0, 2)), **windows)
    return True


def far_windows(graph, operator):
    name, shape = graph.pick()
    flat = int(np.prod(shape))
    if flat < 80:
        return False
    row = graph.node("Reshape", [name, graph.weight(np.array([1, 1, flat], dtype=np.int64))])
    graph.add("Conv", [row, graph.floats(3, 1, 9, scale=1 / 3), graph.floats(3)], [1, 3, (flat + 2 - 9) // 70 + 1], strides=[70], pads=[0, 2])
    return True


def curved(graph, operator, name, shape):
    """Planes of another size by cubic curves, or smoothed."""
    made = [*shape[:2], *(int(each) for each in graph.rng.integers(1, 9, 2))]
    sizes = graph.weight(np.array(made, dtype=np.int64))
    smooth = int(graph.rng.integers(0, 2))
    words = ["half_pixel"] if smooth else ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
    graph.add("Resize", [name, "", "", sizes], made, mode="linear" if smooth and graph.rng.integers(0, 2) else "cubic", antialias=smooth,
              coordinate_transformation_mode=words[int(graph.rng.integers(0, len(words)))])


def recurrent(graph, operator):
    picked = graph.pick(lambda shape: 4 <= np.prod(shape) <= 600 and np.prod(shape) % 2 == 0)
    if not picked:
        return False
    name, shape = picked
    flat = int(np.prod(shape))
    steps, batch = next(each for each in ((6, 2), (3, 2), (1, 2)) if flat % (each[0] * each[1]) == 0)
    inputs, hidden = flat // steps // batch, int(graph.rng.integers(1, 9))
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[operator]
    direction = ["forward", "reverse", "bidirectional"][int(graph.rng.integers(0, 3))]
    both = 2 if direction == "bidirectional" else 1
    sequence = graph.node("Reshape", [name, graph.weight(np.array([steps, batch, inputs], dtype=np.int64))])
    operands = [sequence, graph.floats(both, gates * hidden, inputs, scale=inputs**-0.5), graph.floats(both, gates * hidden, hidden, scale=hidden**-0.5)]
    if graph.rng.integers(0, 2):
        operands += [graph.floats(both, 2 * gates * hidden), "", graph.floats(both, batch, hidden)]
    more = {"linear_before_reset": int(graph.rng.integers(0, 2))} if operator == "GRU" else {}
    graph.add(operator, operands, [steps, both, batch, hidden], hidden_size=hidden, direction=direction, **more)
    return True


def summed(graph, operator):
    """An Einsum: letters in any order, of which each operand has some for itself."""
    picked = graph.pick(lambda shape: len(shape) >= 2 and np.prod(shape) <= 600)
    if not picked:
        return False
    name, shape = picked
    own = "abcd"[: len(shape)] if len(shape) <= 4 else None
    if own is None:
        return False
    sizes = {**dict(zip(own, shape)), "x": int(graph.rng.integers(1, 6)), "y": int(graph.rng.integers(1, 4))}
    shuffle = lambda letters: "".join(graph.rng.permutation(list(letters)))  # noqa: E731
    if graph.rng.integers(0, 4) == 0:
        made = shuffle(own)[: int(graph.rng.integers(0, len(own) + 1))]
        operands, equation = [name], f"{own}->{made}"
    else:
        shared = shuffle(own)[: int(graph.rng.integers(1, len(own) + 1))]
        other = shuffle(shared + "xy"[: int(graph.rng.integers(0, 3))])
        made = shuffle([each for each in dict.fromkeys(own + other) if graph.rng.integers(0, 4) != 0])
        operands, equation = [name, graph.floats(*(sizes[each] for each in other), scale=0.3)], f"{own},{other}->{made}"
    if not made:
        return False
    graph.add("Einsum", operands, [sizes[each] for each in made], equation=equation)
    return True


def between_channels(graph, operator, name, shape):
    graph.add("LRN", [name], shape, size=2 * int(graph.rng.integers(0, 3)) + 1, alpha=graph.number(0, 1), beta=graph.number(0.2, 1), bias=graph.number(0.5, 2))


def tiled_images(graph, operator, name, shape):
    if np.prod(shape) > 200:
        return False
    repeats = [int(each) for each in graph.rng.integers(1, 3, 4)]
    graph.add("Tile", [name, graph.weight(np.array(repeats, dtype=np.int64))], [a * b for a, b in zip(shape, repeats)])
    return True


# Operators without a contract, which become nodes of others: by names of their own.
PARTS = {"ConvTranspose": image_of(transposed_convolution), "Conv of volumes": volume, "MaxPool of volumes": volume,
         "AveragePool of volumes": volume, "far windows": far_windows, "curved": image_of(curved), "LSTM": recurrent, "GRU": recurrent,
         "RNN": recurrent, "Einsum": summed, "LRN": image_of(between_channels), "Tile of images": image_of(tiled_images), "NegativeLogLikelihoodLoss": losses}

MAKERS = {**PARTS, **dict.fromkeys(UNARY, unary), **dict.fromkeys(BINARY, binary), **dict.fromkeys(OF_ANY_NUMBER, of_any_number), **dict.fromkeys(STEPS, step_of),
          **dict.fromkeys(COMPARISONS, comparison), **dict.fromkeys(POSITIVE, positive), **dict.fromkeys(SMALL, small),
          **dict.fromkeys(REDUCTIONS, reduction), "Div": division, "Pow": power, "Softmax": of_rows, "LogSoftmax": of_rows,
          "LpNormalization": by_norm, "MeanVarianceNormalization": standardised, "Clip": clip, "PRelu": slopes, "Transpose": transpose, "LayerNormalization": normed, "RMSNormalization": normed, "Gemm": gemm,
          "Gather": gathered, "GatherElements": gathered, "Conv": image_of(convolution), "MaxPool": image_of(pool),
          "AveragePool": image_of(pool), "GlobalAveragePool": image_of(global_pool), "GlobalMaxPool": image_of(global_pool),
          "CumSum": running, "TopK": top_k, "ScatterElements": scattered, "ScatterND": scattered,
          "BatchNormalization": image_of(channels), "InstanceNormalization": image_of(channels), "GroupNormalization": image_of(channels),
          "Pad": image_of(padded), "Resize": image_of(resized), "GatherND": at_pairs, "DepthToSpace": to_space, "SpaceToDepth": to_space, "Tile": tiled,
          "Expand": expanded, "Split": halves, "Trilu": triangle, "SoftmaxCrossEntropyLoss": losses}
# Nodes that `step`, or the maker of another operator, makes; and what is no part of a chain of floats.
LEFT_OUT = {**dict.fromkeys(["MatMul", "Concat", "Slice"], "in `step`"),
            **dict.fromkeys(["Where", "Not", "And", "Or", "Xor"], "behind comparisons"),
            **dict.fromkeys(["ArgMax", "ArgMin", "Cast", "MatMulInteger", "EyeLike", "OneHot", "DequantizeLinear", "QuantizeLinear", "ReduceProd", "Mod", "IsInf",
                             "IsNaN"], "integers, or results that one bit of an operand decides"),
            **dict.fromkeys(["ResizeNearest2d", "ResizeLinear2d", "MatMulIntegerOffset"], "of our own domain, which other nodes become"),
            "BatchNormTraining": "of our own domain, which is for training",
            "CumProd": "of a later opset than these models have", "RotaryEmbedding": "of a later one", "Scatter": "of an earlier one", "GlobalLpPool": "ONNX Runtime has none of this opset"}


def operators_of(library):
    names = set()
    for file in sorted(library.glob("*/op_contract.yaml")):
        form = re.search(r"^onnx:\n((?: .*\n)+)", file.read_text(encoding="utf-8"), re.M)
        names |= set(re.findall(r"^  - operator: (\w+)", form.group(1), re.M)) if form else set()
    return names
