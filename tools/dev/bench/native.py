"""The C interfaces that the bench calls: the runtime (runtime/api/opc_runtime.h) and libopc_bench.so
(test/perf/BenchLibrary.cpp)."""

import ctypes
import dataclasses
import pathlib

import numpy as np

MAX_RANK = 32


class DLDevice(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int), ("device_id", ctypes.c_int32)]


class DLDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", DLDevice), ("ndim", ctypes.c_int32), ("dtype", DLDataType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("device", ctypes.c_char_p), ("threads", ctypes.c_int32),
                ("poison", ctypes.c_int32), ("memory_limit", ctypes.c_size_t)]


class AttributeValue(ctypes.Union):
    _fields_ = [("float_value", ctypes.c_double), ("string_value", ctypes.c_char_p)]


class Attribute(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("kind", ctypes.c_int), ("value", AttributeValue)]


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int)] + [(name, ctypes.c_char_p) for name in
                                             ("code", "rule", "op", "shapes", "reason", "fix")]


API_VERSION, CPU, FLOAT, STRING = 1, 1, 0, 3


class Failed(Exception):
    """A call returned a status other than OPC_OK; the text is the library's."""


def dl_tensor(array):
    """A DLTensor of a contiguous array; both must outlive objects made from it."""
    tensor = DLTensor()
    tensor.data = array.ctypes.data
    tensor.device = DLDevice(CPU, 0)
    tensor.ndim = array.ndim
    tensor.dtype = DLDataType("iuf".index(array.dtype.kind), array.dtype.itemsize * 8, 1)
    tensor.shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    return tensor


class Runtime:
    """A runtime on the CPU; `library` is libopc_runtime.so of a build."""

    def __init__(self, library: pathlib.Path, threads: int):
        self.lib = ctypes.CDLL(str(library))
        self.lib.opc_last_error.restype = ctypes.POINTER(Error)
        options = Options(ctypes.sizeof(Options), b"cpu", threads, 0, 0)
        self.handle = ctypes.c_void_p()
        self.check(self.lib.opc_runtime_create(API_VERSION, ctypes.byref(options), ctypes.byref(self.handle)))
        self.operators = {}

    def check(self, status):
        if status:
            error = self.lib.opc_last_error().contents
            raise Failed(f"{error.code.decode()}: {error.reason.decode()}")

    def operator(self, folder: pathlib.Path):
        """The operator of a folder, which is opened once."""
        if folder not in self.operators:
            op = ctypes.c_void_p()
            self.check(self.lib.opc_operator_open(self.handle, str(folder).encode(), ctypes.byref(op)))
            self.operators[folder] = op
        return self.operators[folder]

    def launch(self, folder, inputs, outputs, attributes):
        """A prepared launch: arrays in the order of the contract, attributes float or text (lists as "[-1]")."""
        tensors = [dl_tensor(array) for array in inputs]
        pointers = (ctypes.POINTER(DLTensor) * len(tensors))(*map(ctypes.pointer, tensors))
        values = (Attribute * max(len(attributes), 1))()
        for slot, (name, value) in zip(values, attributes.items()):
            slot.name = name.encode()
            if isinstance(value, str):
                slot.kind, slot.value.string_value = STRING, value.encode()
            else:
                slot.kind, slot.value.float_value = FLOAT, value
        handle = ctypes.c_void_p()
        self.check(self.lib.opc_launch_prepare(self.operator(folder), pointers, ctypes.c_size_t(len(tensors)), values,
                                               ctypes.c_size_t(len(attributes)), ctypes.byref(handle)))
        return Launch(self, handle, [*inputs, *outputs])


class Launch:
    def __init__(self, runtime, handle, arrays):
        self.runtime, self.handle, self.arrays = runtime, handle, arrays
        self.data = (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])

    def __del__(self):
        self.runtime.lib.opc_launch_destroy(self.handle)


@dataclasses.dataclass
class Clocks:
    """Seconds that calls take."""

    wall: float
    caller: float  # CPU time of the calling thread
    process: float  # CPU time of all threads of the process


class Call:
    """An opc_bench_call and the objects that it points to."""

    def __init__(self, bench, handle, *keep):
        self.bench, self.handle, self.keep = bench, handle, keep

    def run(self, repeats: int) -> Clocks:
        clocks = (ctypes.c_double * 3)()
        status = self.bench.lib.opc_bench_measure(self.handle, ctypes.c_int64(repeats), clocks)
        if status:
            raise Failed(f"a call returned status {status}")
        return Clocks(*clocks)

    def __del__(self):
        self.bench.lib.opc_bench_free(self.handle)


class Bench:
    """libopc_bench.so."""

    def __init__(self, library: pathlib.Path):
        self.folder, self.lib = library.parent, ctypes.CDLL(str(library))
        for name in ("opc_bench_loop", "opc_bench_launch", "opc_bench_both"):
            getattr(self.lib, name).restype = ctypes.c_void_p
        self.lib.opc_bench_measure.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
        self.lib.opc_bench_free.argtypes = [ctypes.c_void_p]
        self.lib.opc_bench_both.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self.lib.opc_bench_level.restype = ctypes.c_char_p
        self.level = (self.lib.opc_bench_level() or b"").decode()  # of handwritten loops and ceilings

    def loop(self, name, threads, inputs, output, rows, columns, stream):
        """The handwritten loop of an operator or a ceiling; None when there is none."""
        pointers = (ctypes.c_void_p * 3)(*[array.ctypes.data for array in inputs])
        out = ctypes.c_void_p(output.ctypes.data)
        handle = self.lib.opc_bench_loop(name.encode(), threads, pointers, out, ctypes.c_int64(rows),
                                         ctypes.c_int64(columns), int(stream))
        return Call(self, handle, inputs, output) if handle else None

    def launch(self, launch: Launch):
        run = ctypes.cast(launch.runtime.lib.opc_launch_run, ctypes.c_void_p)
        handle = self.lib.opc_bench_launch(run, launch.handle, launch.data, ctypes.c_size_t(len(launch.arrays)))
        return Call(self, handle, launch)

    def model(self, build, folder, threads, inputs, *outputs):
        """A run of a model folder by the runtime of a build."""
        library = ctypes.CDLL(str(build / "lib" / "libopc_bench_model.so"))
        library.opc_bench_model.restype = ctypes.c_void_p
        arrays = (ctypes.c_void_p * len(inputs))(*[array.ctypes.data for array in inputs])
        handle = library.opc_bench_model(str(folder).encode(), threads, arrays, len(inputs),
                                         (ctypes.c_void_p * len(outputs))(*[array.ctypes.data for array in outputs]), len(outputs))
        if not handle:
            raise Failed(f"the model in {folder} could not be opened")
        return Call(self, handle, inputs, outputs)

    def both(self, first: Call, second: Call):
        return Call(self, self.lib.opc_bench_both(first.handle, second.handle), first, second)


def aligned(shape, dtype=np.float32, alignment=4096):
    """An array that is aligned to a page, with all pages touched."""
    count = int(np.prod(shape, dtype=np.int64))
    size = count * np.dtype(dtype).itemsize
    memory = np.zeros(size + alignment, np.uint8)
    start = -memory.ctypes.data % alignment
    memory[:] = 1
    return memory[start:start + size].view(dtype).reshape(shape)
