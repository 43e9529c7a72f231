"""The Python that operators share: arguments, files and exit statuses are those of an interpreter, a fork ends with
its client, and nothing passes without the server."""

import os
import subprocess
import sys
import time

import warm_python


def main():
    with warm_python.serve() as python:

        def run(text, *arguments, said=""):
            done = subprocess.run([python, "-B", "-c", text, *arguments], input=said, capture_output=True, text=True, timeout=60)
            return done.returncode, done.stdout, done.stderr

        text = "import sys; print(sys.argv, sys.stdin.read()); print('e', file=sys.stderr); sys.exit(7)"
        assert run(text, "a", "é", said="hello") == (7, "['-c', 'a', 'é'] hello\n", "e\n")
        assert run("import sys; sys.exit('why')")[0] == 1
        code, _, said = run("1 / 0")
        assert code == 1 and said.endswith("ZeroDivisionError: division by zero\n"), said
        assert run("import sys; assert 'numpy' in sys.modules and 'left' not in globals(); left = 1") == (0, "", "")
        assert run("assert 'left' not in globals()") == (0, "", "")
        assert run("import os; os.kill(os.getpid(), 11)")[0] == 70

        client = subprocess.Popen([python, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(600)"],
                                  stdout=subprocess.PIPE, text=True)
        fork = int(client.stdout.readline())
        client.kill()
        client.wait()
        for _ in range(600):
            if not os.path.exists(f"/proc/{fork}"):
                break
            time.sleep(0.1)
        assert not os.path.exists(f"/proc/{fork}")

        run("import os; os.kill(os.getppid(), 9)")  # the server
        assert run("")[0] != 0
    assert not os.path.exists(python)
    return 0


if __name__ == "__main__":
    sys.exit(main())
