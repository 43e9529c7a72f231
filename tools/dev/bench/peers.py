"""Other libraries to compare with: each peer makes a call for a case, on memory that is bound before, with as
many threads.

`version` is that of the measured library. `side` returns a Side, or raises Absent with the reason.
"""

import ctypes

from native import Call
from race import PythonCall, Side
from workload import moving, onnx_model


class Absent(Exception):
    """The peer is not installed, or does not support a case; the text says why."""


class NumPy:
    name = "numpy"

    def __init__(self, bench):
        import numpy

        self.version = numpy.__version__
        self.empty = numpy.empty

    def side(self, case, inputs, output):
        if case.threads > 1:
            raise Absent("NumPy has one thread")
        if case.operator.product and case.type != "f32":
            raise Absent("NumPy has no product of 16 bits beyond a loop")
        if case.operator.constants:
            raise Absent("NumPy has no form of its own for weights")
        if moves := case.operator.moves:
            if not moves.steps:
                raise Absent("NumPy has no such function")
            return Side(self.name, PythonCall(lambda: moves.steps(case.shape, *inputs, output)))
        if not case.operator.steps:
            raise Absent("NumPy has no such function")
        scratch = self.empty((*case.shape[:-1], 1), output.dtype) if case.operator.rows else None
        return Side(self.name, PythonCall(lambda: case.operator.steps(inputs, output, scratch)))


class OnnxRuntime:
    name = "onnxruntime"

    def __init__(self, bench):
        import onnxruntime

        self.module, self.version = onnxruntime, onnxruntime.__version__
        onnxruntime.set_default_logger_severity(4)

    def side(self, case, inputs, output):
        options = self.module.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = case.threads, 1
        try:
            session = self.module.InferenceSession(onnx_model(case, inputs), options, providers=["CPUExecutionProvider"])
            binding = session.io_binding()
            for index, array in enumerate(moving(case, inputs)):
                binding.bind_input(f"x{index}", "cpu", 0, array.dtype, array.shape, array.ctypes.data)
            binding.bind_output("y", "cpu", 0, output.dtype, output.shape, output.ctypes.data)
            if case.operator.moves and case.operator.moves.second:
                binding.bind_output("second", "cpu")  # of its own memory
            session.run_with_iobinding(binding)
        except Exception as error:  # its exceptions have no other common base
            raise Absent(str(error).splitlines()[0][:100]) from error
        return Side(self.name, PythonCall(lambda: session.run_with_iobinding(binding)))


class OpenVino:
    name = "openvino"

    def __init__(self, bench):
        import openvino

        self.module, self.version = openvino, openvino.__version__.split("-")[0]
        self.core = openvino.Core()

    def side(self, case, inputs, output):
        module = self.module
        settings = {"INFERENCE_NUM_THREADS": case.threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
                    "INFERENCE_PRECISION_HINT": case.type, "ENABLE_CPU_PINNING": False}
        try:
            model = self.core.read_model(onnx_model(case, inputs))
            request = self.core.compile_model(model, "CPU", settings).create_infer_request()
            tensors = [module.Tensor(array, shared_memory=True) for array in (*moving(case, inputs), output)]
            for index, tensor in enumerate(tensors[:-1]):
                request.set_input_tensor(index, tensor)
            request.set_output_tensor(0, tensors[-1])
            # The method of the binding: the public one copies and wraps results at each call.
            infer = super(module.InferRequest, request).infer
            infer({}, True, False)
        except Exception as error:  # its exceptions have no other common base
            raise Absent(str(error).splitlines()[-1][:100]) from error
        return Side(self.name, PythonCall(lambda: infer({}, True, False), tensors), caller_works=False)


class OneDnn:
    name = "onednn"

    def __init__(self, bench):
        library = bench.folder / "libopc_bench_onednn.so"
        if not library.exists():
            raise Absent("libdnnl-dev is not installed")
        self.bench, self.lib = bench, ctypes.CDLL(str(library))
        self.lib.opc_bench_onednn.restype = ctypes.c_void_p
        numbers = (ctypes.c_int * 3)()
        self.lib.opc_bench_onednn_version(numbers)
        self.version = ".".join(map(str, numbers))

    def planes(self, case, inputs, output):
        """A convolution whose planes are brought into oneDNN's own order and back in each call."""
        return Side("onednn, planes", self.call(case.operator.name + "_planes", case, inputs, output))

    def side(self, case, inputs, output):
        return Side(self.name, self.call(case.operator.name, case, inputs, output))

    def call(self, name, case, inputs, output):
        operator = case.operator
        whole = operator.rows or operator.turns or operator.product or operator.conv or operator.axis >= 0
        dims = case.shape if whole or operator.moves else (case.elements(),)
        if operator.name.startswith("permute"):
            dims += tuple(operator.moves.attributes(case.shape)["perm"])
        pointers = (ctypes.c_void_p * len(inputs))(*[array.ctypes.data for array in inputs])
        if case.type != "f32" and len(inputs) == 3:
            raise Absent("vectors of layer_norm are float32 there")
        handle = self.lib.opc_bench_onednn(name.encode(), case.threads, pointers,
                                           ctypes.c_void_p(output.ctypes.data), len(dims),
                                           (ctypes.c_int64 * len(dims))(*dims), case.type.encode())
        if not handle:
            raise Absent("oneDNN has no such primitive")
        return Call(self.bench, handle, inputs, output)


PEERS = (OnnxRuntime, OpenVino, OneDnn, NumPy)


def present(bench, without=()):
    """The installed peers, and a line for each other one."""
    found, absent = [], {}
    for peer in PEERS:
        try:
            if peer.name in without:
                raise Absent("left out on request")
            found.append(peer(bench))
        except (Absent, ImportError, OSError) as reason:
            absent[peer.name] = str(reason)
    return found, absent
