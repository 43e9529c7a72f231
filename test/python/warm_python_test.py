"""The program of the shared Python beside an interpreter: what both print and how both end is the same. A fork ends with its
client, and nothing passes without the server."""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import warm_python

NUMBERS = "import random, numpy as np; print(random.random(), np.random.random())"
SCRIPT = """from helper import NAME
import os, pickle, sys
class Kept: pass
assert isinstance(pickle.loads(pickle.dumps(Kept())), Kept) and sys.modules[__name__].Kept is Kept
print(NAME, __name__, __file__, sys.argv, sys.path[0], os.getcwd())
"""
FAILS = "def f():\n    raise ValueError('ö')\ntry:\n    f()\nexcept ValueError as e:\n    raise KeyError(1) from e\n"
LATE = "import atexit, threading, time\natexit.register(print, 'last')\n" \
    "threading.Thread(target=lambda: (time.sleep(0.2), print('thread'))).start()\nprint('first')"
# Texts with what they read.
TEXTS = {
    "import sys; print(sys.argv, sys.stdin.read()); print('e', file=sys.stderr); sys.exit(7)": "hello",
    "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read(3)); print(sys.stdin.buffer.readline())": "a\nbc\nd",
    "print(input(), input()); import os; os.write(1, b'unbuffered\\n')": "a\nb\n",
    "import sys; sys.exit('why')": "",
    "import sys; sys.exit(-1)": "",
    "import sys; sys.exit(None)": "",
    "import os; os._exit(9)": "",
    "1 / 0": "",
    FAILS: "",
    LATE: "",
    "def": "",
    "raise KeyboardInterrupt": "",
    "import os; os.kill(os.getpid(), 11)": "",
    "import os; os.abort()": "",
    "import os; print(sorted(n for n in os.environ if n != 'WARM_PYTHON_SERVER'), os.getcwd(), os.umask(0), os.sys.path)": "",
    "import sys; print(sys.flags.dont_write_bytecode, sys.executable, sys.stdout.encoding, sys.stdout.errors, __name__)": "",
    "import os; print(os.isatty(0), sorted(map(int, os.listdir('/proc/self/fd')))[:3])": "",
    "import os; os.close(1); print('nowhere')": "",
    "import subprocess, sys; print(subprocess.run([sys.executable, '-c', 'print(6)'], capture_output=True).stdout)": "",
    "print(dir())": "",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opc", required=True)
    program = warm_python.program(parser.parse_args().opc)
    for name in [name for name in os.environ if name.startswith(("PYTHON", "LD_"))]:
        del os.environ[name]
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"

    def run(python, *arguments, said="", **how):
        done = subprocess.run([python, *arguments], input=said, capture_output=True, text=True, timeout=60, **how)
        return done.returncode, done.stdout, done.stderr

    with tempfile.TemporaryDirectory() as folder, warm_python.serve() as served:
        os.environ.update(served)

        def agree(*arguments, **how):
            found, wanted = (run(python, *arguments, **how) for python in (program, sys.executable))
            assert found == wanted, f"{arguments}: found {found}, expected {wanted}"
            return found

        def forked(*arguments, **how):
            return run(program, "-c", "import sys; print('onnx' in sys.modules)", *arguments, **how)[1] == "True\n"

        for text, said in TEXTS.items():
            agree("-c", text, "a", "é", "", said=said)
            agree("-B", "-c", text, said=said, cwd=folder, umask=0o27, env={**os.environ, "OPC_MORE": "x=y"})
        path = pathlib.Path(folder)
        (path / "helper.py").write_text("NAME = 'name'", encoding="utf-8")
        (path / "script.py").write_text(SCRIPT, encoding="utf-8")
        (path / "fails.py").write_text(FAILS, encoding="utf-8")
        (path / "link.py").symlink_to("/dev/null")
        (path / "folder.py").mkdir()
        (path / "folder.py" / "__main__.py").write_text("print(__name__, __file__)", encoding="utf-8")
        for script in ("folder.py", "script.py", "./script.py", "fails.py", "link.py", "no_script.py", str(path / "script.py")):
            agree(script, "-c", "x", cwd=folder)
        agree("-m", "helper", cwd=folder)
        agree(said="print(5)")
        agree("-S", "-c", "import sys; print(sys.flags.no_site)")
        assert agree("-c", "import random, sys; random.seed(3); print(random.random(), sys.stdin.read())", said="x")[0] == 0
        assert len({run(program, "-c", NUMBERS)[1] for _ in range(3)}) == 3

        # It forks where it says so, and starts an interpreter where a fork would be another one.
        assert forked() and forked(cwd=folder)
        for variables in ({"PYTHONPATH": folder}, {"LD_LIBRARY_PATH": folder}, {"WARM_PYTHON_SERVER": f"{folder}/none"}):
            assert not forked(env={**os.environ, **variables}), variables
        assert subprocess.run([program, "-c", "import sys; sys.exit('onnx' in sys.modules)"], close_fds=True,
                              preexec_fn=lambda: os.close(0), check=False).returncode == 0
        assert run(program, "-c", "left = 1; import sys; sys.left = 1") == (0, "", "")
        assert run(program, "-c", "import sys; assert 'left' not in globals() and not hasattr(sys, 'left')") == (0, "", "")

        def begin(text):
            client = subprocess.Popen([program, "-c", text], stdout=subprocess.PIPE, text=True)
            return client, int(client.stdout.readline())

        # Signals reach the fork; a client that is killed takes it along; several run side by side.
        caught = "import os, signal, sys, time\nsignal.signal(15, lambda *_: sys.exit(5))\nprint(os.getpid(), flush=True)\n"
        clients = [begin(caught + "time.sleep(600)") for _ in range(3)]
        clients[1][0].terminate()
        assert clients[1][0].wait(60) == 5
        clients[2][0].send_signal(signal.SIGHUP)
        assert clients[2][0].wait(60) == -signal.SIGHUP
        clients[0][0].kill()
        clients[0][0].wait()
        for _, fork in clients:
            for _ in range(600):
                if not os.path.exists(f"/proc/{fork}"):
                    break
                time.sleep(0.1)
            assert not os.path.exists(f"/proc/{fork}")
        assert forked()

        run(program, "-c", "import os; os.kill(os.getppid(), 9)")  # the server
        assert not forked()
    assert not pathlib.Path(served["WARM_PYTHON_SERVER"]).parent.exists()
    environment, held, server = warm_python.start()
    os.close(held)
    assert server.wait(60) == 0 and not pathlib.Path(environment["WARM_PYTHON_SERVER"]).parent.exists()
    return 0


if __name__ == "__main__":
    sys.exit(main())
