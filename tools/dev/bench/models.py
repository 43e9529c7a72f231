"""Figures of whole models: opc, ONNX Runtime and OpenVINO run each of them in turns on one and on two threads; loads are
timed in new processes, compilations from outside.
"""

import os
import statistics
import subprocess
import sys

import native
import numpy as np
from race import PythonCall, Side, race, ratio
from record import line, record

# Goals: times as fast as ONNX Runtime and OpenVINO, with a kernel for each node after folding, as those of kernels are;
# None is for information. (Their times multiplied by these numbers would be no goal for convolutions: the 8.2 GFLOP of
# ResNet-50 in 0.88 of ONNX Runtime's time are 266 GFLOP/s, where a loop of FMAs reaches 270.) OpenVINO makes one kernel of
# the tiny nodes.
GOALS = {"bert_base": (0.88, 0.8), "resnet50": (0.88, 0.8), "yolov3": (0.88, 0.8), "tiny": (5, None)}
LOAD_GOAL, LOADED, LOADS = 5, ("bert_base", "resnet50", "yolov3"), 7
COMPILED = {"bert_base": (30, 3)}  # seconds from nothing, and with kernels in the cache
# The largest difference from ONNX Runtime, in the root mean square of an output.
TOLERANCE = 1e-4

LOAD_SESSION = """import sys, time
import onnxruntime
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
began = time.process_time()
onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
print(time.process_time() - began)
"""
LOAD_FOLDER = """import ctypes, sys, time
library = ctypes.CDLL(sys.argv[1])
library.opc_bench_load.restype = ctypes.c_double
seconds = library.opc_bench_load(sys.argv[2].encode(), sys.argv[3].encode())
sys.exit("the model cannot be loaded") if seconds < 0 else print(seconds)
"""


def names(wanted):
    return [name for name in GOALS if wanted(f"model_{name}") or wanted(f"model_load_{name}") or wanted(f"model_compile_{name}")]


class Models:
    def __init__(self, runner, source, quick):
        self.runner, self.source, self.quick = runner, source, quick
        self.build = runner.opc.parent.parent
        self.work = runner.work / "models"
        self.work.mkdir(exist_ok=True)
        self.runtime = next((peer.module for peer in runner.peers if peer.name == "onnxruntime"), None)
        self.openvino = next((peer for peer in runner.peers if peer.name == "openvino"), None)

    def call(self, *command, **environment):
        """The output of a program, and the seconds of a processor that it took."""
        before = os.times()
        done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=os.environ | environment)
        if done.returncode:
            raise SystemExit(f"bench: {' '.join(map(str, command[:3]))} ended with {done.returncode}:\n{done.stderr}")
        after = os.times()
        return done.stdout, after.children_user + after.children_system - before.children_user - before.children_system

    def made(self, name):
        """The file of a model and its folder."""
        file, folder = self.work / f"{name}.onnx", self.work / f"{name}.opcm"
        if not file.exists():
            self.call(sys.executable, self.source / "test" / "model" / "models.py", name, file)
            self.compile(file, folder, self.work / "cache")
        return file, folder

    def compile(self, file, folder, cache):
        return self.call(self.runner.opc, "compile", file, "--soc_version=Ascend310B", f"--output={folder}", f"--cache-path={cache}")

    def compilations(self, name):
        """From nothing, then with kernels in the cache: seconds of a processor."""
        file, _ = self.made(name)
        for limit, suffix in zip(COMPILED[name], ("", "_again")):
            _, seconds = self.compile(file, self.work / f"{name}_compiled.opcm", self.work / f"{name}_cache")
            yield record(f"model_compile_{name}{suffix}", [], "f32", 1, seconds, "s", "limit", limit, limit / seconds, 1.0)

    def load(self, name):
        """The load of a folder against that of a session, in new processes in turns."""
        file, folder = self.made(name)
        library = self.build / "lib" / "libopc_bench_model.so"
        ours, theirs = [], []
        for turn in range(1 + (3 if self.quick else LOADS)):
            both = [float(self.call(sys.executable, "-c", LOAD_FOLDER, library, folder, self.work / "packed")[0]),
                    float(self.call(sys.executable, "-c", LOAD_SESSION, file)[0])]
            if turn > 0:  # the first one packs, and reads files
                ours.append(both[0])
                theirs.append(both[1])
        found = statistics.median(b / a for a, b in zip(ours, theirs))
        return record(f"model_load_{name}", [], "f32", 1, statistics.median(ours) * 1e3, "ms", "onnxruntime",
                      statistics.median(theirs) * 1e3, found, LOAD_GOAL)

    def inputs(self, session):
        """Tensors for a model's inputs: small numbers of words, true masks, other numbers near 1."""
        rng, inputs = np.random.default_rng(310), {}
        for one in session.get_inputs():
            array = native.aligned(one.shape, np.int64 if "int64" in one.type else np.float32)
            array[:] = 1 if one.name == "mask" else rng.integers(0, 100, one.shape) if "int64" in one.type else rng.uniform(0.99, 1.01, one.shape)
            inputs[one.name] = array
        return inputs

    def session(self, file, threads):
        options = self.runtime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        return self.runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])

    def other(self, file, inputs, threads):
        settings = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
                    "INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": False}
        request = self.openvino.core.compile_model(self.openvino.core.read_model(str(file)), "CPU", settings).create_infer_request()
        tensors = [self.openvino.module.Tensor(array, shared_memory=True) for array in inputs.values()]
        for name, tensor in zip(inputs, tensors):
            request.set_tensor(name, tensor)
        infer = super(self.openvino.module.InferRequest, request).infer
        return Side("openvino", PythonCall(lambda: infer({}, True, False), tensors), caller_works=False)

    def race(self, name, threads):
        """The records of a model against each peer."""
        file, folder = self.made(name)
        session = self.session(file, threads)
        inputs = self.inputs(session)
        wanted = session.run(None, inputs)
        outputs = [native.aligned(array.shape, array.dtype) for array in wanted]
        ours = Side("opc", self.runner.bench.model(self.build, folder, threads, list(inputs.values()), *outputs))
        ours.call.run(1)
        for one, other in zip(outputs, wanted):
            off = float(np.abs(one - other).max() / np.sqrt((other.astype(np.float64) ** 2).mean()))
            if not off <= TOLERANCE:
                raise SystemExit(f"bench: {name} is off by {off:.2g} from ONNX Runtime")
        binding = session.io_binding()
        for key, array in inputs.items():
            binding.bind_input(key, "cpu", 0, array.dtype, array.shape, array.ctypes.data)
        for one, array in zip(session.get_outputs(), wanted):
            binding.bind_output(one.name, "cpu", 0, array.dtype, array.shape, array.ctypes.data)
        sides = [Side("onnxruntime", PythonCall(lambda: session.run_with_iobinding(binding)))]
        if self.openvino:
            sides.append(self.other(file, inputs, threads))
        race([ours, *sides], threads, self.runner.effort)
        for side, goal in zip(sides, GOALS[name]):
            found = ratio(ours, side, self.runner.effort)
            yield record(f"model_{name}", [], "f32", threads, found.one * 1e3, "ms", side.name, found.other * 1e3, found.value,
                         goal or 0, sure=found.sure, info=goal is None, low=round(found.low, 4), high=round(found.high, 4),
                         turns=found.turns, dropped=found.dropped)


def measured(runner, source, quick, wanted):
    """The records of models whose names are wanted. Without ONNX Runtime there are none, since results are compared."""
    chosen = [name for name in names(wanted) if not quick or name == "tiny"]
    models = Models(runner, source, quick)
    if chosen and not models.runtime:
        runner.absent["models"] = "ONNX Runtime is not there to compare with"
        return []
    records = []

    def keep(made):
        for one in made:
            runner.say(line(one))
            records.append(one)

    for name in chosen:
        if wanted(f"model_compile_{name}") and name in COMPILED:
            keep(models.compilations(name))
        if wanted(f"model_load_{name}") and name in LOADED:
            keep([models.load(name)])
        if wanted(f"model_{name}"):
            for threads in (1, 2):
                keep(models.race(name, threads))
    return records
