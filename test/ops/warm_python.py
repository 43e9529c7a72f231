"""A Python that has its modules loaded, for commands of opc that start one each: `opc test` needs a fifth of a second for
NumPy, onnx and ONNX Runtime, as long as many operators take in all.

    with serve() as python:
        subprocess.run([opc, "test", contract, f"--python={python}"])

`python` is a program that takes the arguments `-c TEXT ...` as an interpreter does. It gives them and its standard files to a
server, which runs the text in a fork of itself, and ends with the exit status of that. When it is killed, so is the fork.
"""

import contextlib
import gc
import importlib
import os
import pathlib
import select
import signal
import socket
import sys
import tempfile
import threading
import traceback

MODULES = ["inspect", "runpy", "numpy", "ml_dtypes", "onnx", "onnx.helper", "onnxruntime"]

# Without the modules that `socket` loads; fields are of four bytes.
CLIENT = """#!{python} -ISB
import _socket, os, struct, sys
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({address!r})
text = "".join(argument + "\\0" for argument in sys.argv[1:]).encode()
server.sendmsg([struct.pack("<I", len(text))], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("3i", 0, 1, 2))])
server.sendall(text)
for file in range(3):
    os.close(file)
status = server.recv(1)
os._exit(status[0] if status else 70)
"""


def run(connection, size, files):
    """Runs what a client asks for, with its files; returns the exit status."""
    text = b""
    while len(text) < size:
        piece = connection.recv(size - len(text))
        if not piece:
            return 1  # the client was killed
        text += piece
    for place, file in enumerate(files):
        os.dup2(file, place)
        os.close(file)

    def follow():
        connection.recv(1)  # nothing comes but the end of the client
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=follow, daemon=True).start()
    arguments = text.decode().split("\0")[:-1]
    script = arguments.index("-c") + 1  # before it are flags of the interpreter: -B, which holds here
    sys.argv = ["-c", *arguments[script + 1 :]]
    try:
        exec(compile(arguments[script], "<string>", "exec"), {"__name__": "__main__"})
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def answer(listener, alive):
    """Serves until the other end of `alive` is closed."""
    for module in MODULES:
        importlib.import_module(module)
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # forks leave nothing behind
    gc.freeze()
    while alive not in select.select([listener, alive], [], [])[0]:
        connection, _ = listener.accept()
        if os.fork():
            connection.close()
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        listener.close()
        os.close(alive)
        head, files, _, _ = socket.recv_fds(connection, 4, 3)
        status = run(connection, int.from_bytes(head, "little"), files)
        connection.send(bytes([status & 255]))
        os._exit(status & 255)


@contextlib.contextmanager
def serve():
    """The path of the program, while the server runs."""
    with tempfile.TemporaryDirectory(prefix="opc-python-") as folder:
        address, program = str(pathlib.Path(folder) / "server"), pathlib.Path(folder) / "python3"
        program.write_text(CLIENT.format(python=sys.executable, address=address), encoding="utf-8")
        program.chmod(0o700)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(address)
        listener.listen(16)
        alive, held = os.pipe()  # not for programs that are started: the server ends with this process
        server = os.fork()
        if server == 0:
            os.close(held)
            try:
                answer(listener, alive)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        os.close(alive)
        listener.close()
        try:
            yield str(program)
        finally:
            os.close(held)
            os.waitpid(server, 0)
