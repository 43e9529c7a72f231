"""killed_compile.py FOLDER MODEL: kills `opc compile` (SIGKILL) at moments spread over its time. The folder is missing or
whole, and the next compilation finds nothing in its way. Twice: with kernels in the cache, and with some of them missing."""

import pathlib
import shutil
import subprocess
import sys
import time


def main():
    folder, model = pathlib.Path(sys.argv[1]), sys.argv[2]
    output, cache = folder / "out", folder / "cache"
    compile_ = ["opc", "compile", model, "--soc_version=Ascend310B", f"--output={output}", f"--cache-path={cache}"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    seen = {True: 0, False: 0}
    for is_warm, count in ((False, 1), (True, 4)):
        start = time.monotonic()
        subprocess.run(compile_, check=True, **quiet)
        took = time.monotonic() - start
        for i in range(1, count + 1):
            shutil.rmtree(output, ignore_errors=True)
            if not is_warm:
                shutil.rmtree(cache, ignore_errors=True)
            process = subprocess.Popen(compile_, **quiet)
            time.sleep(took * i / (count + 1))
            process.kill()
            process.wait()
            seen[output.exists()] += 1
            if output.exists():
                subprocess.run(["opc", "bench", output, "--runs=1", "--warmups=0"], check=True, **quiet)
        subprocess.run(compile_, check=True, **quiet)
        subprocess.run(["opc", "bench", output, "--runs=1", "--warmups=0"], check=True, **quiet)
    assert seen[False] >= 2, seen
    print("missing or whole:", seen[False] + seen[True])


if __name__ == "__main__":
    main()
