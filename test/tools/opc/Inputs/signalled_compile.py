"""Sends opc a signal while it compiles, and looks at what it leaves behind.

signalled_compile.py FOLDER CONTRACT LINKER: FOLDER is empty; CONTRACT may be a model; LINKER the one that sends the signal.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys

folder, contract, linker = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
lld = shutil.which("ld.lld-22") or shutil.which("ld.lld")
temporary, output = folder / "tmp", folder / "out"
temporary.mkdir()
signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def heed():
    """A test runner in the background ignores some signals, and what it starts would do so too."""
    for number in signals:
        signal.signal(number, signal.SIG_DFL)


for number in signals:
    # Kernels of a model come from the cache: each time from an empty one, so that there is something to link.
    cache = folder.with_name(folder.name + ".cache")
    shutil.rmtree(cache, ignore_errors=True)
    environment = dict(os.environ, OPC_LLD=linker, REAL_LLD=lld, SIGNAL=number.name[3:], TMPDIR=str(temporary),
                       ASCEND_CACHE_PATH=str(cache))
    command = ["opc", "compile", contract, "--soc_version=Ascend310B", f"--output={output}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, preexec_fn=heed)
    assert done.returncode == -number, (number, done)
    assert not list(temporary.iterdir()), list(temporary.iterdir())
    assert sorted(p.name for p in folder.iterdir()) == ["tmp"], list(folder.iterdir())
