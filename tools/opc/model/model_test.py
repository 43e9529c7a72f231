"""The Python part of `opc test MODEL.onnx`: runs the model with ONNX Runtime and writes each value that it is asked for.

    python model_test.py MODEL.onnx FOLDER

FOLDER/request.json is {"inputs": {name: file.npy}, "values": [name, ...]}. Of the values that are results of nodes of the
model's graph, each is made an output, written to FOLDER/expected.N.npy, and named in FOLDER/answer.json:
{"values": {name: file}}, or {"error": text}. ONNX Runtime changes nothing of the graph (ORT_DISABLE_ALL), so that there is
each value of the file.
"""

import json
import os
import sys

import numpy as np
import onnx
import onnxruntime


def run(path, folder):
    with open(os.path.join(folder, "request.json"), encoding="utf-8") as file:
        request = json.load(file)
    model = onnx.load(path)
    there = {name for node in model.graph.node for name in node.output if name}
    outputs = {output.name for output in model.graph.output}
    wanted = [name for name in request["values"] if name in there or name in outputs]
    for name in wanted:
        if name not in outputs:
            model.graph.output.append(onnx.ValueInfoProto(name=name))
            outputs.add(name)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    inputs = {name: np.load(os.path.join(folder, file)) for name, file in request["inputs"].items()}
    files = {}
    for i, (name, value) in enumerate(zip(wanted, session.run(wanted, inputs) if wanted else [])):
        files[name] = f"expected.{i}.npy"
        np.save(os.path.join(folder, files[name]), np.ascontiguousarray(value) if np.ndim(value) else value)
    return {"values": files}


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
