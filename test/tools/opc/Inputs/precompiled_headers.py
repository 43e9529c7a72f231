"""Precompiled headers of `opc run --source`: one entry serves all kernels; a source that does not include opc's header is
still refused; entries that are damaged, forged or open to others change no result.

  python precompiled_headers.py OPC FOLDER OPERATOR
"""

import hashlib
import os
import pathlib
import subprocess
import sys

import numpy as np

OPC, FOLDER, OPERATOR = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
CACHE = FOLDER / "cache"
ENTRIES = CACHE / "headers" / "v1"
BODY = """
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) {
  AscendC::GlobalTensor<float> in, out;
  in.SetGlobalBuffer((__gm__ float *)x, 8);
  out.SetGlobalBuffer((__gm__ float *)y, 8);
  for (int i = 0; i < 8; ++i)
    out.SetValue(i, in.GetValue(i) * FACTOR);
}
"""
INCLUDE = '#include "kernel_operator.h"\n'


def run(text, *options, cache=CACHE, name="twice.cpp"):
    """Writes a kernel and runs it; the output, or the messages of a run that failed."""
    (FOLDER / name).write_text(text)
    (FOLDER / "y.npy").unlink(missing_ok=True)
    done = subprocess.run([OPC, "run", "--source", str(FOLDER / name), "--input", f"x=@{FOLDER}/x.npy", "--output",
                           f"y=@{FOLDER}/y.npy", *options], capture_output=True, text=True, check=False,
                          env=dict(os.environ, ASCEND_CACHE_PATH=str(cache)))
    return np.load(FOLDER / "y.npy") if done.returncode == 0 else done.stderr


def works(*arguments, **named):
    got = run(*arguments, **named)
    assert isinstance(got, np.ndarray) and (got == x * 2).all(), got


def entries():
    return sorted(ENTRIES.iterdir()) if ENTRIES.exists() else []


def forge(entry):
    """Writes a header of random bytes, with its checksum."""
    noise = np.random.default_rng(1).bytes(3_000_000)
    (entry / "header.pch").write_bytes(noise)
    (entry / "checksums").write_text(f"{hashlib.sha256(noise).hexdigest()} header.pch\n")


x = np.arange(8, dtype=np.float32)
np.save(FOLDER / "x.npy", x)
KERNEL = "// A comment.\n/* Another\n   one. */\n" + INCLUDE + BODY

# What may differ from a header that was read before reads its text.
works("#define OF_MY_OWN 1\n" + INCLUDE + BODY, "--define=FACTOR=2")
(FOLDER / "file").write_text("")
works(KERNEL, "--define=FACTOR=2", cache=FOLDER / "file")
assert entries() == [], entries()

# One entry for kernels with other macros, and for one that reaches the header by a file of its own.
works(KERNEL, "--define=FACTOR=2")
(first,) = entries()
made = (first / "header.pch").stat().st_mtime_ns
works(KERNEL, "--define=FACTOR=(1+1)")
(FOLDER / "mine.h").write_text(INCLUDE + "constexpr float FACTOR = 2;\n")
works('#include "mine.h"\n' + BODY)
assert entries() == [first] and (first / "header.pch").stat().st_mtime_ns == made

# A source that does not include the header is refused beside it, and one's own header of that name is taken.
for text in (BODY, "// " + INCLUDE + BODY):
    assert "OPC-E0800" in run(text, "--define=FACTOR=2"), text
(FOLDER / "beside").mkdir()
(FOLDER / "beside" / "kernel_operator.h").write_text('#error "a header of one\'s own"\n')
assert "a header of one's own" in run(KERNEL, "--define=FACTOR=2", name="beside/twice.cpp")
assert (first / "header.pch").stat().st_mtime_ns == made

# Errors are those of the text.
assert "twice.cpp:11:" in run(KERNEL.replace("FACTOR", "factr")), "no line"

# Damaged: made again. Forged, with its checksum: removed, and made by the next run.
(first / "header.pch").write_bytes(b"nothing")
works(KERNEL, "--define=FACTOR=2")
assert (first / "header.pch").stat().st_size > 1_000_000
forge(first)
works(KERNEL, "--define=FACTOR=2")
assert entries() == []

# Open to others, or a link: not used.
works(KERNEL, "--define=FACTOR=2")
forge(first)
first.chmod(0o777)
works(KERNEL, "--define=FACTOR=2")
assert entries() == [first] and first.stat().st_mode & 0o022 == 0
first.rename(FOLDER / "elsewhere")
first.symlink_to(FOLDER / "elsewhere")
works(KERNEL, "--define=FACTOR=2")
assert not first.is_symlink() and (FOLDER / "elsewhere" / "header.pch").exists()
before = first.stat().st_mtime_ns
ENTRIES.chmod(0o777)
works(KERNEL, "--define=FACTOR=2")
ENTRIES.chmod(0o700)
assert first.stat().st_mtime_ns == before

# An operator with host files has a second entry, with the code of the host headers.
x = np.arange(33, dtype=np.float32)
np.save(FOLDER / "x.npy", x)
done = subprocess.run([OPC, "run", "--source", OPERATOR, "--input", f"x=@{FOLDER}/x.npy", "--output",
                       f"y=@{FOLDER}/y.npy"], capture_output=True, text=True, check=False,
                      env=dict(os.environ, ASCEND_CACHE_PATH=str(CACHE)))
assert done.returncode == 0, done.stderr
assert np.allclose(np.load(FOLDER / "y.npy"), np.log1p(np.exp(-x)) + x)
assert sum((entry / "functions.o").exists() for entry in entries()) == 1 and len(entries()) == 2

(ENTRIES / "staging-abandoned").mkdir()
(ENTRIES / "staging-abandoned" / "header.pch").write_bytes(b"half")
for options, left in (([], 2), (["--all"], 0)):
    done = subprocess.run([OPC, "cache", "gc", *options, f"--cache-path={CACHE}"], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0 and "and precompiled headers of" in done.stderr, done.stderr
    assert len(entries()) == left, entries()
print("as described")
