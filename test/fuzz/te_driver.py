"""What drives random programs over te: compiles each one, runs it on both devices, and compares all bits.

A program is a class that is made from a seed and has

  write(folder)     writes the contract and the body
  arrays()          the operands by name
  expected(arrays)  the results by name
  text              what it is, for messages
  refusal           a code with which its compilation may be refused, a tuple of such codes, or None
  chip_refusal      the code with which the AI Core refuses its launch, or None
  may_lack_chip     whether it may have no kernel for the AI Core
  attributes        if it has that: values of attributes that bind when compiling
  launch_attributes if it has that: values of those that bind at launch
  narrow            if it has that: the names of arrays that are bfloat16 in files; here they are float32
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import cpu_levels  # noqa: E402

# What arrays of an element type are here.
TYPES = {"float32": "f4", "float16": "f2", "bfloat16": "f4", "int32": "i4", "int16": "i2", "int8": "i1", "uint8": "u1", "bool": "?"}
# The types that the vector unit lacks.
CPU_TYPES = {"float64": "f8", "int64": "i8", "uint16": "u2", "uint32": "u4", "uint64": "u8"}


def to_file(array, is_narrow):
    """The array as its file has it; a number of bfloat16 is the upper half of a float32."""
    return (array.astype("f4").view("u4") >> 16).astype("u2").view("V2") if is_narrow else array


def of_file(array, is_narrow):
    return (array.view("u2").astype("u4") << 16).view("f4") if is_narrow else array


def rounded(values, type):
    """Numbers of float64 as an array of the type, rounded to the nearest, ties to even."""
    if type != "bfloat16":
        return values.astype(TYPES[type])
    with np.errstate(all="ignore"):
        unit = np.ldexp(1.0, np.frexp(values)[1] - 8)
        return np.where(np.isfinite(values), np.rint(values / unit) * unit, values).astype("f4")


class Drive:
    """The programs of a range of seeds: how many have kernels, and what failed."""

    def __init__(self, summary, program_of):
        parser = argparse.ArgumentParser(description=summary)
        parser.add_argument("--opc", required=True)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--count", type=int, default=24)
        options = parser.parse_args()
        self.opc, self.count = options.opc, options.count
        self.served, self.on_chip, self.failures = 0, 0, []
        for seed in range(options.seed * 100000, options.seed * 100000 + options.count):
            with tempfile.TemporaryDirectory() as folder:
                self.run(seed, program_of(seed), pathlib.Path(folder))

    def run(self, seed, program, folder):
        program.write(folder)
        text = f"seed {seed}: {program.text}"
        words_of = lambda given: [word for name, value in getattr(program, given, {}).items() for word in ("--attr", f"{name}={value}")]  # noqa: E731
        attributes = words_of("attributes")
        compiled = subprocess.run([self.opc, "compile", folder / "op_contract.yaml", "--soc_version=Ascend310B", *attributes,
                                   "-o", folder / "out"], capture_output=True, text=True, check=False,
                                  env={**os.environ, **cpu_levels.environment(text)})
        if compiled.returncode != 0:
            codes = (program.refusal,) if isinstance(program.refusal, str) else program.refusal or ()
            if not any(code in compiled.stderr for code in codes):
                self.failures.append(f"{text}\n{compiled.stderr}")
            return
        arrays = program.arrays()
        expected, narrow = program.expected(arrays), getattr(program, "narrow", ())
        command = [self.opc, "run", folder / "out", *words_of("launch_attributes")]
        for name in expected:
            command += ["--output", f"{name}=@{folder}/{name}.npy"]
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", to_file(array, name in narrow))
            command += ["--input", f"{name}=@{folder}/{name}.npy"]
        self.served += 1
        has_chip = bool(json.loads((folder / "out" / "manifest.json").read_text())["kernels"])
        self.on_chip += has_chip
        if not (has_chip or program.chip_refusal or program.may_lack_chip):
            self.failures.append(f"{text}: no kernel for the AI Core")
        right = {name: (array, name in narrow) for name, array in expected.items()}
        self.compare(f"{text} cpu", [*command, "--device=cpu"], None, right, folder)
        if has_chip or program.chip_refusal:
            on_chip = ["--device=sim", "--sanitize=mem,race,init,sync", "--order=adversarial", f"--seed={seed}"]
            self.compare(f"{text} sim", [*command, *on_chip], program.chip_refusal, right, folder)

    def compare(self, text, command, refusal, expected, folder):
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if refusal:
            if ran.returncode == 0 or refusal not in ran.stderr:
                self.failures.append(f"{text}: ended with {ran.returncode}, and no {refusal}\n{ran.stderr}")
            return
        if ran.returncode != 0:
            self.failures.append(f"{text}\n{ran.stderr}")
            return
        for name, (right, is_narrow) in expected.items():
            got = of_file(np.load(folder / f"{name}.npy"), is_narrow)
            same = (got == right) | ((got != got) & (right != right)) if got.shape == right.shape else np.array(False)
            if not same.all():
                wrong = np.sum(~same) if got.shape == right.shape else got.shape
                self.failures.append(f"{text}: {name}: {wrong} of {right.size} elements differ")

    def end(self):
        """Prints the failures; the exit code."""
        for failure in self.failures:
            print("FAILED:", failure)
        return 1 if self.failures else 0
