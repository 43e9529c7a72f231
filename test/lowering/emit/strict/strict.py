"""Emitted files and how the strict stand-in takes them: what strict_test.py and strict_mutants.py share.

A kernel source is compiled as the toolkit does: for one row of types at a time, with that row's macros and no others. What is
then left of the text is held against the manifest: the row's tiling keys, its classes, and a static_assert for every place of
the tiling structure.
"""

import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import subprocess
import threading

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[3]
#: As the framework numbers types; ORIG_DTYPE_<NAME> has a name of them.
GE_TYPES = {"float32": "DT_FLOAT", "float16": "DT_FLOAT16", "int8": "DT_INT8", "int32": "DT_INT32", "uint8": "DT_UINT8",
            "int16": "DT_INT16", "uint16": "DT_UINT16", "uint32": "DT_UINT32", "int64": "DT_INT64", "uint64": "DT_UINT64",
            "float64": "DT_DOUBLE", "bool": "DT_BOOL", "bfloat16": "DT_BF16"}
DEVICE_TYPES = {"float32": "float", "float16": "half", "bfloat16": "bfloat16_t", "bool": "bool", "float64": "double",
                **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}}
HOST_FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-const-variable"]


@dataclasses.dataclass(frozen=True)
class Build:
    """How a kernel source is compiled: by whom, by a toolkit without REGISTER_TILING_DEFAULT or one that has it, and whether all
    shapes are known. Names and types are always those of both versions, macros those of either."""
    cxx: str
    older: bool
    static: bool

    def __str__(self):
        return (f"{pathlib.Path(self.cxx).name}, {'without' if self.older else 'with'} REGISTER_TILING_DEFAULT, "
                f"{'static' if self.static else 'dynamic'} shapes")


@dataclasses.dataclass
class Kernels:
    """A kernel source with its tiling header, in `folder`, and what the manifest says of it."""
    name: str
    folder: pathlib.Path
    host: pathlib.Path  # the source that registers the operator
    manifest: dict

    def source(self):
        return self.folder / f"{self.name}.cpp"

    def header(self):
        return self.folder / f"{self.name}_tiling.h"

    def rows(self):
        return sorted({kernel["type_row"] for kernel in self.manifest["kernels"]})

    def keys(self, row):
        """Keys of the row, and of the rows with its types in other formats: a source tells rows apart by their types."""
        def types_of(one):
            return [tensor["types"][one] for tensor in self.manifest["inputs"] + self.manifest["outputs"]]

        return sorted(kernel["tiling_key"] for kernel in self.manifest["kernels"] if types_of(kernel["type_row"]) == types_of(row))

    def row_macros(self, row):
        """What the build passes of a row: the types of each tensor, under its name in capitals."""
        flags = []
        for tensor in self.manifest["inputs"] + self.manifest["outputs"]:
            name, kind = tensor["name"].upper(), tensor["types"][row]
            flags += [f"-DDTYPE_{name}={DEVICE_TYPES[kind]}", f"-DORIG_DTYPE_{name}={GE_TYPES[kind]}",
                      f"-DFORMAT_{name}=FORMAT_{tensor['formats'][row]}"]
        return flags


def packed(contracts):
    """The contracts whose operators the tests pack. One printer writes them all, and what differs between operators differs within
    each third of them; three seeds that follow each other see all."""
    if os.environ.get("OPC_TEST_FULL") == "1":
        return sorted(contracts)
    return sorted(contracts)[int(os.environ.get("OPC_TEST_SEED", "1")) % 3::3]


def find_kernels(package):
    """Every kernel source of a package, by operator."""
    found = []
    for path in sorted(package.glob("op_pkg/*/*/op_impl/manifest.json")):
        manifest = json.loads(path.read_text(encoding="utf-8"))
        host = path.parent.parent / "op_proto/op_host" / f"{manifest['name']}.cpp"
        found.append(Kernels(manifest["name"], path.parent / "ascendc", host, manifest))
    return found


def read_macros():
    """Names that are macros in a device's pass, with their kind, from the target's table."""
    text = (SOURCE / "runtime/target/toolkit/DeviceMacros.def").read_text(encoding="utf-8")
    return re.findall(r'^OPC_DEVICE_MACRO\("(\w+)", (Object|Function), "([^"]+)"\)', text, re.MULTILINE)


#: Macros that kernels use, and what the stand-in's other headers define.
USED = {"GM_ADDR", "TILING_KEY_IS", "TILING_KEY_VAR", "REGISTER_TILING_DEFAULT", "offsetof"}
#: Macros that become calls: a member of such a name silently turns into the declaration of a function.
CALLS = {"block_num": "get_block_num()", "block_idx": "get_block_idx()"}


def write_macros(folder):
    """Macros.h: every name of the table as a macro. One that a kernel has no business with is an error where it is expanded."""
    lines = ["#undef NULL", "#undef va_start", "#undef va_end", "#undef va_arg", "#undef va_copy", "#undef assert",
             "#undef printf"]
    number = 0
    for name, kind, _ in read_macros():
        if name in USED:
            continue
        if name in CALLS:
            text = CALLS[name]
        elif name.startswith(("DT_", "FORMAT_")):
            number += 1
            text = str(number)
        elif name == "inline":
            text = "inline"
        else:
            text = f'_Pragma("GCC error \\"{name} is a macro of the device compiler\\"") 0'
        lines += [f"#undef {name}", f"#define {name}{'(...)' if kind == 'Function' else ''} {text}"]
    (folder / "Macros.h").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_registered(kernels, path):
    """The class that the host source registers, as the build of a kernel sees it: fields with values. Returns its name."""
    text = kernels.host.read_text(encoding="utf-8")
    name = re.search(r"BEGIN_TILING_DATA_DEF\((\w+)\)", text)[1]
    fields = re.findall(r"TILING_DATA_FIELD_DEF\((\w+), (\w+)\)", text)
    lines = ["#include <cstdint>", f"struct {name} {{", *(f"  {kind} {field} = 0;" for kind, field in fields), "};"]
    if not path.exists():
        path.with_suffix(f".{os.getpid()}.{threading.get_ident()}").write_text("\n".join(lines) + "\n", encoding="utf-8")
        path.with_suffix(f".{os.getpid()}.{threading.get_ident()}").replace(path)
    return name


@dataclasses.dataclass
class Stand:
    """The stand-in on disk, and the compilers that take it."""
    folder: pathlib.Path
    compilers: list

    @staticmethod
    def make(folder, compilers):
        write_macros(folder)
        return Stand(folder, compilers)

    def builds(self):
        return [Build(cxx, older, static) for cxx in self.compilers for older in (False, True) for static in (False, True)]

    def flags(self, kernels, build):
        flags = ["-DOPC_STATIC_SHAPES"] if build.static else []
        if build.older:
            path = self.folder / f"{kernels.name}_registered.h"
            flags += ["-DOPC_OLDER", f"-DOPC_REGISTERED={write_registered(kernels, path)}", "-include", str(path)]
        return flags

    def command(self, kernels, row, build, *flags):
        return [build.cxx, "-std=c++17", "-fdiagnostics-color=never", "-Werror", "-D__CCE_AICORE__=300", *flags, *self.flags(kernels, build),
                *kernels.row_macros(row), f"-I{HERE / 'device'}", f"-I{self.folder}", f"-I{SOURCE}", str(kernels.source())]

    def refusal(self, kernels, row, build):
        """Why the stand-in refuses a row of a kernel source; "" where it takes it."""
        done = subprocess.run(self.command(kernels, row, build, "-fsyntax-only"), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if "error" in line]
            return "\n".join(errors[:4]) or done.stderr[:400] or "the compiler failed"
        return wrong_row(kernels, row, self.preprocessed(kernels, row, build))

    def preprocessed(self, kernels, row, build):
        """The text that is left of a row; what the preprocessor refuses is another text than any."""
        done = subprocess.run(self.command(kernels, row, build, "-E", "-P"), capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else done.stderr


def wrong_row(kernels, row, text):
    """What is wrong with the preprocessed text of a row: keys and classes of other rows, places that nothing asserts."""
    keys = sorted(int(key) for key in re.findall(r"strict::tilingKey == \((\d+)\)", text))
    if keys != kernels.keys(row):
        return f"row {row} expects the tiling keys {kernels.keys(row)}, found {keys}"
    made = re.findall(r"^\s*class (Kernel\w+)", text, re.MULTILINE)
    used = re.findall(r"^\s*(Kernel\w+) kernel\b", text, re.MULTILINE)
    if sorted(made) != sorted(used):
        return f"row {row} expects classes that its entry uses, found {sorted(set(made) ^ set(used))}"
    struct = re.search(r"struct (\w+TilingData) \{(.*?)\};", text, re.DOTALL)
    if not struct:
        return "expects a tiling structure, found none"
    fields = re.findall(r"(\w+);", struct[2])
    asserted = re.findall(r"static_assert\(\s*(.*?)\s*==\s*\d+", text)
    squeezed = {re.sub(r"\s", "", place) for place in asserted}
    missing = [f"sizeof({struct[1]})"] if f"sizeof({struct[1]})" not in squeezed else []
    missing += [f"offsetof({struct[1]},{field})" for field in fields if f"__builtin_offsetof({struct[1]},{field})" not in squeezed]
    return f"expects a static_assert of {', '.join(missing)}, found none" if missing else ""


def in_parallel(jobs, work):
    """The results of `work` over jobs, in their order."""
    workers = int(os.environ.get("OPC_JOBS", "0")) or 2
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, jobs))


def chosen(seed, *what):
    """A number that a seed draws for a thing, the same on every machine."""
    return int.from_bytes(hashlib.sha256(repr((seed, *what)).encode()).digest()[:8], "little")
