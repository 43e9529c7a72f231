"""The Python that a package carries: the entry for the vendor's compiler, the ONNX schema, the MindSpore cell.

The vendor's and MindSpore's modules are replaced by ones that note what they are called with; onnx is the real one.
"""

import importlib.util
import os
import pathlib
import sys
import types

import onnx
from onnx import TensorProto, checker, helper, shape_inference

root = pathlib.Path(sys.argv[1])
calls = []


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stub(name, **members):
    module = types.ModuleType(name)
    for member, value in members.items():
        setattr(module, member, value)
    sys.modules[name] = module
    return module


def same(found, expected, where):
    if found != expected:
        raise SystemExit(f"{where}: expects {expected!r}, found {found!r}")


# The entry for the vendor's compiler.
stub("tbe"), stub("tbe.common")
stub("tbe.common.buildcfg", get_current_build_config=lambda name: False)
registered = {}


def register_operator(name, trans_bool_to_s8=True):
    # Else tensors of bool arrive as int8, which is another type row or none.
    same(trans_bool_to_s8, False, "trans_bool_to_s8")
    return lambda function: registered.setdefault(name, function)


stub("tbe.common.register", register_operator=register_operator)


class OpInfo:
    def __init__(self, **fields):
        self.__dict__.update(fields)


stub("tbe.tikcpp", OpInfo=OpInfo, get_code_channel=lambda *a: 0, compile_op=lambda *a: calls.append(a))
entry = load(root / "op_impl/ai_core/tbe/mine_impl/dynamic/my_swish.py")
tools = root / "toolkit" / "compiler" / "ccec_compiler" / "bin"
tools.mkdir(parents=True)
os.environ["BISHENG_REAL_PATH"] = str(tools / "bisheng")
half, single = {"dtype": "float16", "format": "ND"}, {"dtype": "float32", "format": "ND"}
registered["MySwish"](half, half, kernel_name="k", impl_mode="high_precision")
source, function, info, options, _, extra = calls[-1]
same(pathlib.Path(source), root / "op_impl/ai_core/tbe/mine_impl/dynamic/my_swish.cpp", "source")
same(pathlib.Path(source).exists(), True, "source")
same((function, info.op_type, info.kernel_name, extra), ("my_swish", "MySwish", "k", "{}"), "entry")
same(info.attrs, [{"name": "beta", "dtype": "float", "value": 1.0}], "default of an attribute")
same("-DHIGH_PRECISION=1" in options, True, "options")
# The folders of the toolkit's headers, beside the compiler, and that of the kernel's own.
tikcpp = root / "toolkit" / "compiler" / "tikcpp"
for folder in (tikcpp, tikcpp / "tikcfw", tikcpp / "tikcfw" / "impl", tikcpp / "tikcfw" / "interface"):
    same(f"-I{folder}" in options, True, f"include path {folder}")
same(f"-I{pathlib.Path(source).parent}" in options, True, "include path of the source")
# The row of this build: without it the source compiles all rows into each binary.
same([option for option in options if "_X=" in option or "_Y=" in option],
     ["-DDTYPE_X=half", "-DORIG_DTYPE_X=DT_FLOAT16", "-DFORMAT_X=FORMAT_ND",
      "-DDTYPE_Y=half", "-DORIG_DTYPE_Y=DT_FLOAT16", "-DFORMAT_Y=FORMAT_ND"], "macros of types")
registered["MySwish"](single, None)
same([option for option in calls[-1][3] if "DTYPE" in option], ["-DDTYPE_X=float", "-DORIG_DTYPE_X=DT_FLOAT"], "macros of float32")
registered["MySwish"](half, half, 2.0)
same(calls[-1][2].attrs[0]["value"], 2.0, "value of an attribute")

# The ONNX schema, by onnx itself.
schema = load(root / "framework/onnx/my_swish_schema.py")
schema.register()
same(schema.schema().attributes["beta"].default_value.f, 1.0, "default in the schema")


def model(element, **attributes):
    node = helper.make_node("MySwish", ["x"], ["y"], domain="mine", **attributes)
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", element, [2, 3])],
                              [helper.make_tensor_value_info("y", element, [2, 3])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("mine", 1)])


checker.check_model(model(TensorProto.FLOAT16, beta=0.5))
for broken in (dict(gamma=1.0), dict(beta=1)):
    try:
        checker.check_model(model(TensorProto.FLOAT, **broken))
    except checker.ValidationError:
        continue
    raise SystemExit(f"the schema takes {broken}")
try:
    shape_inference.infer_shapes(model(TensorProto.INT32), check_type=True, strict_mode=True)
    raise SystemExit("the schema takes int32")
except onnx.shape_inference.InferenceError:
    pass

# Where the inputs leave the output's type open, the node says it, as ONNX's own Cast does.
load(root.parent.parent.parent / "cast/vendors/mine/framework/onnx/my_cast_schema.py").register()


def cast(**attributes):
    node = helper.make_node("MyCast", ["x"], ["y"], domain="mine", **attributes)
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
                              [helper.make_tensor_value_info("y", TensorProto.INT8, [2])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("mine", 1)])


checker.check_model(cast(to=TensorProto.INT8))
for broken in (dict(), dict(to=3.0)):
    try:
        checker.check_model(cast(**broken))
    except checker.ValidationError:
        continue
    raise SystemExit(f"the schema of MyCast takes {broken}")

# The MindSpore cell.


class CustomRegOp:
    def __init__(self, name):
        self.said = [name]

    def __getattr__(self, word):
        def say(*arguments):
            self.said.append((word, *arguments))
            return self.said if word == "get_op_info" else self
        return say


class DataTypes:
    def __getattr__(self, name):
        return name


class Custom:
    def __init__(self, name, **options):
        self.name, self.options = name, options

    def __call__(self, *arguments):
        return self.name, self.options["out_shape"], self.options["out_dtype"], arguments


class Cell:
    def __init__(self):
        pass


ops = stub("mindspore.ops", CustomRegOp=CustomRegOp, DataType=DataTypes(), Custom=Custom)
stub("mindspore.nn", Cell=Cell)
stub("mindspore", nn=sys.modules["mindspore.nn"], ops=ops, float16="float16", float32="float32", bfloat16="bfloat16")
cell = load(root / "framework/mindspore/my_swish_mindspore.py").MySwish()
name, shape, dtype, arguments = cell.construct("x")
same((name, arguments), ("aclnnMySwish", ("x", 1.0)), "call")
same(shape([4, 5], 1.0), (4, 5), "shape")
same(dtype("float32", 1.0), "float32", "type")
said = cell.call.options["reg_info"]
same(("input", 0, "x", "required") in said and ("attr", "beta", "required", "float") in said, True, "registration")
same(("dtype_format", "F16_Default", "F16_Default") in said, True, "types")
same(cell.call.options["func_type"], "aot", "kind")
relu = load(root.parent.parent.parent / "one/vendors/mine/framework/mindspore/add_relu_mindspore.py")
same(relu.infer_shape([2, 3], [2, 3]), (2, 3), "shape of two inputs")
try:
    relu.infer_shape([2, 3], [3, 2])
    raise SystemExit("shapes that differ are taken")
except ValueError:
    pass
print("all Python sources hold")
