"""`./dev bench --compare` of a build with itself, with one whose tree has fewer operators, and of a folder that is no
build.
Usage: bench_compare.py <tools/dev/bench> <build> <folder>"""

import json
import pathlib
import subprocess
import sys

bench, build, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])


def compare(a, b, *more):
    return subprocess.run([sys.executable, bench, "--build", build, "--work", folder / "compare", "--quick", "--compare", a, b,
                           "--only", "(add_relu|relu) 4096", "--json", folder / "verdicts.json", *more],
                          capture_output=True, text=True)


done = compare(build, build)
assert done.returncode in (0, 1), done
verdicts = json.loads((folder / "verdicts.json").read_text(encoding="utf-8"))
assert set(verdicts) == {"add_relu 4096 f32 t1", "relu 4096 f32 t1"}, verdicts
assert ("LOSS" in done.stdout) == (done.returncode == 1), done
# Each build compiles the operators of its tree: the other tree has only Relu.
other = folder / "tree" / "build"
(other / "bin").mkdir(parents=True)
(other / "bin" / "opc").symlink_to(pathlib.Path(build) / "bin" / "opc")
(other / "lib").symlink_to(pathlib.Path(build) / "lib")
library = pathlib.Path(bench).parents[2] / "ops" / "library"
(folder / "tree" / "ops" / "library").mkdir(parents=True)
(folder / "tree" / "ops" / "library" / "relu").symlink_to(library / "relu")
done = compare(str(other), build)
assert done.returncode in (0, 1), done
assert set(json.loads((folder / "verdicts.json").read_text(encoding="utf-8"))) == {"relu 4096 f32 t1"}, done
assert "add_relu 4096 f32 t1 is left out; A: bench: opc could not compile add_relu" in done.stderr, done
done = compare(build, str(folder))
assert done.returncode == 2 and "expects the folder of a build" in done.stderr and "bin/opc" in done.stderr, done
