"""The Python part of `opc model extract`: one node of a model as a model of its own, with its inputs and results as a case.

    python model_extract.py MODEL.onnx FOLDER

FOLDER/request.json is {"inputs": {name: file.npy}, "node": index in the model's graph}. Written are node.onnx, an
input.N.npy for each value that the node reads while the model runs (constants stay in the model), an expected.N.npy for each
result, and answer.json: {"inputs": {name: file}, "outputs": {name: file}}, or {"error": text}. Values are those of ONNX
Runtime, which changes nothing of the graph.
"""

import json
import os
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import helper


def names_read(node):
    """What a node reads, with what its subgraphs read from around them, in the order of the file."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        for graph in [attribute.g, *attribute.graphs]:
            inside = {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer}
            for each in graph.node:
                names += [name for name in names_read(each) if name not in inside]
                inside.update(each.output)
            names += [value.name for value in graph.output if value.name and value.name not in inside]
    return list(dict.fromkeys(names))


def extract(path, folder):
    with open(os.path.join(folder, "request.json"), encoding="utf-8") as file:
        request = json.load(file)
    model = onnx.load(path)
    node = model.graph.node[request["node"]]
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    for each in model.graph.node:
        value = [attribute.t for attribute in each.attribute if attribute.name == "value"]
        if each.op_type == "Constant" and value:
            tensor = onnx.TensorProto()
            tensor.CopyFrom(value[0])
            tensor.name = each.output[0]
            constants[tensor.name] = tensor
    read = names_read(node)
    given = {name: np.load(os.path.join(folder, file)) for name, file in request["inputs"].items()}
    results = [name for name in node.output if name]
    wanted = [name for name in read if name not in constants and name not in given] + results
    outputs = {output.name for output in model.graph.output}
    run = onnx.ModelProto()
    run.CopyFrom(model)
    for name in wanted:
        if name not in outputs:
            run.graph.output.append(onnx.ValueInfoProto(name=name))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(run.SerializeToString(), options, providers=["CPUExecutionProvider"])
    values = dict(given)
    values.update(zip(wanted, session.run(wanted, given)))
    for name in [name for name in read if name not in constants] + results:
        if not isinstance(values[name], np.ndarray):
            raise ValueError(f"'{name}' is no tensor")

    def info(name):
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(values[name].dtype), values[name].shape)

    inputs = [name for name in read if name not in constants]
    graph = helper.make_graph([node], model.graph.name or "node", [info(name) for name in inputs],
                              [info(name) for name in results], [constants[name] for name in read if name in constants])
    made = helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version, functions=model.functions)
    with open(os.path.join(folder, "node.onnx"), "wb") as file:
        file.write(made.SerializeToString(deterministic=True))

    def save(names, kind):
        files = {}
        for i, name in enumerate(names):
            files[name] = f"{kind}.{i}.npy"
            np.save(os.path.join(folder, files[name]), values[name])
        return files

    return {"inputs": save(inputs, "input"), "outputs": save(results, "expected")}


def main():
    path, folder = sys.argv[1:]
    try:
        answer = extract(path, folder)
    except Exception as error:  # whatever ONNX Runtime raises is its answer
        answer = {"error": f"{type(error).__name__}: {error}"}
    with open(os.path.join(folder, "answer.json"), "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    main()
