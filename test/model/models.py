"""Models for tests, made by seed: nothing of them is in a file of the tree."""

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper


def bert(layers=2, hidden=64, heads=4, inner=128, words=100, length=16, new=False, batch=1, most=16):
    """A BERT: LayerNormalization and Gelu as operators (opset 20), or spelled out (opset 13). With names for `batch` and
    `length` sizes are open and computed while it runs, as exporters have it; `most` is then the longest sequence."""
    rng = np.random.default_rng(0)
    nodes, weights = [], []

    def weight(name, *shape):
        weights.append(numpy_helper.from_array(rng.standard_normal(shape, dtype=np.float32) * np.float32(0.02), name))
        return name

    def constant(name, value, dtype=np.float32):
        weights.append(numpy_helper.from_array(np.array(value, dtype=dtype), name))
        return name

    def op(kind, *inputs, **attributes):
        result = f"v{len(nodes)}"
        nodes.append(helper.make_node(kind, list(inputs), [result], name=f"{kind}_{len(nodes)}", **attributes))
        return result

    def norm(x, name):
        gamma, beta = weight(name + ".gamma", hidden), weight(name + ".beta", hidden)
        if new:
            return op("LayerNormalization", x, gamma, beta, epsilon=1e-12)
        centred = op("Sub", x, op("ReduceMean", x, axes=[-1], keepdims=1))
        variance = op("ReduceMean", op("Pow", centred, "two"), axes=[-1], keepdims=1)
        return op("Add", op("Mul", op("Div", centred, op("Sqrt", op("Add", variance, "epsilon"))), gamma), beta)

    def dense(x, name, inputs, outputs):
        return op("Add", op("MatMul", x, weight(name + ".w", inputs, outputs)), weight(name + ".b", outputs))

    def gelu(x):
        if new:
            return op("Gelu", x)
        return op("Mul", op("Mul", x, op("Add", op("Erf", op("Div", x, "root")), "one")), "half")

    for name, value in (("two", 2.0), ("epsilon", 1e-12), ("root", 2**0.5), ("one", 1.0), ("half", 0.5), ("scale", 4.0)):
        constant(name, value)
    constant("far", -1e4)
    split, merge, places = "split", "merge", "places"
    if isinstance(length, str):
        for name, value in (("first", 0), ("second", 1), ("zero", [0]), ("axis", [1]), ("heads", [heads]), ("head", [hidden // heads]), ("hidden", [hidden])):
            constant(name, value, np.int64)
        sizes = [op("Unsqueeze", op("Gather", op("Shape", "ids"), place), "zero") for place in ("first", "second")]
        split = op("Concat", *sizes, "heads", "head", axis=0)
        merge = op("Concat", *sizes, "hidden", axis=0)
        places = op("Slice", weight("places", 1, most, hidden), "zero", sizes[1], "axis")
    else:
        constant("split", [batch, length, heads, hidden // heads], np.int64)
        constant("merge", [batch, length, hidden], np.int64)
    constant("axes", [1, 2], np.int64)
    mask = op("Mul", op("Sub", "one", op("Cast", op("Unsqueeze", "mask", "axes"), to=TensorProto.FLOAT)), "far")
    x = op("Add", op("Gather", weight("words", words, hidden), "ids"), places if isinstance(length, str) else weight("places", 1, length, hidden))
    x = norm(x, "start")
    for layer in range(layers):
        name = f"layer{layer}"
        query, key, value = (op("Reshape", dense(x, f"{name}.{part}", hidden, hidden), split) for part in "qkv")
        query, value = (op("Transpose", one, perm=[0, 2, 1, 3]) for one in (query, value))
        scores = op("Div", op("MatMul", query, op("Transpose", key, perm=[0, 2, 3, 1])), "scale")
        scores = op("Softmax", op("Add", scores, mask), axis=-1)
        mixed = op("Reshape", op("Transpose", op("MatMul", scores, value), perm=[0, 2, 1, 3]), merge)
        x = norm(op("Add", dense(mixed, f"{name}.o", hidden, hidden), x), f"{name}.one")
        x = norm(op("Add", dense(gelu(dense(x, f"{name}.up", hidden, inner)), f"{name}.down", inner, hidden), x), f"{name}.two")
    nodes.append(helper.make_node("Identity", [x], ["y"]))
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, [batch, length]) for name in ("ids", "mask")]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [batch, length, hidden])]
    graph = helper.make_graph(nodes, "bert", inputs, outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20 if new else 13)], ir_version=9, producer_name="models.py")


def floats(rng, name, *shape, scale=1.0):
    return numpy_helper.from_array(rng.standard_normal(shape, dtype=np.float32) * np.float32(scale), name)


def mlp(batch="N", sizes=(20, 33, 7)):
    """Linear layers as PyTorch exports them (Gemm with transB and a bias), Relu between, Softmax; the batch is a symbol."""
    rng = np.random.default_rng(1)
    nodes, weights, x = [], [], "x"
    for i, (inner, outer) in enumerate(zip(sizes, sizes[1:])):
        weights += [floats(rng, f"w{i}", outer, inner, scale=0.3), floats(rng, f"b{i}", outer)]
        nodes.append(helper.make_node("Gemm", [x, f"w{i}", f"b{i}"], [f"h{i}"], name=f"linear{i}", transB=1))
        x = f"h{i}"
        if i + 2 < len(sizes):
            nodes.append(helper.make_node("Relu", [x], [f"r{i}"], name=f"relu{i}"))
            x = f"r{i}"
    nodes.append(helper.make_node("Softmax", [x], ["y"], name="softmax", axis=-1))
    graph = helper.make_graph(nodes, "mlp", [value("x", shape=(batch, sizes[0]))], [value("y", shape=(batch, sizes[-1]))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def alike():
    """Constants that begin alike, and one that is the beginning of another."""
    long = np.arange(200, dtype=np.float32)
    other = long[:100].copy()
    other[99] = -1
    weights = [numpy_helper.from_array(array, name) for name, array in (("long", long), ("other", other), ("beginning", long[:100].copy()))]
    nodes = [helper.make_node("Add", ["x", "long"], ["a"]), helper.make_node("Split", ["a"], ["b", "c"], num_outputs=2, axis=1),
             helper.make_node("Add", ["b", "other"], ["d"]), helper.make_node("Mul", ["c", "beginning"], ["e"]), helper.make_node("Sub", ["d", "e"], ["y"])]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 200])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 100])]
    return helper.make_model(helper.make_graph(nodes, "alike", inputs, outputs, weights), opset_imports=[helper.make_opsetid("", 21)], ir_version=9, producer_name="models.py")


def convnet(images=2):
    """Digits: two convolutions with Relu and MaxPool, a grouped one, a mean over the image, a linear layer."""
    rng = np.random.default_rng(3)
    weights = [floats(rng, "c0", 8, 1, 5, 5, scale=0.3), floats(rng, "d0", 8), floats(rng, "c1", 16, 8, 3, 3, scale=0.2), floats(rng, "d1", 16),
               floats(rng, "c2", 16, 4, 3, 3, scale=0.2), floats(rng, "w", 10, 16), floats(rng, "b", 10)]
    pool = {"kernel_shape": [2, 2], "strides": [2, 2]}
    nodes = [helper.make_node("Conv", ["x", "c0", "d0"], ["f0"], name="conv0", kernel_shape=[5, 5], pads=[2, 2, 2, 2]),
             helper.make_node("Relu", ["f0"], ["r0"], name="relu0"),
             helper.make_node("MaxPool", ["r0"], ["p0"], name="pool0", **pool),
             helper.make_node("Conv", ["p0", "c1", "d1"], ["f1"], name="conv1", kernel_shape=[3, 3], strides=[2, 1], pads=[1, 0, 1, 2]),
             helper.make_node("Relu", ["f1"], ["r1"], name="relu1"),
             helper.make_node("MaxPool", ["r1"], ["p1"], name="pool1", kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
             helper.make_node("Conv", ["p1", "c2"], ["f2"], name="groups", kernel_shape=[3, 3], group=4, dilations=[1, 2]),
             helper.make_node("GlobalAveragePool", ["f2"], ["g"], name="mean"), helper.make_node("Flatten", ["g"], ["v"], name="flat"),
             helper.make_node("Gemm", ["v", "w", "b"], ["y"], name="linear", transB=1)]
    graph = helper.make_graph(nodes, "convnet", [value("x", shape=(images, 1, 28, 28))], [value("y", shape=(images, 10))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def block(tokens=9, hidden=32, inner=65):
    """A block of a transformer with one head: norms, projections, attention, GELU, residuals."""
    rng = np.random.default_rng(2)
    nodes, weights = [], []

    def op(kind, *inputs, **attributes):
        nodes.append(helper.make_node(kind, list(inputs), [f"v{len(nodes)}"], name=f"{kind}_{len(nodes)}", **attributes))
        return f"v{len(nodes) - 1}"

    def weight(*shape, scale=0.1):
        weights.append(floats(rng, f"w{len(weights)}", *shape, scale=scale))
        return weights[-1].name

    def dense(x, inputs, outputs):
        return op("Add", op("MatMul", x, weight(inputs, outputs)), weight(outputs))

    def norm(x):
        return op("LayerNormalization", x, weight(hidden, scale=1.0), weight(hidden), axis=-1, epsilon=1e-5)

    weights.append(numpy_helper.from_array(np.float32(hidden**-0.5), "scale"))
    query, key, values = (dense(norm("x"), hidden, hidden) for _ in range(3))
    scores = op("Softmax", op("Mul", op("Gemm", query, key, transB=1), "scale"), axis=-1)
    x = op("Add", "x", dense(op("MatMul", scores, values), hidden, hidden))
    inside = op("Gelu", dense(norm(x), hidden, inner))
    nodes.append(helper.make_node("Add", [x, dense(inside, inner, hidden)], ["y"], name="last"))
    ends = [value("x", shape=(tokens, hidden))], [value("y", shape=(tokens, hidden))]
    return helper.make_model(helper.make_graph(nodes, "block", *ends, weights), opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def shapes():
    """Sizes that an exporter computes while the model runs: x is [B, S, 6], cut into heads of 2 and flattened."""
    nodes = [helper.make_node("Shape", ["x"], ["shape"]), helper.make_node("Gather", ["shape", "first"], ["batch"], axis=0),
             helper.make_node("Gather", ["shape", "second"], ["length"], axis=0),
             helper.make_node("Unsqueeze", ["batch", "zeroth"], ["batches"]), helper.make_node("Mul", ["length", "three"], ["rows"]),
             helper.make_node("Unsqueeze", ["rows", "zeroth"], ["lengths"]),
             helper.make_node("Concat", ["batches", "lengths", "two"], ["wanted"], axis=0),
             helper.make_node("Reshape", ["x", "wanted"], ["heads"], name="cut"), helper.make_node("Relu", ["heads"], ["r"], name="relu"),
             helper.make_node("Slice", ["shape", "zeroth", "until", "zeroth"], ["front"]),
             helper.make_node("Concat", ["front", "rest"], ["back"], axis=0), helper.make_node("Reshape", ["r", "back"], ["y"]),
             helper.make_node("Flatten", ["y"], ["flat"], axis=2)]
    integers = {"first": 0, "second": 1, "three": 3, "two": [2], "zeroth": [0], "until": [2], "rest": [-1]}
    weights = [numpy_helper.from_array(np.array(number, dtype=np.int64), name) for name, number in integers.items()]
    graph = helper.make_graph(nodes, "shapes", [value("x", shape=("B", "S", 6))], [value("y", shape=("B", "S", 6)), value("flat", shape=("F", 6))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def ends():
    """Outputs that are an input, a constant, and one value twice."""
    nodes = [helper.make_node("Identity", ["x"], ["same"]), helper.make_node("Identity", ["w"], ["constant"]),
             helper.make_node("Relu", ["x"], ["once"]), helper.make_node("Reshape", ["once", "all"], ["twice"])]
    weights = [numpy_helper.from_array(np.arange(3, dtype=np.float32), "w"), numpy_helper.from_array(np.int64([-1]), "all")]
    outputs = [value("same", shape=(2, 3)), value("constant", shape=(3,)), value("once", shape=(2, 3)), value("twice", shape=(6,))]
    graph = helper.make_graph(nodes, "ends", [value("x", shape=(2, 3))], outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def pieces():
    """What folding finds: constants that are computed, channels behind a convolution and a linear layer, operators in pieces."""
    rng = np.random.default_rng(7)
    nodes, weights = [], []

    def constant(array):
        weights.append(numpy_helper.from_array(np.asarray(array), f"w{len(weights)}"))
        return weights[-1].name

    def number(real):
        return constant(np.float32(real))

    def random(*shape, low=-1.0, high=1.0):
        return constant(rng.uniform(low, high, shape).astype(np.float32))

    def op(kind, *inputs, **attributes):
        nodes.append(helper.make_node(kind, list(inputs), [f"v{len(nodes)}"], name=f"{kind}_{len(nodes)}", **attributes))
        return nodes[-1].output[0]

    # x: [2, 6, 9, 7]. Weights that are a transpose and a cast; a BatchNorm, a factor, a shift; Relu or HardSwish in pieces.
    turned = op("Transpose", random(3, 3, 4, 6), perm=[2, 3, 0, 1])
    x = op("Conv", "x", turned, pads=[1, 1, 1, 1])
    x = op("BatchNormalization", x, random(4, low=0.5), random(4), random(4), random(4, low=0.5, high=2.0), epsilon=1e-3)
    x = op("Relu", op("Add", op("Mul", x, random(4, 1, 1)), number(0.25)))
    x = op("Conv", x, random(4, 2, 1, 3), random(4), group=2, pads=[0, 1, 0, 1])
    x = op("Sub", op("Div", x, random(1, 4, 1, 1, low=0.5)), op("Sqrt", random(4, 1, 1, low=0.5)))
    clip = op("Clip", op("Add", number(3.0), x), number(0.0), number(6.0))
    x = op("Div", op("Mul", x, clip), number(6.0))
    # [2, 36, 7] through norms, a softmax and activations.
    x = op("Reshape", x, constant(np.int64([2, 36, 7])))
    mean = op("ReduceMean", x, axes=[-1])
    centred = op("Sub", x, mean)
    again = op("Sub", x, mean)
    deviation = op("Sqrt", op("Add", op("ReduceMean", op("Mul", again, again), axes=[2]), number(1e-5)))
    x = op("Add", op("Mul", op("Div", centred, deviation), random(7)), random(1, 1, 7))
    x = op("Add", op("MatMul", x, op("Mul", random(7, 12), number(0.5))), random(12))
    x = op("Mul", op("Mul", number(0.5), x), op("Add", op("Erf", op("Mul", x, number(0.7071067811865476))), number(1.0)))
    x = op("MatMul", x, random(12, 12))
    x = op("Mul", x, op("Sigmoid", x))
    largest = op("ReduceMax", x, axes=[-1])
    power = op("Exp", op("Sub", x, largest))
    x = op("Div", power, op("ReduceSum", power, constant(np.int64([-1]))))
    square = op("Add", op("ReduceMean", op("Pow", x, number(2.0)), axes=[-1]), number(1e-6))
    x = op("Mul", op("Mul", x, op("Reciprocal", op("Sqrt", square))), random(12))
    cube = op("Mul", number(0.044715), op("Pow", x, number(3.0)))
    tanh = op("Tanh", op("Mul", number(0.7978845608028654), op("Add", x, cube)))
    x = op("Mul", x, op("Mul", number(0.5), op("Add", number(1.0), tanh)))
    # [72, 12]: a linear layer with a BatchNorm, and a residual whose norm follows.
    rows = op("Reshape", x, constant(np.int64([72, 12])))
    x = op("Gemm", rows, random(12, 12), random(12), transB=1)
    x = op("BatchNormalization", x, random(12), random(12), random(12), random(12, low=0.5, high=2.0))
    x = op("Relu", op("Mul", x, number(1.0)))
    x = op("Add", op("MatMul", x, random(12, 12)), rows)
    x = op("Mul", x, op("Tanh", op("Softplus", x)))
    # A constant that is too large for sizes to depend on it.
    x = op("Add", x, op("MatMul", op("Neg", random(72, 64)), random(64, 12)))
    nodes.append(helper.make_node("Identity", [x], ["y"]))
    graph = helper.make_graph(nodes, "pieces", [value("x", shape=(2, 6, 9, 7))], [value("y", shape=(72, 12))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=9)


def blocks():
    """What joins a convolution: activations, and residuals with and without a bias, and a Relu. What joins a product of bytes."""
    rng = np.random.default_rng(11)
    nodes, weights, constant, op = node_builder()

    def conv(x, channels, filters, size, bias=False):
        shape = (filters, channels, size, size)
        operands = [constant(rng.uniform(-0.5, 0.5, shape).astype(np.float32))]
        if bias:
            operands.append(constant(rng.uniform(-1, 1, filters).astype(np.float32)))
        return op("Conv", x, *operands, pads=[size // 2] * 4)

    x = op("LeakyRelu", conv("x", 3, 5, 3, True), alpha=0.2)
    y = conv(x, 5, 5, 1)
    y = op("Mul", y, op("Sigmoid", y))
    y = op("Add", x, conv(y, 5, 5, 3))
    y = op("Relu", op("Add", conv(y, 5, 5, 3, True), y))
    # Both operands of this sum are convolutions: the first one takes the other as its residual.
    y = op("Add", conv(y, 5, 4, 3, True), conv(y, 5, 4, 1))
    # Not joined: a row is no residual.
    z = op("Add", conv(y, 4, 7, 3), constant(rng.uniform(-1, 1, 7).astype(np.float32)))
    nodes.append(helper.make_node("Identity", [z], ["y"]))
    # Bytes without zero points, as a scale for each column and as one for all.
    bytes_of = lambda real, scale: op("QuantizeLinear", real, constant(np.float32(scale)), constant(np.int8(0)))
    matrix = lambda *shape: constant(rng.integers(-128, 128, shape).astype(np.int8))
    units = op("Cast", op("MatMulInteger", bytes_of("x", 0.02), matrix(7, 6)), to=TensorProto.FLOAT)
    s = op("Add", op("Mul", units, constant(rng.uniform(0.001, 0.002, 6).astype(np.float32))),
           constant(rng.uniform(-1, 1, (1, 6)).astype(np.float32)))
    units = op("Cast", op("MatMulInteger", bytes_of("x", 0.03), matrix(7, 5)), to=TensorProto.FLOAT)
    t = op("Mul", units, constant(np.float32(0.001)))
    nodes.append(helper.make_node("Concat", [s, t], ["s"], axis=3))
    graph = helper.make_graph(nodes, "blocks", [value("x", shape=(2, 3, 9, 7))],
                              [value("y", shape=(2, 7, 9, 7)), value("s", shape=(2, 3, 9, 11))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=9)


def volumes():
    """What joins a convolution of volumes: a Relu, a residual, a residual and a Relu; not a LeakyRelu."""
    rng = np.random.default_rng(12)
    nodes, weights, constant, op = node_builder()

    def conv(x, channels, filters, size):
        shape = (filters, channels, size, size, size)
        bias = constant(rng.uniform(-1, 1, filters).astype(np.float32))
        return op("Conv", x, constant(rng.uniform(-0.5, 0.5, shape).astype(np.float32)), bias, pads=[size // 2] * 6)

    x = op("Relu", conv("x", 3, 5, 3))
    y = op("Relu", op("Add", conv(x, 5, 5, 3), x))
    y = op("Add", conv(y, 5, 5, 1), y)
    y = op("LeakyRelu", conv(y, 5, 4, 3), alpha=0.2)
    nodes.append(helper.make_node("Identity", [y], ["y"]))
    graph = helper.make_graph(nodes, "volumes", [value("x", shape=(2, 3, 4, 9, 7))], [value("y", shape=(2, 4, 4, 9, 7))],
                              weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=9)


def node_builder():
    """Lists of nodes and weights, and functions that add to them: constant(array) and op(kind, *inputs) give names."""
    nodes, weights = [], []

    def constant(array):
        weights.append(numpy_helper.from_array(np.asarray(array), f"w{len(weights)}"))
        return weights[-1].name

    def op(kind, *inputs, outputs=1, **attributes):
        names = [f"v{len(nodes)}" if outputs == 1 else f"v{len(nodes)}.{i}" for i in range(outputs)]
        nodes.append(helper.make_node(kind, list(inputs), names, name=f"{kind}_{len(nodes)}", **attributes))
        return names[0] if outputs == 1 else names

    return nodes, weights, constant, op


def parts():
    """Nodes that several contracts compute together."""
    rng = np.random.default_rng(9)
    nodes, weights, constant, op = node_builder()

    def cut(x, starts, ends, axes, steps=None):
        return op("Slice", x, *(constant(np.int64(each)) for each in (starts, ends, axes, steps) if each is not None))

    # Windows as YOLO has them, of even and odd sizes; axes from the end; ends far outside.
    windows = [cut(cut("x", [start], [2**63 - 1], [2], [2]), [0, 1], [-1, 2**31 - 1], [-1, 1], [3, 1]) for start in (0, 1)]
    x = op("Concat", *windows, windows[0], axis=2)
    x = op("Concat", x, x, op("Neg", x), x, x, axis=-1)
    x = op("Pad", x, constant(np.int64([0, 1, 2, 0, 0, 4, 1, 3])), constant(np.float32(0.5)))
    first, second, third = op("Split", x, constant(np.int64([1, 2, 4])), outputs=3, axis=1)
    even = op("Split", op("Concat", first, second, axis=1), outputs=3, axis=1, num_outputs=3)
    mean = op("ReduceMean", third, constant(np.int64([1])), keepdims=1, noop_with_empty_axes=1)
    wide = op("Expand", mean, constant(np.int64([1, 3, 1, 1])))
    x = op("Add", op("Concat", *even, axis=1), wide)
    turned = op("ConvTranspose", x, constant(rng.standard_normal((3, 2, 3, 3), dtype=np.float32)),
                constant(rng.standard_normal(2, dtype=np.float32)), strides=[3, 3])
    # The padding of PyTorch: pairs for each axis, the last first, turned around while the model runs.
    pairs = op("Reshape", op("Concat", constant(np.int64([0, 1, 2, 1])), op("ConstantOfShape", constant(np.int64([4])), value=numpy_helper.from_array(np.int64([0]))), axis=0), constant(np.int64([-1, 2])))
    order = op("Transpose", cut(pairs, [-1], [-2**63 + 1], [0], [-1]), perm=[1, 0])
    turned = op("Pad", turned, op("Cast", op("Reshape", order, constant(np.int64([-1]))), to=TensorProto.INT64), constant(np.float32(-1)))
    mask = op("Cast", op("Greater", turned, constant(np.float32(0.25))), to=TensorProto.FLOAT)
    x = op("Mul", turned, op("Cast", mask, to=TensorProto.FLOAT))
    nodes.append(helper.make_node("Identity", [x], ["y"]))
    graph = helper.make_graph(nodes, "parts", [value("x", shape=(1, 3, 5, 7))], [value("y", shape=(1, 2, 36, 40))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def quantized():
    """Layers as dynamic quantisation writes them: weights without zero points, then one for each column."""
    rng = np.random.default_rng(15)
    nodes, weights, constant, op = node_builder()
    x = "x"
    for inner, columns, zero_type in ((33, 17, None), (17, 9, np.int8)):
        b = constant(rng.integers(-128, 128, (inner, columns)).astype(np.int8))
        zeros = [] if zero_type is None else [constant(rng.integers(-20, 20, columns).astype(zero_type))]
        a, scale, zero = op("DynamicQuantizeLinear", x, outputs=3)
        sums = op("MatMulInteger", a, b, zero, *zeros)
        x = op("Mul", op("Cast", sums, to=TensorProto.FLOAT), op("Mul", scale, constant(np.float32(0.01))))
    nodes.append(helper.make_node("Identity", [x], ["y"]))
    graph = helper.make_graph(nodes, "quantized", [value("x", shape=(2, 5, 33))], [value("y", shape=(2, 5, 9))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def layers():
    """Nodes that become many: recurrent layers, windows over volumes, transposed convolutions, curves, products of bytes."""
    rng = np.random.default_rng(12)
    nodes, weights, constant, op = node_builder()

    def floats(*shape):
        return constant((rng.standard_normal(shape) * 0.3).astype(np.float32))

    # Windows that overlap, with gaps and ends of their own; planes by cubic curves; maxima and means of volumes.
    wide = op("ConvTranspose", "x", floats(4, 3, 3, 2), floats(6), group=2, strides=[2, 3], dilations=[2, 1], pads=[1, 0, 2, 1],
              output_padding=[1, 0])
    curved = op("Resize", wide, "", "", constant(np.int64([1, 6, 7, 5])), mode="cubic", antialias=1)
    volume = op("Reshape", curved, constant(np.int64([1, 1, 6, 7, 5])))
    conv = op("Conv", volume, floats(2, 1, 2, 3, 3), floats(2), pads=[1, 0, 1, 0, 0, 1], strides=[2, 1, 1])
    pooled = op("MaxPool", conv, kernel_shape=[2, 2, 3], ceil_mode=1, strides=[1, 2, 1])
    mean = op("AveragePool", conv, kernel_shape=[2, 3, 2], pads=[1, 1, 0, 0, 1, 1], count_include_pad=1)
    norm = op("LayerNormalization", mean, floats(5, 5), axis=3)
    # A sequence in both directions, and one with what it begins with.
    sequence = op("Reshape", curved, constant(np.int64([5, 2, 21])))
    both = op("LSTM", sequence, floats(2, 24, 21), floats(2, 24, 6), floats(2, 48), hidden_size=6, direction="bidirectional")
    gated = op("GRU", sequence, floats(1, 18, 21), floats(1, 18, 6), floats(1, 36), "", floats(1, 2, 6), hidden_size=6, direction="reverse",
               linear_before_reset=1)
    # Bytes that no rounding decides, of which both zero points count; a product of letters.
    flat = op("Abs", op("Reshape", "x", constant(np.int64([6, 8]))))
    whole = op("Cast", op("Mul", flat, constant(np.float32(32))), to=TensorProto.UINT8)
    matrix = constant(rng.integers(-128, 128, (8, 4)).astype(np.int8))
    product = op("MatMulInteger", whole, matrix, constant(np.uint8(100)), constant(np.int8(-7)))
    letters = op("Einsum", sequence, floats(21, 2, 3), equation="sbi,ibo->obs")
    ends = [pooled, norm, both, gated, op("Cast", product, to=TensorProto.FLOAT), letters]
    outputs = [helper.make_tensor_value_info(end, TensorProto.FLOAT, None) for end in ends]
    graph = helper.make_graph(nodes, "layers", [value("x", shape=(1, 4, 3, 4))], outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


def places():
    """Nodes of attention with angles, groups of heads, masks and a past, images read at computed places or added from blocks, spectra."""
    rng = np.random.default_rng(21)
    nodes, weights, constant, op = node_builder()

    def floats(*shape):
        return constant(rng.standard_normal(shape).astype(np.float32))

    # Four heads of queries share two of keys; pairs of half of each head turn by the angles of their tokens.
    q, k = op("MatMul", "x", floats(32, 32)), op("MatMul", "x", floats(32, 16))
    angles, tokens = rng.uniform(-3, 3, (9, 2)), constant(np.int64([[3, 1, 4, 1, 5], [8, 2, 6, 5, 3]]))
    cos, sin = constant(np.cos(angles).astype(np.float32)), constant(np.sin(angles).astype(np.float32))
    q, k = (op("RotaryEmbedding", each, cos, sin, tokens, num_heads=heads, interleaved=1, rotary_embedding_dim=4)
            for each, heads in ((q, 4), (k, 2)))
    causal = op("Attention", q, k, k, q_num_heads=4, kv_num_heads=2, is_causal=1)
    # The third query sees no key, and the other ones see the past.
    mask = rng.standard_normal((5, 8)).astype(np.float32)
    mask[2], mask[4, 5:] = -np.inf, -np.inf
    heads = op("Transpose", op("Reshape", k, constant(np.int64([2, 5, 2, 8]))), perm=[0, 2, 1, 3])
    masked, keys, _ = op("Attention", heads, heads, heads, constant(mask), floats(2, 2, 3, 8), floats(2, 2, 3, 8), outputs=3, scale=0.7, softcap=3.0)
    image = op("Reshape", causal, constant(np.int64([2, 4, 5, 8])))
    grid = op("Mul", op("Reshape", masked, constant(np.int64([2, 4, 10, 2]))), constant(np.float32(0.8)))
    sampled = [op("GridSample", image, grid, mode=mode, padding_mode=padding, align_corners=corners)
               for mode, padding, corners in (("linear", "zeros", 0), ("cubic", "reflection", 1), ("cubic", "border", 0))]
    spectrum = op("DFT", op("Reshape", causal, constant(np.int64([2, 5, 32, 1]))), "", constant(np.int64(2)), onesided=1)
    blocks = op("Col2Im", op("Reshape", causal, constant(np.int64([2, 8, 20]))), constant(np.int64([6, 5])), constant(np.int64([2, 2])))
    backwards = op("ReverseSequence", causal, constant(np.int64([3, 5])), batch_axis=0, time_axis=1)
    ends = [blocks, backwards, causal, masked, keys, *sampled, spectrum, op("Hardmax", image, axis=2), op("LpPool", image, kernel_shape=[3, 2], pads=[1, 0, 1, 1], strides=[2, 3])]
    outputs = [helper.make_tensor_value_info(end, TensorProto.FLOAT, None) for end in ends]
    graph = helper.make_graph(nodes, "places", [value("x", shape=(2, 5, 32))], outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10)


def loops():
    """Loops whose steps are known: by a number, by a condition of it, in one another; one that no step is taken of."""
    rng = np.random.default_rng(15)
    weights = [numpy_helper.from_array(rng.standard_normal((5, 5), dtype=np.float32), "w"), *(
        numpy_helper.from_array(np.array(number), name) for name, number in
        (("four", np.int64(4)), ("three", np.int64(3)), ("none", np.int64(0)), ("yes", np.bool_(True)), ("one", np.int64(1)), ("front", np.int64([0]))))]

    def graph(name, nodes, inputs, outputs):
        return helper.make_graph(nodes, name, [helper.make_tensor_value_info(*each) for each in inputs],
                                 [helper.make_tensor_value_info(*each) for each in outputs])

    steps = [("i", TensorProto.INT64, []), ("go", TensorProto.BOOL, [])]
    carried = lambda name, rows=2: (name, TensorProto.FLOAT, [rows, 5])  # noqa: E731
    # A sum from step to step by the number of the step, and what each step makes.
    inner = graph("inner", [helper.make_node("Cast", ["j"], ["f"], to=TensorProto.FLOAT), helper.make_node("Add", ["b", "f"], ["c"]),
                            helper.make_node("Identity", ["on"], ["stay"])],
                  [("j", TensorProto.INT64, []), ("on", TensorProto.BOOL, []), carried("b")], [("stay", TensorProto.BOOL, []), carried("c")])
    first = graph("first", [helper.make_node("MatMul", ["a", "w"], ["m"]), helper.make_node("Tanh", ["m"], ["t"]),
                            helper.make_node("Loop", ["three", "yes", "t"], ["u"], name="inside", body=inner),
                            helper.make_node("Softmax", ["u"], ["s"], axis=-1), helper.make_node("Identity", ["go"], ["again"])],
                  [*steps, carried("a")], [("again", TensorProto.BOOL, []), carried("u"), carried("s")])
    # As long as a condition of the step holds, rows are added.
    second = graph("second", [helper.make_node("Add", ["i", "one"], ["next"]), helper.make_node("Less", ["next", "three"], ["more"]),
                              helper.make_node("Concat", ["r", "x"], ["longer"], axis=0)],
                   [*steps, carried("r", None)], [("more", TensorProto.BOOL, []), carried("longer", None)])
    third = graph("third", [helper.make_node("Relu", ["q"], ["p"]), helper.make_node("Identity", ["go"], ["on"])], [*steps, carried("q")],
                  [("on", TensorProto.BOOL, []), carried("p")])
    nodes = [helper.make_node("Loop", ["four", "yes", "x"], ["y", "all"], name="sum", body=first),
             helper.make_node("Loop", ["", "yes", "x"], ["rows"], name="while", body=second),
             helper.make_node("Loop", ["none", "", "y"], ["same"], name="never", body=third), helper.make_node("Neg", ["same"], ["z"])]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("y", "all", "rows", "z")]
    whole = helper.make_graph(nodes, "loops", [value("x", shape=(2, 5))], ends, weights)
    return helper.make_model(whole, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


def scans():
    """Scans: sums and what each step gives, backwards and along other axes, of two lists, without a state, in a Loop."""
    rng = np.random.default_rng(16)
    weights = [numpy_helper.from_array(rng.standard_normal((3, 3), dtype=np.float32), "w"), numpy_helper.from_array(np.int64(2), "two")]

    def graph(name, nodes, inputs, outputs):
        return helper.make_graph(nodes, name, [helper.make_tensor_value_info(one, *more) for one, *more in inputs],
                                 [helper.make_tensor_value_info(one, *more) for one, *more in outputs])

    row = lambda name: (name, TensorProto.FLOAT, [3])  # noqa: E731
    total = graph("total", [helper.make_node("MatMul", ["e", "w"], ["m"]), helper.make_node("Add", ["s", "m"], ["t"]), helper.make_node("Tanh", ["t"], ["h"])],
                  [row("s"), row("e")], [row("t"), row("h")])
    pairs = graph("pairs", [helper.make_node("Mul", ["a", "b"], ["p"]), helper.make_node("Sub", ["a", "b"], ["q"])], [row("a"), row("b")], [row("p"), row("q")])
    inner = graph("inner", [helper.make_node("Scan", ["v", "x"], ["v2", "unused"], name="inside", body=total, num_scan_inputs=1, scan_input_directions=[1]),
                            helper.make_node("Identity", ["go"], ["on"])],
                  [("i", TensorProto.INT64, []), ("go", TensorProto.BOOL, []), row("v")], [("on", TensorProto.BOOL, []), row("v2")])
    nodes = [helper.make_node("Scan", ["z", "x"], ["sum", "steps"], name="forward", body=total, num_scan_inputs=1),
             helper.make_node("Scan", ["z", "x"], ["back", "other"], name="backward", body=total, num_scan_inputs=1, scan_input_directions=[1],
                              scan_output_directions=[1], scan_output_axes=[-1]),
             helper.make_node("Scan", ["x", "y"], ["products", "differences"], name="pairs", body=pairs, num_scan_inputs=2, scan_input_axes=[0, -1],
                              scan_output_axes=[1, 0], scan_output_directions=[0, 1]),
             helper.make_node("Loop", ["two", "", "z"], ["twice"], name="around", body=inner)]
    inputs = [value("z", shape=(3,)), value("x", shape=(5, 3)), value("y", shape=(3, 5))]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("sum", "steps", "back", "other", "products", "differences", "twice")]
    return helper.make_model(helper.make_graph(nodes, "scans", inputs, ends, weights), opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


def ranges():
    """Parts and joins that are ranges of bytes: of sizes and types that nothing is a multiple of, of inputs, outputs and each
    other, one value in two joins and twice in one."""
    nodes, weights, constant, op = node_builder()

    first, second, third = op("Split", "x", constant(np.int64([1, 2, 4])), outputs=3, axis=1)
    joined = op("Concat", op("Relu", first), op("Neg", third), first, axis=1)
    # A join in a join, and one of its operands in another; a constant and an input between them.
    twice = op("Concat", joined, "x", constant(np.full((1, 3, 5, 3), 0.25, dtype=np.float32)), joined, axis=1)
    cut = op("Slice", twice, constant(np.int64([3])), constant(np.int64([-2])), constant(np.int64([1])))
    row = op("Gather", op("Exp", cut), constant(np.int64(-1)), axis=1)
    last = op("Slice", row, constant(np.int64([0, 2])), constant(np.int64([1, 9])), constant(np.int64([0, 1])), constant(np.int64([1, 1])))
    all_rows = op("Concat", op("Abs", last), op("Relu", last), axis=1)
    # Truth values and integers have no Concat in the library.
    large = op("Concat", op("Greater", last, constant(np.float32(1))), op("Less", last, constant(np.float32(1))), axis=0)
    whole = op("Concat", op("Cast", op("Floor", last), to=TensorProto.INT32), op("Cast", op("Floor", all_rows), to=TensorProto.INT32), axis=1)
    for made, name in ((joined, "y"), (second, "part"), (all_rows, "rows"), (large, "truth"), (whole, "whole")):
        nodes.append(helper.make_node("Identity", [made], [name]))
    outputs = [value("y", shape=(1, 6, 5, 3)), value("part", shape=(1, 2, 5, 3)), value("rows", shape=(1, 6, 3)),
               value("truth", TensorProto.BOOL, (2, 3, 3)), value("whole", TensorProto.INT32, (1, 9, 3))]
    graph = helper.make_graph(nodes, "ranges", [value("x", shape=(1, 7, 5, 3))], outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def branches():
    """Control flow that sizes decide, one in another, and an integer that is cut and not rounded."""
    cast = helper.make_node("Cast", ["cut"], ["whole"], to=TensorProto.INT32)
    deep = helper.make_node("Neg", ["x"], ["deep"])
    # No op computes it, and none has to.
    never = helper.make_node("Loop", ["count", ""], ["never"], body=helper.make_graph(
        [helper.make_node("Identity", ["on"], ["still"]), helper.make_node("Identity", ["x"], ["each"])], "body",
        [value("i", TensorProto.INT64, ()), value("on", TensorProto.BOOL, ())], [value("still", TensorProto.BOOL, ()), value("each", shape=(5, 7))]))
    inner = helper.make_node("If", ["yes"], ["chosen"], name="inner",
                             then_branch=helper.make_graph([deep], "deep", [], [value("deep", shape=(5, 7))]),
                             else_branch=helper.make_graph([never], "never", [], [value("never", shape=(2, 5, 7))]))
    nodes = [
        helper.make_node("Size", ["x"], ["size"]),
        helper.make_node("Greater", ["size", "limit"], ["large"]),
        helper.make_node("Not", ["large"], ["small"]),
        helper.make_node("If", ["small"], ["taken"], name="outer",
                         then_branch=helper.make_graph([helper.make_node("Acosh", ["x"], ["none"])], "no", [], [value("none", shape=(5, 7))]),
                         else_branch=helper.make_graph([inner, helper.make_node("Exp", ["chosen"], ["exp"])], "yes", [], [value("exp", shape=(5, 7))])),
        helper.make_node("Mul", ["taken", "ten"], ["cut"]),
        cast,
        helper.make_node("Identity", ["taken"], ["y"]),
    ]
    weights = [numpy_helper.from_array(np.int64(3), "limit"), numpy_helper.from_array(np.bool_(True), "yes"),
               numpy_helper.from_array(np.int64(2), "count"), numpy_helper.from_array(np.float32(-7.3), "ten")]
    outputs = [value("y", shape=(5, 7)), value("whole", TensorProto.INT32, (5, 7))]
    graph = helper.make_graph(nodes, "branches", [value("x", shape=(5, 7))], outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def choices():
    """Branches that data decide: one in another, values of the graph around, one value twice, a constant, views, and a join in a
    branch; what only branches read is in front of the If. The condition is the sign of the sum of x."""
    rng = np.random.default_rng(11)

    def branch(name, nodes, *results, weights=()):
        return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(one, TensorProto.FLOAT, None) for one in results], weights)

    deep = branch("deep", [helper.make_node("Exp", ["near"], ["deep_y"], name="exp")], "deep_y")
    flat = branch("flat", [helper.make_node("Reshape", ["w", "form"], ["flat_y"])], "flat_y")
    inner = helper.make_node("If", ["wide"], ["in_y"], name="inner", then_branch=deep, else_branch=flat)
    taken = branch("taken", [helper.make_node("Neg", ["early"], ["near"], name="neg"), inner,
                             helper.make_node("Concat", ["in_y", "near", "early"], ["in_join"], axis=0),
                             helper.make_node("Add", ["in_y", "shared"], ["in_sum"], name="sum"),
                             helper.make_node("Identity", ["in_sum"], ["in_again"])], "in_sum", "in_again", "in_join")
    other = branch("other", [helper.make_node("Mul", ["shared", "late"], ["no_sum"], name="mul"), helper.make_node("Identity", ["x"], ["same"])],
                   "no_sum", "same", "big",
                   weights=[floats(rng, "big", 6, 5)])
    nodes = [helper.make_node("ReduceSum", ["x"], ["sum"], keepdims=0), helper.make_node("Greater", ["sum", "zero"], ["flag"]),
             helper.make_node("ReduceMax", ["x"], ["most"], keepdims=0), helper.make_node("Greater", ["most", "two"], ["wide"]),
             helper.make_node("Abs", ["x"], ["shared"], name="abs"), helper.make_node("Sin", ["x"], ["early"], name="sin"),
             helper.make_node("Cos", ["shared"], ["late"], name="cos"),
             helper.make_node("If", ["flag"], ["a", "b", "c"], name="outer", then_branch=taken, else_branch=other),
             helper.make_node("Add", ["a", "b"], ["y"], name="last"), helper.make_node("Concat", ["b", "c"], ["z"], axis=0)]
    weights = [numpy_helper.from_array(np.float32(0), "zero"), numpy_helper.from_array(np.float32(2), "two"),
               floats(rng, "w", 10), numpy_helper.from_array(np.int64([2, 5]), "form")]
    graph = helper.make_graph(nodes, "choices", [value("x", shape=(2, 5))],
                              [value("y", shape=(2, 5)), value("z", shape=(8, 5)), value("a", shape=(2, 5))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def boxes(batches=2, classes=3, places=40, centred=0, most=20):
    """Boxes of a detector with scores by a Sigmoid, and those of them that NonMaxSuppression keeps."""
    nodes = [helper.make_node("Sigmoid", ["s"], ["scores"], name="scores"),
             helper.make_node("Relu", ["b"], ["at"], name="at"),
             helper.make_node("NonMaxSuppression", ["at", "scores", "most", "overlap", "least"], ["kept"], name="nms", center_point_box=centred)]
    weights = [numpy_helper.from_array(np.int64([most]), "most"), numpy_helper.from_array(np.float32(0.4), "overlap"),
               numpy_helper.from_array(np.float32([0.6]), "least")]
    graph = helper.make_graph(nodes, "boxes", [value("b", shape=(batches, places, 4)), value("s", shape=(batches, classes, places))],
                              [value("kept", TensorProto.INT64, ("kept", 3)), value("scores", shape=(batches, classes, places))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def detector(batches=2, classes=3, places=40, most=20):
    """What exporters write behind NonMaxSuppression: the kept boxes with their numbers and scores, and all that may follow from
    rows of which data decide how many there are."""
    make = helper.make_node
    nodes = [make("Sigmoid", ["s"], ["scores"]), make("Relu", ["b"], ["at"]),
             make("NonMaxSuppression", ["at", "scores", "most", "overlap", "least"], ["kept"], name="nms"),
             make("Slice", ["kept", "one", "three", "one"], ["places"]), make("Gather", ["kept", "zero"], ["batch"], axis=1),
             make("Gather", ["kept", "last"], ["place"], axis=1), make("Unsqueeze", ["batch", "one"], ["batches"]),
             make("Unsqueeze", ["place", "one"], ["numbers"]), make("Concat", ["batches", "numbers"], ["pairs"], axis=1),
             make("GatherND", ["at", "pairs"], ["boxes"]), make("GatherND", ["scores", "kept"], ["best"]),
             make("Unsqueeze", ["best", "one"], ["bests"]), make("Cast", ["kept"], ["reals"], to=TensorProto.FLOAT),
             make("Concat", ["reals", "boxes", "bests"], ["rows"], axis=1), make("Mul", ["rows", "gain"], ["y"]),
             make("Softmax", ["boxes"], ["soft"], axis=1), make("ReduceMax", ["boxes", "one"], ["top"], keepdims=0),
             make("MatMul", ["boxes", "w"], ["mixed"]), make("Transpose", ["boxes"], ["turned"], perm=[1, 0]),
             make("Gather", ["turned", "last"], ["row"], axis=0), make("Split", ["boxes"], ["left", "right"], axis=1, num_outputs=2),
             make("Sub", ["right", "left"], ["sizes"]), make("ArgMax", ["boxes"], ["which"], axis=1, keepdims=0),
             make("Reshape", ["boxes", "pairs_of_two"], ["halves"]), make("Squeeze", ["bests", "one"], ["again"]),
             make("ReduceSum", ["turned", "first"], ["total"], keepdims=0), make("Unsqueeze", ["boxes", "first"], ["batch_of_one"]),
             make("Neg", ["batch_of_one"], ["negated"]), make("Squeeze", ["negated", "first"], ["minus"])]
    weights = [numpy_helper.from_array(np.asarray(array), name) for array, name in [
        (np.int64([most]), "most"), (np.float32(0.4), "overlap"), (np.float32([0.6]), "least"), (np.int64([1]), "one"),
        (np.int64([3]), "three"), (np.int64(0), "zero"), (np.int64([0]), "first"), (np.int64(2), "last"), (np.float32(1.5), "gain"),
        (np.random.default_rng(0).standard_normal((4, 7)).astype(np.float32), "w"), (np.int64([-1, 2, 2]), "pairs_of_two")]]
    outputs = [("y", 8), ("soft", 4), ("top",), ("mixed", 7), ("row",), ("sizes", 2), ("halves", 2, 2), ("again",), ("total",), ("minus", 4)]
    graph = helper.make_graph(nodes, "detector", [value("b", shape=(batches, places, 4)), value("s", shape=(batches, classes, places))],
                              [value(name, shape=("kept", *shape)) for name, *shape in outputs]
                              + [value(name, TensorProto.INT64, ("kept", *shape)) for name, *shape in [("kept", 3), ("places", 2), ("which",)]], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def masks():
    """What is picked by masks: elements, rows and indices, as many as a mask has."""
    make = helper.make_node
    nodes = [make("Greater", ["x", "limit"], ["mask"]), make("NonZero", ["mask"], ["where"]),
             make("Transpose", ["where"], ["places"], perm=[1, 0]), make("GatherND", ["x", "places"], ["picked"]),
             make("Mul", ["picked", "two"], ["y"]), make("ReduceMax", ["x", "last"], ["best"], keepdims=0),
             make("Greater", ["best", "high"], ["rows"]), make("Compress", ["x", "rows"], ["kept"], axis=0),
             make("Softmax", ["kept"], ["soft"], axis=1), make("Compress", ["x", "rows"], ["flat"]),
             make("NonZero", ["half"], ["halves"]), make("Transpose", ["halves"], ["of_half"], perm=[1, 0]),
             make("NonZero", ["whole"], ["wholes"]), make("Squeeze", ["wholes", "first"], ["of_whole"])]
    weights = [numpy_helper.from_array(np.asarray(array), name) for array, name in [
        (np.float32(0.5), "limit"), (np.float32(2), "two"), (np.int64([1]), "last"), (np.int64([0]), "first"), (np.float32(3.2), "high")]]
    inputs = [value("x", shape=(5, 7)), value("half", TensorProto.FLOAT16, (3, 4, 2)), value("whole", TensorProto.INT32, (9,))]
    outputs = [value("y"), value("kept", shape=("M", 7)), value("soft", shape=("M", 7)), value("flat", shape=("M",)),
               value("places", TensorProto.INT64, ("N", 2)), value("of_half", TensorProto.INT64, ("H", 3)),
               # As some files do, the number of rows of a run.
               value("of_whole", TensorProto.INT64, (4,))]
    graph = helper.make_graph(nodes, "masks", inputs, outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def value(name, kind=TensorProto.FLOAT, shape=("N",)):
    return helper.make_tensor_value_info(name, kind, list(shape))


def model(nodes, initializers=(), functions=(), opsets=(("", 21),), inputs=("x",), **more):
    graph = helper.make_graph(nodes, "g", [value(name) for name in inputs], [value("y")], list(initializers), **more)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid(*one) for one in opsets], functions=list(functions), ir_version=10)


def every_attribute():
    """An operator nobody knows, with an attribute of each kind."""
    inner = helper.make_graph([helper.make_node("Relu", ["x"], ["z"])], "inner", [], [value("z")])
    tensor = numpy_helper.from_array(np.arange(6, dtype=np.int16).reshape(2, 3), "t")
    sparse = helper.make_sparse_tensor(numpy_helper.from_array(np.array([1.5, 2.5], dtype=np.float32), "values"),
                                       numpy_helper.from_array(np.array([0, 3], dtype=np.int64), "places"), [5])
    a_type = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, [1, None, "M"]))
    node = helper.make_node("Everything", ["x", "", "w"], ["y", ""], domain="com.example", f=-0.1, i=-(2**63), s=b"\xff\x00", t=tensor,
                            g=inner, fs=[1.0, float("nan"), float("inf")], ints=[1, -1, 2**62], strings=["a", "", "\u00e9"],
                            ts=[tensor, tensor], gs=[inner, inner], sp=sparse, sps=[sparse], tp=a_type, tps=[a_type])
    node.attribute.append(helper.make_attribute("none", [], attr_type=AttributeProto.FLOATS))
    made = model([node], [numpy_helper.from_array(np.float64([3]), "w")], opsets=(("", 21), ("com.example", 3)))
    made.metadata_props.add(key="note", value="of a test")
    return made


def subgraphs():
    """A branch that reads values of the graph around it; nodes out of order."""
    then = helper.make_graph([helper.make_node("Add", ["late", "x"], ["a"])], "then", [], [value("a")])
    other = helper.make_graph([helper.make_node("Neg", ["x"], ["b"])], "else", [], [value("b")])
    return model([helper.make_node("Greater", ["x", "zero"], ["flag"]), helper.make_node("Neg", ["x"], ["late"]),
                  helper.make_node("If", ["flag"], ["y"], then_branch=then, else_branch=other)],
                 [numpy_helper.from_array(np.float32(0), "zero")])


def functions():
    body = [helper.make_node("Elu", ["a"], ["b"])]
    body[0].attribute.append(AttributeProto(name="alpha", type=AttributeProto.FLOAT, ref_attr_name="slope"))
    function = helper.make_function("com.example", "Soft", ["a"], ["b"], body, [helper.make_opsetid("", 21)], attributes=["slope"])
    return model([helper.make_node("Soft", ["x"], ["y"], domain="com.example", slope=0.5)], functions=[function],
                 opsets=(("", 21), ("com.example", 1)))


def doubling(levels=18):
    """Functions that each call the one before twice: 2^18 nodes in a few lines."""
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.example", 1)]
    made = [helper.make_function("com.example", "F0", ["a"], ["b"], [helper.make_node("Relu", ["a"], ["b"])], opsets)]
    for i in range(1, levels + 1):
        calls = [helper.make_node(f"F{i - 1}", [one], [other], domain="com.example") for one, other in (("a", "c"), ("c", "b"))]
        made.append(helper.make_function("com.example", f"F{i}", ["a"], ["b"], calls, opsets))
    return model([helper.make_node(f"F{levels}", ["x"], ["y"], domain="com.example")], functions=made,
                 opsets=(("", 21), ("com.example", 1)))


def chain(links=24):
    """A few bytes of which folding could make 16 MiB a node."""
    numbers = [numpy_helper.from_array(np.float32(number), name) for name, number in (("zero", 0), ("end", 2**22), ("one", 1))]
    nodes = [helper.make_node("Range", ["zero", "end", "one"], ["c0"])]
    nodes += [helper.make_node("Exp", [f"c{i}"], [f"c{i + 1}"], name=f"exp{i}") for i in range(links)]
    return model([*nodes, helper.make_node("Add", [f"c{links}", "x"], ["y"])], numbers)


def own():
    """One node of somebody's own operator."""
    return model([helper.make_node("AddRelu", ["x", "z"], ["y"], domain="com.example")], inputs=("x", "z"),
                 opsets=(("", 21), ("com.example", 1)))


def hostile_names():
    """Names that would be markup, or end a script."""
    return model([helper.make_node("Relu", ["x"], ["y"], name="</script><b>bold</b>{{data}}", doc_string="<i>")])


def typed_fields():
    """A tensor of each type, in typed fields and as bytes; an initializer with the name of an input; a sparse one."""
    tensors = []
    for name, number in TensorProto.DataType.items():
        if name in ("UNDEFINED", "STRING"):
            continue
        entries = 7
        width = {"FLOAT6E2M3": 6, "FLOAT6E3M2": 6}.get(name, 0)
        tensor = TensorProto(name=f"typed_{name}", data_type=number, dims=[7])
        if name in ("FLOAT", "COMPLEX64"):
            tensor.float_data.extend(float(i) - 2.5 for i in range(entries * (2 if name == "COMPLEX64" else 1)))
        elif name in ("DOUBLE", "COMPLEX128"):
            tensor.double_data.extend(float(i) - 2.5 for i in range(entries * (2 if name == "COMPLEX128" else 1)))
        elif name == "INT64":
            tensor.int64_data.extend((-1) ** i * 7**i for i in range(entries))
        elif name in ("UINT32", "UINT64"):
            tensor.uint64_data.extend(7**i for i in range(entries))
        else:
            packed = {"INT4": 2, "UINT4": 2, "FLOAT4E2M1": 2, "INT2": 4, "UINT2": 4}.get(name, 1)
            signed = name in ("INT8", "INT16", "INT32")
            top = 2 if name == "BOOL" else 2**width if width else 120
            tensor.int32_data.extend((-1 if signed and i % 2 else 1) * (i * 37 % top) for i in range((entries + packed - 1) // packed))
        tensors.append(tensor)
    tensors.append(helper.make_tensor("text", TensorProto.STRING, [2, 2], [b"", b"a", b"\xff", b"long" * 10]))
    tensors.append(helper.make_tensor("none", TensorProto.FLOAT, [0, 4], []))
    tensors.append(numpy_helper.from_array(np.ones(3, dtype=np.float32), "x"))
    made = model([helper.make_node("Relu", ["x"], ["y"])], tensors)
    made.graph.sparse_initializer.append(helper.make_sparse_tensor(
        numpy_helper.from_array(np.array([1, 2], dtype=np.float32), "thin"),
        numpy_helper.from_array(np.array([[0, 1], [2, 2]], dtype=np.int64), "places"), [3, 3]))
    return made


def external(folder):
    """Weights in a file beside the model."""
    data = np.arange(64, dtype=np.float32)
    (folder / "weights.bin").write_bytes(b"\0" * 16 + data.tobytes())
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[64], data_location=TensorProto.EXTERNAL)
    for key, text in (("location", "weights.bin"), ("offset", "16"), ("length", "256")):
        tensor.external_data.add(key=key, value=text)
    return model([helper.make_node("Add", ["x", "w"], ["y"])], [tensor])


def overlapping(folder):
    """Weights that begin at one place of a file; the shorter one comes first."""
    (folder / "overlapping.bin").write_bytes(np.arange(4096, dtype=np.float32).tobytes())
    weights = [numpy_helper.from_array(np.arange(7, 4103, dtype=np.float32), "c")]
    for name, count in (("a", 2048), ("b", 4096)):
        weights.append(TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[count], data_location=TensorProto.EXTERNAL))
        for key, text in (("location", "overlapping.bin"), ("offset", "0"), ("length", str(4 * count))):
            weights[-1].external_data.add(key=key, value=text)
    nodes = [helper.make_node("Add", ["x", "a"], ["p"]), helper.make_node("Add", ["y", "b"], ["q"]), helper.make_node("Mul", ["y", "c"], ["r"])]
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [count]) for name, count in (("x", 2048), ("y", 4096))]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [count]) for name, count in (("p", 2048), ("q", 4096), ("r", 4096))]
    return helper.make_model(helper.make_graph(nodes, "overlapping", inputs, outputs, weights), opset_imports=[helper.make_opsetid("", 21)], ir_version=9)


def squeezed():
    """A result whose rank depends on the sizes of the input."""
    graph = helper.make_graph([helper.make_node("Squeeze", ["x"], ["y"])], "squeezed", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 3])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=9)


def resnet50():
    """The structure of `light_resnet50` of the onnx package, with weights by seed where it has constants of one number: He-normal
    convolutions, factors of BatchNorm from 0.8 to 1.2, of the last one of a block 0.3, so that the sums of 16 blocks keep their
    magnitude, means near 0 and variances near 1. With larger factors the logits are in the hundreds, and a Softmax of them
    multiplies what both runtimes round."""
    import pathlib

    import onnx.backend.test

    made = onnx.load(pathlib.Path(onnx.backend.test.__file__).parent / "data" / "light" / "light_resnet50.onnx")
    graph, rng = made.graph, np.random.default_rng(0)
    nodes = [node for node in graph.node if node.op_type != "ConstantOfShape"]
    known = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    shapes = {name: array.shape for name, array in known.items() if array.dtype == np.float32}
    shapes.update({node.output[0]: tuple(map(int, known[node.input[0]])) for node in graph.node if node.op_type == "ConstantOfShape"})
    readers = {name: node.op_type for node in nodes for name in node.input}
    weights = {name: array for name, array in known.items() if name in readers and name not in shapes}
    for node in nodes:
        parts = [(name, shapes.get(name)) for name in node.input]
        if node.op_type in ("Conv", "Gemm"):
            for name, shape in parts[1:]:
                scale = np.sqrt(2 / np.prod(shape[1:])) if len(shape) > 1 else 0.1
                weights[name] = rng.standard_normal(shape, dtype=np.float32) * np.float32(scale)
        elif node.op_type == "BatchNormalization":
            (factor, size), (shift, _), (mean, _), (variance, _) = parts[1:]
            last = readers.get(node.output[0]) == "Sum"
            weights[factor] = np.full(size, 0.3, np.float32) if last else rng.uniform(0.8, 1.2, size).astype(np.float32)
            for name in (shift, mean):
                weights[name] = rng.standard_normal(size, dtype=np.float32) * np.float32(0.1)
            weights[variance] = rng.uniform(0.8, 1.2, size).astype(np.float32)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in weights.items())
    graph.node.extend(nodes)
    inputs = [value for value in graph.input if value.name in readers and value.name not in weights]
    del graph.input[:]
    graph.input.extend(inputs)
    made.ir_version = max(made.ir_version, 4)
    return made


def rates():
    """An input chooses a branch, and the other one does not fit the sizes. Another input has as many elements as its value."""
    def branch(name, sizes):
        shape = numpy_helper.from_array(np.array(sizes), f"{name}_sizes")
        nodes = [helper.make_node("Reshape", ["x", f"{name}_sizes"], [f"{name}_rows"]),
                 helper.make_node("ReduceSum", [f"{name}_rows", "last"], [name], keepdims=0)]
        return helper.make_graph(nodes, name, [], [value(name, shape=(None,))], [shape])

    nodes = [helper.make_node("Equal", ["rate", "fast"], ["is_fast"]),
             helper.make_node("If", ["is_fast"], ["sums"], then_branch=branch("two", [2, 12]), else_branch=branch("many", [5, 5])),
             helper.make_node("Mul", ["sums", "scale"], ["y"], name="scaled")]
    weights = [numpy_helper.from_array(np.int64(16), "fast"), numpy_helper.from_array(np.array([1]), "last")]
    graph = helper.make_graph(nodes, "rates", [value("x", shape=(4, 6)), value("rate", TensorProto.INT64, ()), value("scale", shape=("S",))],
                              [value("y", shape=("S",))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def cancelling():
    """Two products that are equal but for the order of their sums: the difference is nothing but roundings."""
    rng = np.random.default_rng(5)
    order, w = rng.permutation(512), rng.standard_normal((512, 64)).astype(np.float32)
    weights = [numpy_helper.from_array(array, name) for array, name in
               [(w, "w"), (w[order], "v"), (order, "order"), (np.float32(1e-6), "scale"), (np.int8(0), "zero")]]
    nodes = [helper.make_node("Gather", ["x", "order"], ["p"], axis=1), helper.make_node("MatMul", ["x", "w"], ["a"]),
             helper.make_node("MatMul", ["p", "v"], ["b"]), helper.make_node("Sub", ["a", "b"], ["d"]),
             helper.make_node("Relu", ["d"], ["y"], name="relu"), helper.make_node("QuantizeLinear", ["d", "scale", "zero"], ["q"])]
    graph = helper.make_graph(nodes, "cancelling", [value("x", shape=(4, 512))],
                              [value("y", shape=(4, 64)), value("q", TensorProto.INT8, (4, 64))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


# Models of more than 100 MB, which tests do not make by themselves.
def packed():
    """A convolution and a linear layer of 17 images, more rows than read weights as they are: filters are a left operand,
    weights a right one, and both together are large enough for a file of packed constants."""
    rng = np.random.default_rng(3)
    weights = [floats(rng, "filters", 192, 96, 3, 3, scale=0.05), floats(rng, "bias", 192), floats(rng, "w", 1000, 192, scale=0.05), floats(rng, "b", 1000)]
    nodes = [helper.make_node("Conv", ["x", "filters", "bias"], ["c"], pads=[1] * 4), helper.make_node("Relu", ["c"], ["r"]),
             helper.make_node("GlobalAveragePool", ["r"], ["g"]), helper.make_node("Flatten", ["g"], ["f"]),
             helper.make_node("Gemm", ["f", "w", "b"], ["y"], transB=1)]
    graph = helper.make_graph(nodes, "packed", [value("x", shape=(17, 96, 5, 5))], [value("y", shape=(17, 1000))], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def tiny(count=300, size=16):
    """Many nodes with little work each. For x near 1, values stay near 1 or -1."""
    nodes, value = [], "x"
    for i in range(count):
        kind = ("Relu", "Neg", "Abs", "Mul")[i % 4]
        result = "y" if i + 1 == count else f"v{i}"
        nodes.append(helper.make_node(kind, [value, "x"] if kind == "Mul" else [value], [result], name=f"{kind}_{i}"))
        value = result
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [size]) for name in "xy"]
    graph = helper.make_graph(nodes, "tiny", infos[:1], infos[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9, producer_name="models.py")


def yolov3():
    """YOLOv3 at 416 x 416 with 80 classes, without its NonMaxSuppression: Darknet-53, three heads and their decoding, weights
    by seed as in `resnet50`. Its results are boxes [1, 10647, 4] and scores [1, 10647, 80]. Weights of heads are small, so that
    sizes of boxes, which are exponentials, stay finite."""
    rng = np.random.default_rng(0)
    nodes, weights = [], []

    def op(kind, *inputs, outputs=1, **attributes):
        results = [f"v{len(nodes)}_{i}" for i in range(outputs)]
        nodes.append(helper.make_node(kind, list(inputs), results, name=f"{kind}_{len(nodes)}", **attributes))
        return results[0] if outputs == 1 else results

    def constant(value, dtype=np.float32):
        weights.append(numpy_helper.from_array(np.array(value, dtype=dtype), f"c{len(weights)}"))
        return weights[-1].name

    def conv(x, channels, filters, size, stride=1, scale=1.0):
        """A convolution with BatchNorm and LeakyRelu."""
        filter = constant(rng.standard_normal((filters, channels, size, size), dtype=np.float32) * np.float32(np.sqrt(2 / (channels * size * size))))
        x = op("Conv", x, filter, kernel_shape=[size] * 2, strides=[stride] * 2, pads=[size // 2] * 4)
        norm = [scale * rng.uniform(0.8, 1.2, filters), rng.uniform(-0.1, 0.1, filters), rng.uniform(-0.1, 0.1, filters), rng.uniform(0.8, 1.2, filters)]
        return op("LeakyRelu", op("BatchNormalization", x, *map(constant, norm)), alpha=0.1)

    def stage(x, channels, blocks):
        x = conv(x, channels // 2, channels, 3, 2)
        for _ in range(blocks):
            x = op("Add", conv(conv(x, channels, channels // 2, 1), channels // 2, channels, 3, scale=0.3), x)
        return x

    def neck(x, channels, half):
        for filters, size in ((half, 1), (2 * half, 3), (half, 1), (2 * half, 3), (half, 1)):
            x = conv(x, channels, filters, size)
            channels = filters
        return x

    def head(x, half, size, anchors):
        """Boxes and scores of three anchors for each place."""
        x, stride = conv(x, half, 2 * half, 3), 416 / size
        filter = constant(rng.standard_normal((255, 2 * half, 1, 1), dtype=np.float32) * np.float32(0.02 / np.sqrt(2 * half)))
        x = op("Conv", x, filter, constant(np.zeros(255)), kernel_shape=[1, 1])
        x = op("Transpose", op("Reshape", x, constant([1, 3, 85, size, size], np.int64)), perm=[0, 1, 3, 4, 2])
        centre, extent, seen, classes = op("Split", x, constant([2, 2, 1, 80], np.int64), outputs=4, axis=4)
        grid = np.stack(np.meshgrid(np.arange(size), np.arange(size)), axis=-1)[None, None]
        centre = op("Mul", op("Add", op("Sigmoid", centre), constant(grid)), constant(stride))
        extent = op("Mul", op("Exp", extent), constant(np.array(anchors)[None, :, None, None]))
        boxes = op("Concat", centre, extent, axis=4)
        scores = op("Mul", op("Sigmoid", seen), op("Sigmoid", classes))
        return op("Reshape", boxes, constant([1, -1, 4], np.int64)), op("Reshape", scores, constant([1, -1, 80], np.int64))

    def larger(x, channels, other):
        x = conv(x, channels, channels // 2, 1)
        x = op("Resize", x, "", constant([1, 1, 2, 2]), mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric")
        return op("Concat", x, other, axis=1)

    x = conv("x", 3, 32, 3)
    for channels, blocks in ((64, 1), (128, 2)):
        x = stage(x, channels, blocks)
    fine = stage(x, 256, 8)
    middle = stage(fine, 512, 8)
    coarse = neck(stage(middle, 1024, 4), 1024, 512)
    heads = [head(coarse, 512, 13, [(116, 90), (156, 198), (373, 326)])]
    middle = neck(larger(coarse, 512, middle), 768, 256)
    heads.append(head(middle, 256, 26, [(30, 61), (62, 45), (59, 119)]))
    fine = neck(larger(middle, 256, fine), 384, 128)
    heads.append(head(fine, 128, 52, [(10, 13), (16, 30), (33, 23)]))
    for number, name in enumerate(("boxes", "scores")):
        nodes.append(helper.make_node("Concat", [each[number] for each in heads], [name], axis=1))
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 416, 416])]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 10647, size]) for name, size in (("boxes", 4), ("scores", 80))]
    graph = helper.make_graph(nodes, "yolov3", inputs, outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8, producer_name="models.py")


LARGE = {"resnet50": resnet50, "yolov3": yolov3, "tiny": tiny, "packed": packed, "bert_base": lambda: bert(layers=12, hidden=768, heads=12, inner=3072, words=30522, length=128)}


def all_models(folder):
    return [("bert", bert()), ("bert_new", bert(new=True)), ("bert_open", bert(batch="batch", length="seq")), ("mlp", mlp()), ("alike", alike()), ("convnet", convnet()), ("block", block()), ("shapes", shapes()), ("ends", ends()), ("pieces", pieces()), ("blocks", blocks()), ("volumes", volumes()), ("parts", parts()), ("quantized", quantized()), ("layers", layers()), ("places", places()), ("loops", loops()), ("scans", scans()), ("ranges", ranges()), ("branches", branches()), ("choices", choices()), ("boxes", boxes()), ("detector", detector()), ("masks", masks()), ("every_attribute", every_attribute()), ("subgraphs", subgraphs()),
            ("functions", functions()), ("doubling", doubling()), ("chain", chain()), ("own", own()),
            ("hostile_names", hostile_names()), ("typed_fields", typed_fields()), ("external", external(folder)), ("overlapping", overlapping(folder)), ("squeezed", squeezed()), ("cancelling", cancelling()), ("rates", rates())]


def half(model):
    """The model with float16 in the place of float32; constants that float16 takes for 0 become 1e-7."""
    def narrow(tensor):
        if tensor.data_type == TensorProto.FLOAT:
            wide = numpy_helper.to_array(tensor)
            narrow = np.where((wide != 0) & (np.abs(wide) < 1e-7), np.copysign(np.float32(1e-7), wide), wide).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(narrow, tensor.name))

    for tensor in model.graph.initializer:
        narrow(tensor)
    for node in model.graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                narrow(attribute.t)
            if node.op_type == "Cast" and attribute.name == "to" and attribute.i == TensorProto.FLOAT:
                attribute.i = TensorProto.FLOAT16
    for each in [*model.graph.input, *model.graph.output, *model.graph.value_info]:
        if each.type.tensor_type.elem_type == TensorProto.FLOAT:
            each.type.tensor_type.elem_type = TensorProto.FLOAT16
    return model


def write_inputs(folder, arguments):
    """Inputs of a compiled model as .npy files in it, and the options of `opc run` that name them, in a file."""
    import json
    import pathlib

    random, options = np.random.default_rng(0), []
    for i, each in enumerate(json.loads(pathlib.Path(folder, "model.json").read_text())["inputs"]):
        values = random.standard_normal(each["shape"]) if each["type"].startswith("float") else np.ones(each["shape"])
        np.save(pathlib.Path(folder, f"{i}.npy"), values.astype(each["type"]))
        options.append(f"--input {each['name']}=@{folder}/{i}.npy")
    pathlib.Path(arguments).write_text(" ".join(options))


def main():
    """models.py <name> <file> [half]: writes one of the models, also a large one, or the same in float16.
    models.py inputs <folder> <file>: see write_inputs.
    """
    import pathlib
    import sys

    if sys.argv[1] == "inputs":
        return write_inputs(*sys.argv[2:])
    file = pathlib.Path(sys.argv[2])
    made = LARGE[sys.argv[1]]() if sys.argv[1] in LARGE else dict(all_models(file.parent))[sys.argv[1]]
    file.write_bytes((half(made) if sys.argv[3:] == ["half"] else made).SerializeToString())


if __name__ == "__main__":
    main()
