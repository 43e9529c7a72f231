#!/usr/bin/env python3
"""Compiles and runs the node tests of the onnx package as models, on the CPU and on the simulator, and compares with the results
that they state.

Each case is run in three ways: as it is; with all sizes open until the run, each a range of one size; and with its inputs of integers as
constants, which is how models have shapes and axes (a case without such inputs with all of them as constants, which the compiler
computes by the node's kernel). The first way that is right runs on the simulator too, where steps without a kernel for the AI Core
run on the host, and are counted. A case may be refused, with a code of its own (a missing operator, a type without a kernel); it may not be wrong, and no
process may end in another way. Cases are those of operators that a contract of the library has a form for, and of views.

    node_tests.py --opc=PATH --library=ops/library --folder=DIR [--count=N --seed=S | --full | --of-models | --operators=A,B]

A result agrees if it is within a tolerance of the stated one; one of 16 bits also if it is no farther from the package's reference in
float64 than the stated one is.

Prints a line for each case that is neither right nor refused, and the counts at the end. WRONG lists cases that are known to
differ, each with its reason, WRONG_ON_SIM those that do so there alone; MISSING those which are refused in all ways. One that is
right must leave its list, and one that is refused must be on it.
"""

import argparse
import collections
import importlib
import os
import pathlib
import pkgutil
import random
import re
import shutil
import subprocess
import sys
import warnings

import ml_dtypes
import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import cpu_levels  # noqa: E402

# Without a form of their own: nodes of them become several that have one.
IN_PARTS = {"AffineGrid", "Attention", "CastLike", "CenterCropPad", "Col2Im", "ConvInteger", "ConvTranspose", "DFT", "DynamicQuantizeLinear",
            "Einsum", "Expand", "GRU", "GridSample", "Hardmax", "LRN", "LSTM", "Loop", "LpPool",
            "NegativeLogLikelihoodLoss", "QLinearConv", "QLinearMatMul", "RNN", "Range", "ReverseSequence", "STFT", "Scan", "SwiGLU", "Tan",
            "Upsample"}
VIEWS = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout"}
# Name of the case to the reason why it differs.
WRONG = {}
# The same for the simulator only, as expressions.
WRONG_ON_SIM = {}
# Expressions for the names of cases that are refused in all ways, with the reason.
OF_FLOAT64 = "float64, which has arithmetic, bounds, movement of choices and running sums, and no functions, reductions or products"
MISSING = {
    r"test_cast(like)?_(no_saturate_)?(FLOAT|FLOAT16)_to_FLOAT8E5M2(_expanded)?": "a value that a run makes of 8 bits of float, for which there is no type",
    r"test_(de)?quantizelinear_e5m2": "8 bits of float, for which there is no type",
    r"test_pow_types_(int32|int64)_float32": "powers of integers with exponents that may be fractions, which no kernel has",
    r"test_pow_types_float32_uint64": "a cast of unsigned integers of 64 bits",
    r"test_training_dropout(_default)?(_mask)?": "random numbers",
    r"test_scan_sum": "a Scan before opset 9, which has a batch and lengths of sequences",
    r"test_loop11": "a loop that data end",
    r"test_attention_local_window_gqa_rank4_mask": "a softmax in float64",
    r"test_einsum_(batch_diagonal|batch_matmul|inner_prod|sum|transpose)": OF_FLOAT64,
    r"test_reduce_log_sum_exp_(?!empty).*": OF_FLOAT64,
    r"test_mod_.*float64.*": OF_FLOAT64,
}
# What models are made of: the operators of the networks that docs/rationale/graph.md names, and of others of their kinds.
OF_MODELS = set("""Add AveragePool BatchNormalization Cast Clip Concat Constant Conv ConvTranspose Div Erf Exp Flatten Gather Gelu Gemm
GlobalAveragePool HardSigmoid Identity LayerNormalization LeakyRelu MatMul MaxPool Mul NonMaxSuppression Pow ReduceMean Relu Reshape
Resize Shape Sigmoid Slice Softmax Split Sqrt Squeeze Sub Sum Tanh Transpose Unsqueeze""".split())
# Operators whose operands after the first determine the operation: sizes, numbers of classes, borders.
TOLD = {"OneHot", "Pad", "Resize"}
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
REFUSED = {2, 3, 4}  # exit codes: usage (types, shapes), contract, compile


def operators(library):
    names = VIEWS | IN_PARTS
    for file in sorted(library.glob("*/op_contract.yaml")):
        form = re.search(r"^onnx:\n((?: .*\n)+)", file.read_text(encoding="utf-8"), re.M)
        if form:
            names |= set(re.findall(r"^  - operator: (\w+)", form.group(1), re.M))
    return names


def all_cases(names, modules=None, seed=0):
    """Cases of one node of these operators: of all of them, or of a sample of the package's modules, which have one or some
    operators each. Making the cases of all takes ten seconds."""
    import onnx.backend.test.case.node as node

    there = sorted(each.name for each in pkgutil.iter_modules(node.__path__))
    wanted = [name for name in there if modules is None or name in {each.lower() for each in names}]
    if modules is not None:
        wanted = random.Random(seed).sample(wanted, min(modules, len(wanted)))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for name in wanted:
            importlib.import_module(f"onnx.backend.test.case.node.{name}")
    found = []
    for case in node._NodeTestCases:
        graph = case.model.graph
        if len(graph.node) == 1 and graph.node[0].op_type in names and case.data_sets:
            found.append(case)
    return found


def sample(cases, count, seed):
    """Some cases of each operator in turns, so that none with many cases takes all places."""
    turns, by_operator = [], collections.defaultdict(list)
    for case in random.Random(seed).sample(cases, len(cases)):
        own = by_operator[case.model.graph.node[0].op_type]
        own.append(case)
        turns.append((len(own), len(turns), case))
    return [case for _, _, case in sorted(turns, key=lambda turn: turn[:2])[:count]]


def data_of(case):
    """Inputs and outputs of a case as arrays; None where one is no tensor (sequences), or has elements that opc reads from no file (8
    bits of float, texts)."""
    def array(each):
        made = numpy_helper.to_array(each) if isinstance(each, onnx.TensorProto) else each
        return np.asarray(made) if isinstance(made, (np.ndarray, np.generic)) else None

    inputs, outputs = ([array(each) for each in half] for half in case.data_sets[0])
    fits = all(each is not None and (each.dtype.kind in "fiub" or each.dtype == BFLOAT16) for each in inputs + outputs)
    return (inputs, outputs) if fits else None


def run(arguments):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)


def freeze(model, inputs, everything=False):
    """The model with its inputs of integers (or all, or what a node is told) as constants, and the inputs that are left."""
    frozen = onnx.ModelProto()
    frozen.CopyFrom(model)
    left = []
    for value, array in zip(model.graph.input, inputs):
        is_told = model.graph.node[0].op_type in TOLD and value.name != model.graph.node[0].input[0]
        if everything or is_told or (array.dtype.kind in "iu" and array.ndim <= 1):
            frozen.graph.initializer.append(numpy_helper.from_array(array, value.name))
            frozen.graph.input.remove(next(each for each in frozen.graph.input if each.name == value.name))
        else:
            left.append((value.name, array))
    return frozen, left


def opened(model, inputs):
    """The model with a name for each size of its inputs and nothing about its outputs, and the option that leaves the sizes
    to the run."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    given = []
    for i, (value, array) in enumerate(zip(copy.graph.input, inputs)):
        for j, dim in enumerate(value.type.tensor_type.shape.dim):
            dim.dim_param = f"d{i}_{j}"
        if array.ndim:
            given.append(f"{value.name}:{','.join(f'{size}~{size}' for size in array.shape)}")
    for value in copy.graph.output:
        value.type.tensor_type.ClearField("shape")
    return copy, [f"--input_shape={';'.join(given)}"] if given else []


def same(found, wanted, case):
    if wanted.dtype == BFLOAT16 and found.dtype == np.dtype("V2"):  # as files have it
        found = found.view(BFLOAT16)
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"{found.dtype}{list(found.shape)} instead of {wanted.dtype}{list(wanted.shape)}"
    if wanted.dtype.kind in "iub":
        return "" if np.array_equal(found, wanted) else "other numbers"
    tolerance = max(case.rtol, {np.dtype(np.float16): 1e-3, BFLOAT16: 8e-3}.get(wanted.dtype, 1e-5))
    if wanted.dtype == BFLOAT16:
        found, wanted = found.astype(np.float32), wanted.astype(np.float32)
    return "" if np.allclose(found, wanted, rtol=tolerance, atol=max(case.atol, 1e-6), equal_nan=True) else "other numbers"


def in_double(case):
    """The results of the package's reference in float64, of a case in 16 bits of float; None where it has none."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    for each in list(model.graph.input) + list(model.graph.output):
        if each.type.tensor_type.elem_type in (onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16):
            each.type.tensor_type.elem_type = onnx.TensorProto.DOUBLE
    inputs = [array.astype(np.float64) if array.dtype in (np.float16, BFLOAT16) else array for array in data_of(case)[0]]
    names = [value.name for value in model.graph.input]
    try:
        with np.errstate(all="ignore"):
            return ReferenceEvaluator(model).run(None, dict(zip(names, inputs)))
    except Exception:  # pylint: disable=broad-exception-caught  # nodes that the reference does not have in this type
        return None


def closer(found, wanted, exact):
    """Whether a result in 16 bits is no farther from the one in float64 than the one that the case states. A reference that rounds each
    of its steps to 16 bits can be more than one rounding away from both."""
    if found.dtype == np.dtype("V2"):
        found = found.view(BFLOAT16)
    if found.shape != wanted.shape or found.dtype != wanted.dtype or wanted.dtype not in (np.float16, BFLOAT16) or exact is None:
        return False
    apart, own = (np.abs(each.astype(np.float64) - exact) for each in (found, wanted))
    return bool(np.all(np.isfinite(apart)) and np.max(apart, initial=0) <= np.max(own, initial=0))


def reason_of(case, reasons):
    return next((why for names, why in reasons.items() if re.fullmatch(names, case.name)), None)


def listed(cases, right):
    """Says which cases are on the list MISSING and right, or not on it and refused; how many there are."""
    wrong = 0
    for case in cases:
        reason = reason_of(case, MISSING)
        if (case.name in right) == (reason is not None):
            wrong += 1
            print(f"{case.name}: right, and on the list of the refused ({reason})" if reason else f"{case.name}: refused, and not on the list of the refused")
    return wrong


def ran(opc, folder, device, model, inputs, outputs, case):
    """What is wrong with a run, and what opc says of it."""
    arguments = [opc, "run", str(folder / "m"), f"--device={device}"]
    for i, (name, array) in enumerate(inputs):
        np.save(folder / f"i{i}.npy", array)
        arguments += ["--input", f"{name}=@{folder / f'i{i}.npy'}"]
    for i, value in enumerate(model.graph.output):
        (folder / f"o{i}.npy").unlink(missing_ok=True)  # from another run
        arguments += ["--output", f"{value.name}=@{folder / f'o{i}.npy'}"]
    done = run(arguments)
    if done.returncode != 0:
        return f"run on {device} ends with {done.returncode}: {done.stdout[-300:]}", ""
    for i, wanted in enumerate(outputs):
        found = np.load(folder / f"o{i}.npy")
        what = same(found, wanted, case)
        if what and not closer(found, wanted, (in_double(case) or [None] * len(outputs))[i]):
            return f"{model.graph.output[i].name} on {device}: {what}", done.stdout
    return "", done.stdout


def outcome(opc, folder, model, inputs, outputs, case, options):
    """("right", ""), ("refused", code) or ("wrong", what) of the case on the CPU."""
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    cache = f"--cache-path={os.environ.get('ASCEND_CACHE_PATH') or folder / 'cache'}"
    done = run([opc, "compile", str(folder / "m.onnx"), "--soc_version=Ascend310B", f"--output={folder / 'm'}", cache, *options])
    code = re.search(r"OPC-E\d+(?: \[\w+\])?", done.stdout)
    if done.returncode in REFUSED and code:
        return "refused", code.group(0)
    if done.returncode != 0:
        return "wrong", f"compile ends with {done.returncode}: {done.stdout[-300:]}"
    what, _ = ran(opc, folder, "cpu", model, inputs, outputs, case)
    return ("wrong", what) if what else ("right", "")


def on_simulator(opc, folder, model, inputs, outputs, case):
    """("wrong", what); or of how many steps the simulator ran: ("all", ""), ("some", operators that it has not), ("none", ..)."""
    what, told = ran(opc, folder, "sim", model, inputs, outputs, case)
    if what:
        return "wrong", what
    steps = re.search(r"ran (\d+) steps", told)
    host = re.search(r"(\d+) of \d+ steps ran on the host, where sim has no kernel: (.*)", told)
    if steps and int(steps.group(1)) == 0:
        return "none", "no steps"
    if not host:
        return "all", ""
    return ("none" if host.group(1) == steps.group(1) else "some"), host.group(2)


def main():
    os.environ.update(cpu_levels.environment())
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opc", required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--of-models", action="store_true", help="all cases of the operators that models are made of")
    parser.add_argument("--operators", default="", help="all cases of these operators, by commas")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(options.folder / "m", ignore_errors=True)  # of another build, which may have written it in another form
    names = operators(options.library) | OF_MODELS
    if options.of_models or options.operators:
        names = OF_MODELS if options.of_models else set(options.operators.split(","))
        options.full = True
    made = all_cases(names) if options.full else all_cases(names, modules=10, seed=options.seed)
    cases = [case for case in made if data_of(case)]
    print(f"{len(made) - len(cases)} of {len(made)} cases have values that no file for opc holds")
    if not options.full:
        cases = sample(cases, options.count, options.seed)
    counts, reasons, failed, right = collections.defaultdict(collections.Counter), collections.Counter(), 0, set()
    simulated, on_host = collections.Counter(), collections.Counter()
    for case in cases:
        inputs, outputs = data_of(case)
        named = list(zip([value.name for value in case.model.graph.input], inputs))
        frozen, left = freeze(case.model, inputs)
        if len(left) == len(named):
            frozen, left = freeze(case.model, inputs, everything=True)
        open_model, sizes = opened(case.model, inputs)
        ways = [("as it is", case.model, named, []), ("open sizes", open_model, named, sizes), ("constants", frozen, left, [])]
        for way, model, given, more in ways:
            kind, what = outcome(options.opc, options.folder, model, given, outputs, case, more)
            counts[way][kind] += 1
            if kind == "right" and case.name not in right:
                right.add(case.name)
                steps, told = on_simulator(options.opc, options.folder, model, given, outputs, case)
                simulated[steps] += 1
                on_host.update(told.split(", ") if steps in ("some", "none") else [])
                reason = reason_of(case, WRONG_ON_SIM)
                if (steps == "wrong") != (reason is not None):
                    failed += 1
                    print(f"{case.name}, {way}: {steps} {told}" + (f" (WRONG_ON_SIM: {reason})" if reason else ""))
            if kind == "refused":
                reasons[f"{case.model.graph.node[0].op_type}: {what}"] += 1
            if (kind == "wrong") != (case.name in WRONG) and kind != "refused":
                failed += 1
                print(f"{case.name}, {way}: {kind} {what}" + (f" (WRONG: {WRONG[case.name]})" if case.name in WRONG else ""))
    failed += listed(cases, right)
    for reason, count in reasons.most_common(len(reasons) if options.full else 6):
        print(f"refused {count}: {reason}")
    for way, kinds in counts.items():
        print(f"{way}: {', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items()))}")
    print(f"{len(cases)} cases, {len(right)} of them right in some way")
    print(f"on the simulator: {simulated['all']} right in all steps, {simulated['some']} with some of them on the host, {simulated['none']} with all of "
          f"them there or without steps, {simulated['wrong']} wrong; on the host: {', '.join(f'{name} {count}' for name, count in on_host.most_common())}")
    common = [case for case in cases if case.model.graph.node[0].op_type in OF_MODELS]
    print(f"of operators that models are made of: {len(common)} cases, {sum(case.name in right for case in common)} right in some way")
    if not right:
        print("no case was right: this test saw nothing")
    return 1 if failed or not right else 0


if __name__ == "__main__":
    sys.exit(main())
