"""Ends the process in which `opc test` compiles, and looks at what opc says and leaves behind.

signalled_test.py FOLDER CONTRACT LINKER: FOLDER is empty; LINKER sends the signal to the process that called it.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys

folder, contract, linker = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
lld = shutil.which("ld.lld-22") or shutil.which("ld.lld")
terminations = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def heed():
    """A test runner in the background ignores some signals, and what it starts would do so too."""
    for number in terminations:
        signal.signal(number, signal.SIG_DFL)


def ended(number):
    environment = dict(os.environ, OPC_LLD=linker, REAL_LLD=lld, SIGNAL=number.name[3:], TMPDIR=str(folder))
    command = ["opc", "test", contract, "--device=cpu", f"--python={sys.executable}", "--sizes=1"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, preexec_fn=heed, check=False)


# A terminal sends its signal to both processes, and that which compiles may be the first to end.
for number in terminations:
    done = ended(number)
    assert done.returncode == -number, (number, done)
    assert not list(folder.iterdir()), list(folder.iterdir())

# As the system does where memory runs out.
done = ended(signal.SIGKILL)
assert done.returncode == 5 and "OPC-E0901: the process that compiles ended: signal 9" in done.stderr, done
assert not list(folder.iterdir()), list(folder.iterdir())

# A crash of the compiler stays one.
done = ended(signal.SIGABRT)
assert done.returncode == -signal.SIGABRT, done
