"""Models as the onnx package reads them against models as opc reads them: node by node, attribute by attribute, tensors by
the hash of their bytes.

The models: the light models of the package; node tests of a sample of operators, by seed (all of them with --full); a BERT
of two layers; what those do not have (every kind of attribute, functions, sparse and string tensors, external data, typed
fields of every type).
"""

import argparse
import hashlib
import importlib
import pathlib
import pkgutil
import random
import subprocess
import sys

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper

import models

NAMES = {TensorProto.FLOAT: "float32", TensorProto.DOUBLE: "float64"}
KINDS = {value: name for name, value in AttributeProto.AttributeType.items()}
PACKED = {"INT4": 2, "UINT4": 2, "FLOAT4E2M1": 2, "INT2": 4, "UINT2": 4}


def type_name(number):
    if number == 0:
        return "undefined"
    return NAMES.get(number) or TensorProto.DataType.Name(number).lower()


def external_bytes(tensor, folder):
    entries = {entry.key: entry.value for entry in tensor.external_data}
    data = (folder / entries["location"]).read_bytes()
    begin = int(entries.get("offset", 0))
    return data[begin : begin + int(entries["length"])] if "length" in entries else data[begin:]


def tensor_bytes(tensor, folder):
    if tensor.data_location == TensorProto.EXTERNAL:
        return external_bytes(tensor, folder)
    if tensor.data_type == TensorProto.STRING:
        return b"".join(b"%d:%s" % (len(each), each) for each in tensor.string_data)
    if tensor.HasField("raw_data"):
        return tensor.raw_data
    name = TensorProto.DataType.Name(tensor.data_type)
    if name in PACKED:
        return bytes(value & 255 for value in tensor.int32_data)
    if name.startswith("FLOAT6"):
        bits = sum((value & 63) << (6 * i) for i, value in enumerate(tensor.int32_data))
        return bits.to_bytes((6 * len(tensor.int32_data) + 7) // 8, "little")
    return numpy_helper.to_array(tensor).tobytes()


def tensor_text(tensor, folder):
    return f"{type_name(tensor.data_type)}{numbers(tensor.dims)} {hashlib.sha256(tensor_bytes(tensor, folder)).hexdigest()}"


def numbers(values):
    return "[" + ",".join(str(value) for value in values) + "]"


def names(values):
    return "(" + ",".join(values) + ")"


def plain(domain):
    return "" if domain == "ai.onnx" else domain


def type_text(proto):
    kind = proto.WhichOneof("value")
    if kind in ("tensor_type", "sparse_tensor_type"):
        tensor = getattr(proto, kind)
        text = ("tensor " if kind == "tensor_type" else "sparse ") + type_name(tensor.elem_type)
        if not tensor.HasField("shape"):
            return text
        sizes = [str(d.dim_value) if d.HasField("dim_value") and d.dim_value >= 0 else f"'{d.dim_param}'" for d in tensor.shape.dim]
        return text + "[" + ",".join(sizes) + "]"
    if kind is None:
        return "tensor undefined"
    if kind == "map_type":
        return f"map {type_name(proto.map_type.key_type)}<{type_text(proto.map_type.value_type)}>"
    if kind == "opaque_type":
        return "opaque<>"
    inner = getattr(proto, kind).elem_type
    return f"{kind.removesuffix('_type')}<{type_text(inner)}>"


def attribute_lines(attribute, folder, indent):
    line = f"{indent}attribute {attribute.name} {KINDS[attribute.type]}"
    if attribute.ref_attr_name:
        return [f"{line} @{attribute.ref_attr_name}"]
    value = helper.get_attribute_value(attribute)
    kind = KINDS[attribute.type]
    values = list(value) if kind.endswith("S") else [value]
    graphs = []
    for each in values:
        if kind.startswith("FLOAT"):
            line += " " + np.float32(each).tobytes().hex()
        elif kind.startswith("INT"):
            line += f" {each}"
        elif kind.startswith("STRING"):
            line += " " + (each if isinstance(each, bytes) else each.encode()).hex() + "."
        elif kind.startswith("SPARSE"):
            line += f" {numbers(each.dims)} {tensor_text(each.values, folder)} {tensor_text(each.indices, folder)}"
        elif kind.startswith("TENSOR"):
            line += " " + tensor_text(each, folder)
        elif kind.startswith("TYPE"):
            line += " " + type_text(each)
        else:
            graphs += graph_lines(each, folder, indent + "  ")
    return [line, *graphs]


def node_lines(nodes, folder, indent):
    lines = []
    for node in nodes:
        lines.append(f"{indent}node {node.op_type} '{plain(node.domain)}' '{node.name}' {names(node.input)} {names(node.output)}")
        for attribute in node.attribute:
            lines += attribute_lines(attribute, folder, indent + "  ")
    return lines


def graph_lines(graph, folder, indent):
    lines = [f"{indent}graph {graph.name}"]
    for what, values in (("input", graph.input), ("output", graph.output), ("value", graph.value_info)):
        lines += [f"{indent}{what} {v.name} {type_text(v.type) if v.HasField('type') else '?'}" for v in values]
    lines += [f"{indent}initializer {t.name} {tensor_text(t, folder)}" for t in graph.initializer]
    lines += [f"{indent}sparse {t.values.name} {numbers(t.dims)} {tensor_text(t.values, folder)} {tensor_text(t.indices, folder)}"
              for t in graph.sparse_initializer]
    return lines + node_lines(graph.node, folder, indent)


def model_lines(model, folder):
    lines = [f"ir {model.ir_version}"]
    lines += [f"opset '{plain(entry.domain)}' {entry.version}" for entry in model.opset_import]
    lines += [f"metadata {entry.key}={entry.value}" for entry in model.metadata_props]
    lines += graph_lines(model.graph, folder, "")
    for function in model.functions:
        lines.append(f"function {function.name} '{plain(function.domain)}' {names(function.input)} {names(function.output)} "
                     f"{names(function.attribute)}")
        for attribute in function.attribute_proto:
            lines += attribute_lines(attribute, folder, "  ")
        lines += node_lines(function.node, folder, "  ")
    return lines


def node_tests(seed, count):
    """Models of the node tests of some operators, or of all."""
    import onnx.backend.test.case.node as cases

    modules = sorted(m.name for m in pkgutil.iter_modules(cases.__path__) if not m.name.startswith("_"))
    if count < len(modules):
        modules = random.Random(seed).sample(modules, count)
    for name in modules:
        importlib.import_module(f"onnx.backend.test.case.node.{name}")
    return [(case.name, case.model) for case in cases._NodeTestCases]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dump", required=True, help="the program onnx_dump")
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--operators", type=int, default=10, help="operators whose node tests are read")
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)

    light = sorted((pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data" / "light").glob("*.onnx"))
    files = [(path.stem, path) for path in light]
    made = [*models.all_models(options.folder), *node_tests(options.seed, 10000 if options.full else options.operators)]
    for number, (name, model) in enumerate(made):
        path = options.folder / f"{number}.onnx"
        path.write_bytes(model.SerializeToString())
        files.append((name, path))
    done = subprocess.run([options.dump, *(str(path) for _, path in files)], capture_output=True, check=True)
    found = []
    current = None
    for line in done.stdout.decode().split("\n"):
        if line.startswith("model ") and line[6:].isdigit():
            current = []
            found.append(current)
        elif line:
            current.append(line)
    wrong = compared = 0
    for (name, path), ours in zip(files, found, strict=True):
        theirs = [line for line in "\n".join(model_lines(onnx.load(path, load_external_data=False), options.folder)).split("\n") if line]
        compared += len(theirs)
        for number, (one, other) in enumerate(zip([*ours, *[""] * len(theirs)], theirs)):
            if one != other:
                wrong += 1
                print(f"{name}, line {number}:\n  opc  {one[:300]}\n  onnx {other[:300]}")
                break
        else:
            if len(ours) != len(theirs):
                wrong += 1
                print(f"{name}: {len(ours)} lines instead of {len(theirs)}")
    print(f"{len(files)} models, {compared} lines compared, {wrong} models differ")
    return 1 if wrong or compared < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
