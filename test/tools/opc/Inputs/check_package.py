"""Holds the JSON files and Python sources of a package to the layout of the vendor's packages, field for field."""

import ast
import hashlib
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
tbe = root / "op_impl/ai_core/tbe"


def load(path):
    return json.loads((root / path).read_text())


def same(found, expected, where):
    if found != expected:
        raise SystemExit(f"{where}: expects {expected!r}, found {found!r}")


manifest = load("package.json")
for entry in manifest["files"]:
    data = (root / entry["path"]).read_bytes()
    same(entry["sha256"], hashlib.sha256(data).hexdigest(), entry["path"])
    same(entry["size"], len(data), entry["path"])
on_disk = {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()} - {"package.json"}
same({e["path"] for e in manifest["files"]}, on_disk, "files")
same([o["op_type"] for o in manifest["operators"]], ["MyAddRelu", "MySwish"], "operators")
same([o["shadows_builtin"] for o in manifest["operators"]], [False, False], "operators")
absent = [entry["path"] for entry in manifest["absent"]]
for path in absent:
    same((root / path).exists(), False, path)
same(sum(path.endswith(".o") for path in absent), 6, "absent kernels")
same({pathlib.PurePath(path).name for path in absent if path.endswith(".so")},
     {"libcust_opapi.so", "libcust_opsproto_rt2.0.so", "libcust_opmaster_rt2.0.so", "liboptiling.so"}, "absent libraries")

info = load("op_impl/ai_core/tbe/config/ascend310b/aic-ascend310b-ops-info.json")
same(list(info), ["MyAddRelu", "MySwish"], "ops-info")
swish = info["MySwish"]
same(swish["input0"], {"name": "x", "dtype": "float16,float32,bfloat16", "format": "ND,ND,ND",
                       "unknownshape_format": "ND,ND,ND", "paramType": "required", "shape": "all"}, "input0")
same(swish["attr"], {"list": "beta"}, "attr")
same(swish["attr_beta"], {"paramType": "optional", "type": "float", "value": "all", "defaultValue": "1.0"}, "attr_beta")
same((swish["opFile"], swish["opInterface"]), ({"value": "my_swish"}, {"value": "my_swish"}), "opFile")
same({key: swish[key]["flag"] for key in ("dynamicCompileStatic", "dynamicFormat", "dynamicRankSupport",
                                          "dynamicShapeSupport", "needCheckSupport", "precision_reduce")},
     {"dynamicCompileStatic": "true", "dynamicFormat": "true", "dynamicRankSupport": "true",
      "dynamicShapeSupport": "true", "needCheckSupport": "false", "precision_reduce": "true"}, "flags")

KEYS = ["binFileName", "binFileSuffix", "blockDim", "coreType", "core_type", "kernelName", "kernelList", "magic",
        "memoryStamping", "opParaSize", "parameters", "sha256", "workspace", "optionalInputMode", "compileInfo",
        "supportInfo", "filePath"]
kernels = {}
for path in sorted((tbe / "kernel/ascend310b/my_add_relu").glob("*.json")):
    kernel = json.loads(path.read_text())
    same(list(kernel), KEYS, path.name)
    same(re.fullmatch(r"MyAddRelu_[0-9a-f]{32}", kernel["binFileName"]) is not None, True, "binFileName")
    same(kernel["binFileName"] + ".json", path.name, "binFileName")
    same((kernel["binFileSuffix"], kernel["coreType"], kernel["core_type"], kernel["magic"]),
         (".o", "VectorCore", "AIV", "RT_DEV_BINARY_MAGIC_ELF"), path.name)
    same(kernel["filePath"], f"ascend310b/my_add_relu/{path.name}", "filePath")
    same(len(kernel["parameters"]), 4, "parameters")
    # block_num_, tiling_key, size0, block_length of eight bytes, tile_length of four, rounded up to eight.
    same(kernel["opParaSize"], 40, "opParaSize")
    same(kernel["workspace"], {"num": 1, "size": [-1], "type": [0]}, "workspace")
    same(kernel["blockDim"], -1, "blockDim")
    same(kernel["sha256"], "", "sha256 of what is absent")
    support = kernel["supportInfo"]
    same(list(support), ["implMode", "int64Mode", "simplifiedKeyMode", "simplifiedKey", "staticKey", "inputs", "outputs",
                         "attrs", "opMode", "optionalInputMode", "deterministic"], "supportInfo")
    same(support["inputs"][1]["format_match_mode"], "FormatAgnostic", "inputs")
    same(support["inputs"][1]["shape"], [-2], "inputs")
    kernels[support["inputs"][0]["dtype"]] = kernel
same(sorted(kernels), ["bfloat16", "float16", "float32"], "kernels")
# As real packages: deterministic or not, with the mode of precision that implMode names or none.
for row, code in (("float16", 1), ("float32", 0), ("bfloat16", 27)):
    same(sorted(kernels[row]["supportInfo"]["simplifiedKey"]),
         [f"MyAddRelu/d={d},p={p}/{code},2/{code},2/{code},2" for d in (0, 1) for p in (0, 1)], f"simplified keys of {row}")
key = next(k["tiling_key"] for k in load("op_pkg/my_add_relu/1.0.0/op_impl/manifest.json")["kernels"] if k["type_row"] == 1)
same([k["kernelName"] for k in kernels["float32"]["kernelList"]], [f"{kernels['float32']['kernelName']}_{key}"], "kernelList")
same(kernels["float16"]["supportInfo"]["staticKey"] == kernels["float32"]["supportInfo"]["staticKey"], False, "static keys")

config = json.loads((tbe / "kernel/config/ascend310b/my_add_relu.json").read_text())
same([entry["binInfo"]["jsonFilePath"] for entry in config["binList"]],
     [kernels[row]["filePath"] for row in ("float16", "float32", "bfloat16")], "binList")
binary = json.loads((tbe / "kernel/config/ascend310b/binary_info_config.json").read_text())
same(sorted(binary), ["MyAddRelu", "MySwish"], "binary_info_config")
entry = binary["MyAddRelu"]
same(list(entry), ["dynamicRankSupport", "simplifiedKeyMode", "optionalInputMode", "params", "binaryList"], "binary_info_config")
same(entry["params"]["inputs"][0], {"name": "x1", "index": 0, "paramType": "required", "formatMode": "static_nd_agnostic"}, "params")
same("attrs" in entry["params"], False, "attributes of an operator without any")
same(binary["MySwish"]["params"]["attrs"], ["beta"], "params.attrs")
for path in (tbe / "kernel/ascend310b/my_swish").glob("*.json"):
    same(json.loads(path.read_text())["supportInfo"]["attrs"], [{"name": "beta", "dtype": "float", "value": 0.0}], "attrs")
for item in entry["binaryList"]:
    same(len(item["simplifiedKey"]), 4, "simplified keys of a binary")
for item in config["binList"]:
    same(len(item["simplifiedKey"]), 4, "simplified keys of a configuration")
same(entry["binaryList"][0]["coreType"], 2, "coreType")
same(entry["binaryList"][0]["jsonPath"], kernels["float16"]["filePath"], "jsonPath")
same(entry["binaryList"][0]["binPath"], kernels["float16"]["filePath"].replace(".json", ".o"), "binPath")
for item in entry["binaryList"]:
    same(f"op_impl/ai_core/tbe/kernel/{item['binPath']}" in absent, True, "binPath among what is absent")

for path in root.rglob("*.py"):
    ast.parse(path.read_text(), str(path))
same((root / "version.info").read_text().startswith("custom_opp_compiler_version="), True, "version.info")

op = load("op_pkg/my_swish/1.0.0/op_proto/op.json")
types = ["float16", "float", "bf16"]
same(op, [{"op": "MySwish", "language": "cpp",
           "input_desc": [{"name": "x", "param_type": "required", "format": ["ND"] * 3, "type": types}],
           "output_desc": [{"name": "y", "param_type": "required", "format": ["ND"] * 3, "type": types}],
           "attr": [{"name": "beta", "param_type": "optional", "type": "float", "default_value": 1.0}]}], "op.json")
op_folder = load("op_pkg/my_swish/1.0.0/op_impl/manifest.json")
same((op_folder["op_type"], op_folder["name"]), ("MySwish", "my_swish"), "manifest of the op folder")
