# The lit suite: every .mlir and .test file below this folder, except those in folders named Inputs.
#
# opc, opc-opt and LLVM's FileCheck, not, split-file and count are found on PATH. Further substitutions:
#
#   %opc_source, %opc_binary   the source tree and the build folder
#   %contract                  ops/library of the tree: %contract/add_relu/op_contract.yaml
#   %cxx                       the compiler of the build
#   %cc                        a C compiler that links against the libraries of the build
#   %ascendc                   checks emitted Ascend C by it against opc's kernel_operator.h: %ascendc -I %t %t/k.cpp
#   %run_ascendc, %sim_libs    compiles a program that records and simulates emitted Ascend C: %run_ascendc p.cpp %sim_libs -o p
#   %host                      compiles generated host code against stand-ins of the vendor's headers; %cc_vendor: C
#   %kernels                   the kernel cache that tests of models share; what a cache does is tested in folders of their own
#   %python                    Python with NumPy, ONNX Runtime and ml_dtypes, which are loaded already
#   %third1, %third2, %third3  before a command that compares one more form of an operator or model: with sanitizers a third of
#                              these commands runs, chosen by OPC_TEST_SEED, since most forms take the same ways through our code
#
# Features for REQUIRES:
#
#   full, sanitize             ./dev test --full; the build with sanitizers
#   third1 to third3           where %third1 to %third3 run
#   turn                       with sanitizers in one of three runs, by the file's name and OPC_TEST_SEED; else in each run.
#
# A file says `REQUIRES: turn` if its inputs are right (operators, models, kernels of users) and it compares the numbers or
# texts that come of them: tests that run with sanitizers each time take other inputs the same ways through our code. They are
# ops.* (operators), language.words (words), fuzz.te_* (bodies), model.* (models) and unit_ascendc_recorder (kernels of users).
# Not so a file of wrong or damaged inputs, of limits, caches, files, processes or threads, or the only test of a command.

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import lit_format  # noqa: E402
import turns  # noqa: E402

config.name = "opc"
config.test_format = lit_format.OneLevel(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "seeds", "unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.opc_binary, "test")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.opc_binary, "bin"), config.opc_llvm_tools, os.environ.get("PATH", "")]
)
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# Headers of opc that the compiler of kernel sources has read, for all tests; tests of the cache have their own.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.opc_binary, "test", "cache")
for name in sorted(os.environ):
    # OPC_TEST_SEED and OPC_TEST_FULL choose what is sampled; under ./dev test NumPy has one thread, and malloc large pages.
    # Nothing else of the caller's OPC_ settings may leak in.
    if name.startswith("OPC_TEST_") or name in (
        "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "OPENBLAS_NUM_THREADS", "GLIBC_TUNABLES"
    ):
        config.environment[name] = os.environ[name]

# A finding of a sanitizer ends by a signal: `not` takes an exit code for the failure a test asks for, a signal never.
config.environment.setdefault("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0:allow_user_poisoning=0")
config.environment.setdefault("UBSAN_OPTIONS", "abort_on_error=1:print_stacktrace=1")

ascendc_headers = os.path.join(config.opc_binary, "share", "opc", "ascendc", "runtime", "ascendc")
libraries = os.path.join(config.opc_binary, "lib")

config.substitutions += [
    ("%opc_source", config.opc_source),
    ("%opc_binary", config.opc_binary),
    ("%kernels", os.path.join(config.opc_binary, "test", "kernels")),
    ("%contract", os.path.join(config.opc_source, "ops", "library")),
    ("%cxx", config.opc_cxx),
    # A program that links instrumented libraries brings the runtime of the sanitizers that they were built with.
    ("%cc ", config.opc_cxx.replace("clang++", "clang") + " -fsanitize=address,undefined " if config.opc_sanitize else "cc "),
    ("%python", lit_format.warm_python.program(os.path.join(config.opc_binary, "bin", "opc")) or config.opc_python),
    ("%host", config.opc_cxx + " -std=c++17 -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-const-variable -I "
     + os.path.join(config.test_source_root, "lowering", "emit", "host", "Inputs", "vendor")),
    ("%cc_vendor", config.opc_cxx.replace("clang++", "clang") + " -x c -std=c11 -Wall -Wextra -Werror -I "
     + os.path.join(config.test_source_root, "lowering", "emit", "host", "Inputs", "vendor")),
    (
        "%ascendc",
        config.opc_cxx + " -std=c++17 -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I "
        + os.path.join(config.opc_binary, "share", "opc", "ascendc") + " -I " + ascendc_headers,
    ),
    (
        "%run_ascendc",
        # Optimised code takes longer to compile than it saves, but for checks of sanitizers.
        config.opc_cxx + " -std=c++17 -ffp-contract=off"
        + (" -O1 -fsanitize=address,undefined" if config.opc_sanitize else " -O0")
        + " -I " + os.path.join(config.test_source_root, "lowering", "emit", "ascendc", "Inputs", "executing")
        + " -I " + config.opc_source + " -I " + ascendc_headers,
    ),
    (
        "%sim_libs",
        f"-L{libraries} -Wl,-rpath,{libraries} -lopc_ascendc -lopc_device_sim -lopc_program -lopc_target -lopc_diagnostic",
    ),
]

# `true || a | b` runs nothing of the pipeline.
for each in range(1, 4):
    left_out = config.opc_sanitize and not turns.has_command(each)
    config.substitutions.append((f"%third{each} ", "true || " if left_out else ""))
    if not left_out:
        config.available_features.add(f"third{each}")

if os.environ.get("OPC_TEST_FULL") == "1":
    config.available_features.add("full")
if config.opc_sanitize:
    config.available_features.add("sanitize")
