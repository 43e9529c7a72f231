"""The Python part of `opc test MODEL.onnx`: runs the model with ONNX Runtime and writes each requested value.

    python model_test.py MODEL.onnx FOLDER

FOLDER/request.json is {"inputs": {name: file.npy}, "values": [name, ...]}. Of the values that are results of nodes of the
model's graph, each is made an output, written to FOLDER/expected.N.npy, and named in FOLDER/answer.json:
{"values": {name: file}, "errors": {name: error}}, or {"error": text}; `errors` has what ONNX Runtime itself is off by. ONNX
Runtime changes nothing of the graph (ORT_DISABLE_ALL), so that there is each value of the file.

A second request asks how far values move in ONNX Runtime if what they are computed from is rounded once more. It also has
{"moves": [name, ...], "alone": [name, ...], "known": {name: file.npy}}. For `moves`, the weights and inputs of the model are
rounded; for `alone`, what the nodes between the values of `known` and the named one read. The answer is
{"moves": {name: [file, ...]}, "alone": {name: [file, ...]}}, RUNS files for each name that could be computed.
"""

import json
import os
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper


# Absolute errors of ONNX Runtime's own kernels in float32, where they are more than a rounding of the result: its Sigmoid
# was 1.2e-7 off at -12.5, where the result is 3.5e-6 (against float64, version 1.32). Twice that, two units of the last place
# of 1.
ERRORS = {"Sigmoid": 2.0**-22}
RUNS = 3
# Smaller tensors may be exponents, scales of Resize, bounds of Clip, or sizes that are computed as numbers of floating point.
FEWEST = 17
ROUNDING = 2.0**-23
SUMS = {"AveragePool", "GlobalAveragePool", "ReduceMean", "ReduceSum", "ReduceSumSquare", "ReduceL1", "ReduceL2",
        "ReduceLogSum", "ReduceLogSumExp"}
# Operators that hand elements on as they are.
MOVES = {"Concat", "Flatten", "Gather", "Identity", "Reshape", "Slice", "Split", "Squeeze", "Transpose", "Unsqueeze"}


def session_of(model):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def with_outputs(model, names):
    outputs = {output.name for output in model.graph.output}
    for name in names:
        if name not in outputs:
            model.graph.output.append(onnx.ValueInfoProto(name=name))
            outputs.add(name)
    return model


def save(folder, file, value):
    np.save(os.path.join(folder, file), np.ascontiguousarray(value) if np.ndim(value) else value)
    return file


def reference(model, request, inputs, folder):
    there = {name for node in model.graph.node for name in node.output if name}
    there |= {output.name for output in model.graph.output}
    wanted = [name for name in request["values"] if name in there]
    session = session_of(with_outputs(model, wanted))
    files = {}
    for i, (name, value) in enumerate(zip(wanted, session.run(wanted, inputs) if wanted else [])):
        files[name] = save(folder, f"expected.{i}.npy", value)
    errors = {}
    for node in model.graph.node:
        own = ERRORS.get(node.op_type, 0.0)
        if node.op_type in MOVES:
            own = max([errors.get(name, 0.0) for name in node.input], default=0.0)
        if own:
            errors.update(dict.fromkeys(node.output, own))
    return {"values": files, "errors": errors}


def rounded(value, random):
    """Each finite number of floating point other than 0 becomes the next larger or smaller one."""
    if value.dtype not in (np.float16, np.float32, np.float64):
        return value
    towards = np.where(random.integers(0, 2, value.shape, dtype=np.uint8) != 0, np.inf, -np.inf).astype(value.dtype)
    return np.where(np.isfinite(value) & (value != 0), np.nextafter(value, towards), value)


def elements_of(model, inputs):
    """The number of elements of each float32 tensor of a model, as shape inference finds it for the given inputs."""
    given = onnx.ModelProto()
    given.CopyFrom(model)
    for value in given.graph.input:
        if value.name in inputs:
            value.CopyFrom(helper.make_tensor_value_info(value.name, value.type.tensor_type.elem_type, inputs[value.name].shape))
    for value in given.graph.output:
        value.type.tensor_type.ClearField("shape")  # what files state here may be wrong
    graph = onnx.shape_inference.infer_shapes(given, data_prop=True).graph
    return {value.name: int(np.prod([max(size.dim_value, 1) for size in value.type.tensor_type.shape.dim], dtype=np.int64))
            for value in [*graph.input, *graph.value_info, *graph.output]
            if value.type.tensor_type.elem_type == onnx.TensorProto.FLOAT}


def round_more(model, inputs, turn):
    """Rounds the weights of a model, and each result of its nodes; returns the model."""
    random = np.random.default_rng(turn)
    constants = [each.t for node in model.graph.node if node.op_type == "Constant" for each in node.attribute
                 if each.name == "value"]
    for tensor in [*model.graph.initializer, *constants]:
        if np.prod(tensor.dims) >= FEWEST:
            tensor.CopyFrom(numpy_helper.from_array(rounded(numpy_helper.to_array(tensor), random), tensor.name))
    elements = elements_of(model, inputs)
    nodes = []
    for node in model.graph.node:
        nodes.append(node)
        for i, name in enumerate(node.output):
            if elements.get(name, 0) < FEWEST or node.op_type in MOVES:
                continue
            # Each element has a factor of its own. A sum of n terms is rounded n times, which is sqrt(n) roundings.
            terms = elements.get(node.input[0], 0) / elements[name] if node.op_type in SUMS else 1
            most = ROUNDING * max(1, terms**0.5 / 2)
            node.output[i] = f"{name} exact"
            nodes += [helper.make_node("RandomUniformLike", [node.output[i]], [f"{name} factor"], low=1 - most, high=1 + most,
                                       seed=float(turn * len(model.graph.node) + len(nodes)), dtype=1),
                      helper.make_node("Mul", [node.output[i], f"{name} factor"], [name])]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def between(model, result, known):
    """The nodes that compute `result` from values of `known`, as a model of its own: None if they read others."""
    makers = {name: node for node in model.graph.node for name in node.output if name}
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    read, needed, todo = [], set(), [result]
    while todo:
        name = todo.pop()
        if name in known and name != result:
            read.append(name)
        elif name in makers:
            if any(attribute.g.node or attribute.graphs for attribute in makers[name].attribute):
                return None  # a subgraph reads values by name
            if makers[name].output[0] not in needed:
                needed.add(makers[name].output[0])
                todo += [each for each in makers[name].input if each]
        elif name not in constants:
            return None
    nodes = [node for node in model.graph.node if node.output[0] in needed]
    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(known[name].dtype), known[name].shape)
              for name in dict.fromkeys(read)]
    graph = helper.make_graph(nodes, "between", inputs, [onnx.ValueInfoProto(name=result)],
                              [constants[name] for name in constants if any(name in node.input for node in nodes)])
    return helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version, functions=model.functions)


def movements(model, request, inputs, folder):
    moves, alone = {}, {}
    for turn in range(RUNS):
        random = np.random.default_rng(turn)
        changed = onnx.ModelProto()
        changed.CopyFrom(model)
        names = request["moves"]
        session = session_of(with_outputs(round_more(changed, inputs, turn), names))
        given = {name: rounded(value, random) for name, value in inputs.items()}
        for i, (name, value) in enumerate(zip(names, session.run(names, given) if names else [])):
            moves.setdefault(name, []).append(save(folder, f"moved.{turn}.{i}.npy", value))
    known = {name: np.load(os.path.join(folder, file)) for name, file in request["known"].items()} if request["alone"] else {}
    known.update(inputs)
    for i, name in enumerate(request["alone"]):
        part = between(model, name, known)
        if part is None:
            continue
        for turn in range(RUNS):
            random = np.random.default_rng(turn)
            changed = onnx.ModelProto()
            changed.CopyFrom(part)
            session = session_of(round_more(changed, known, turn))
            given = {each.name: rounded(known[each.name], random) for each in part.graph.input}
            alone.setdefault(name, []).append(save(folder, f"alone.{turn}.{i}.npy", session.run([name], given)[0]))
    return {"moves": moves, "alone": alone}


def run(path, folder):
    with open(os.path.join(folder, "request.json"), encoding="utf-8") as file:
        request = json.load(file)
    model = onnx.load(path)
    inputs = {name: np.load(os.path.join(folder, file)) for name, file in request["inputs"].items()}
    return (movements if "moves" in request else reference)(model, request, inputs, folder)


def main():
    path, folder = sys.argv[1:]
    try:
        answer = run(path, folder)
    except Exception as error:  # whatever ONNX Runtime raises is its answer
        answer = {"error": f"{type(error).__name__}: {error}"}
    with open(os.path.join(folder, "answer.json"), "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    main()
