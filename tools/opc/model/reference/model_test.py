"""The Python part of `opc test MODEL.onnx`: runs the model with ONNX Runtime and writes each requested value.

    python model_test.py MODEL.onnx FOLDER

FOLDER/request.json is {"inputs": {name: file.npy}, "values": [name, ...]}. Of the values that are results of nodes of the
model's graph, each is made an output, written to FOLDER/expected.N.npy, and named in FOLDER/answer.json:
{"values": {name: file}, "errors": {name: error}}, or {"error": text}; `errors` has what ONNX Runtime itself is off by. ONNX Runtime changes nothing of the graph (ORT_DISABLE_ALL), so that there is
each value of the file.
"""

import json
import os
import sys

import numpy as np
import onnx
import onnxruntime


# Absolute errors of ONNX Runtime's own kernels in float32, where they are more than a rounding of the result: its Sigmoid
# was 1.2e-7 off at -12.5, where the result is 3.5e-6 (against float64, version 1.32). Twice that, two units of the last place
# of 1.
ERRORS = {"Sigmoid": 2.0**-22}
# Operators that hand elements on as they are.
MOVES = {"Concat", "Flatten", "Gather", "Identity", "Reshape", "Slice", "Split", "Squeeze", "Transpose", "Unsqueeze"}


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
    errors = {}
    for node in model.graph.node:
        own = ERRORS.get(node.op_type, 0.0)
        if node.op_type in MOVES:
            own = max([errors.get(name, 0.0) for name in node.input], default=0.0)
        if own:
            errors.update(dict.fromkeys(node.output, own))
    return {"values": files, "errors": errors}


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
