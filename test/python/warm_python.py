"""A Python that has its modules loaded, for tests that start hundreds: NumPy, onnx and ONNX Runtime take a fifth of a second
to load, as long as most of these tests take in all.

    with serve() as environment:
        subprocess.run([program(opc), "-c", text, ...], env={**os.environ, **environment})

The program (WarmPython.cpp) takes the place of an interpreter, also as `opc test --python=<program>`: a fork of the server
runs the text or the script with the program's arguments, environment, current folder and standard files.
"""

import atexit
import contextlib
import gc
import importlib
import os
import pathlib
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import types

MODULES = [
    "argparse", "hashlib", "inspect", "json", "random", "re", "runpy",
    "numpy", "numpy.random", "ml_dtypes", "onnx", "onnx.helper", "onnx.numpy_helper", "onnxruntime",
]


def program(opc):
    """The program of the build that opc is of; None where this target is not built."""
    path = pathlib.Path(opc).resolve().parent.parent / "test" / "bin" / "warm_python"
    return str(path) if path.exists() else None


def start(python=sys.executable):
    """Starts a server, which ends with this process at the latest: (environment of clients, file to close, process)."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="opc-python-"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(folder / "server"))
        listener.listen(64)
        alive, held = os.pipe()  # programs that are started do not hold it
        files = (listener.fileno(), alive)
        server = subprocess.Popen([python, "-B", __file__, str(folder), *map(str, files)], pass_fds=files,
                                  stdin=subprocess.DEVNULL)
        os.close(alive)
    return {"WARM_PYTHON_SERVER": str(folder / "server")}, held, server


@contextlib.contextmanager
def serve():
    """The environment of clients, while the server runs."""
    environment, held, server = start()
    try:
        yield environment
    finally:
        os.close(held)
        server.wait()
        shutil.rmtree(pathlib.Path(environment["WARM_PYTHON_SERVER"]).parent, ignore_errors=True)  # where it was killed


def receive(connection):
    """The text and the files of a request; None if the client was killed before it had said all of it."""
    head, files, _, _ = socket.recv_fds(connection, 4, 4)
    text = b""
    while len(head) == 4 and len(text) < int.from_bytes(head, "little"):
        piece = connection.recv(int.from_bytes(head, "little") - len(text))
        if not piece:
            break
        text += piece
    if len(head) == 4 and len(text) == int.from_bytes(head, "little"):
        return text, files
    for file in files:
        os.close(file)
    return None


def take_over(text, files):
    """Gives this process what the client has; returns the arguments."""
    for place, file in enumerate(files[:3]):
        os.dup2(file, place)
    os.fchdir(files[3])
    for file in files:
        os.close(file)
    mask, count, *rest = map(os.fsdecode, text.split(b"\0")[:-1])
    os.umask(int(mask))
    arguments, variables = rest[: int(count)], dict(each.split("=", 1) for each in rest[int(count) :] if "=" in each)
    for name in set(os.environ) - set(variables):
        del os.environ[name]
    for name, value in variables.items():
        if os.environ.get(name) != value:
            os.environ[name] = value
    for place, name in enumerate(("stdin", "stdout", "stderr")):
        of_server = getattr(sys, name)
        stream = open(place, "w" if place else "r", encoding=of_server.encoding, errors=of_server.errors, closefd=False)
        stream.buffer.raw.name = f"<{name}>"
        stream.mode = "w" if place else "r"
        stream.reconfigure(line_buffering=place == 2 or stream.isatty())
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.modules["numpy"].random.seed()  # numbers that nobody has seeded are others in each process
    return arguments


def execute(arguments):
    """What an interpreter does with its arguments; the exit status."""
    if arguments[0] == "-B":  # it holds here
        del arguments[0]
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__annotations__ = {}
    try:
        if arguments[0] == "-c":
            text, name, place = arguments.pop(1), "<string>", ""
        else:
            name = main.__file__ = os.path.join(os.getcwd(), arguments[0])
            place = os.path.dirname(os.path.realpath(name))
            try:
                text = pathlib.Path(name).read_bytes()
            except OSError as error:
                print(f"{sys.executable}: can't open file {name!r}: [Errno {error.errno}] {error.strerror}", file=sys.stderr)
                return 2
        sys.argv = arguments
        sys.path[0] = place
        exec(compile(text, name, "exec", dont_inherit=True), main.__dict__)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:
        # As an interpreter prints it, so without this function.
        error.__traceback__ = error.__traceback__.tb_next
        sys.excepthook(type(error), error, error.__traceback__)
        if isinstance(error, KeyboardInterrupt):
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        return 1
    return 0


def finish(status):
    """Ends the process as an interpreter does, but for the memory that it would give back piece by piece."""
    threading._shutdown()
    atexit._run_exitfuncs()
    try:
        if sys.stdout and not sys.stdout.closed:
            sys.stdout.flush()
    except OSError as error:
        print(f"Exception ignored in: {sys.stdout!r}\n{type(error).__name__}: {error}", file=sys.stderr)
        status = 120
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.flush()
    os._exit(status & 255)


def answer(listener, alive):
    """Serves until the other end of `alive` is closed."""
    for module in MODULES:
        importlib.import_module(module)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's signal also reaches who holds `alive`
    woken, wakes = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    connections = {}  # by process
    while True:
        of_sockets = {connection: process for process, connection in connections.items() if connection}
        ready = select.select([listener, alive, woken, *of_sockets], [], [])[0]
        if alive in ready:
            return
        for connection in of_sockets.keys() & set(ready):
            signals = connection.recv(16)
            for number in signals or [signal.SIGKILL]:
                os.kill(of_sockets[connection], number)
            if not signals:
                connection.close()
                connections[of_sockets[connection]] = None
        if woken in ready:
            os.read(woken, 4096)
            while connections:
                process, status = os.waitpid(-1, os.WNOHANG)
                if process == 0:
                    break
                connection = connections.pop(process)
                if connection:
                    with contextlib.suppress(OSError), connection:
                        connection.sendall(struct.pack("i", status))
        if listener not in ready:
            continue
        connection, _ = listener.accept()
        request = receive(connection)
        if not request:
            connection.close()
            continue
        process = os.fork()
        if process == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            for file in (listener, connection, *of_sockets):
                file.close()
            for file in (alive, woken, wakes):
                os.close(file)
            try:
                finish(execute(take_over(*request)))
            finally:
                os._exit(70)
        for file in request[1]:
            os.close(file)
        connections[process] = connection


if __name__ == "__main__":
    try:
        with socket.socket(fileno=int(sys.argv[2])) as listening:
            answer(listening, int(sys.argv[3]))
    finally:
        shutil.rmtree(sys.argv[1], ignore_errors=True)
