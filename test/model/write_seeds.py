"""Writes models as seeds of the fuzzer `onnx`: those of models.py that are small, and node tests of every operator.

  write_seeds.py <folder> [--count=N]
"""

import argparse
import pathlib

import models
import second_reader


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--operators", type=int, default=10000, help="operators whose node tests are written")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, model in [*models.all_models(options.folder), *second_reader.node_tests(0, options.operators)]:
        bytes_ = model.SerializeToString()
        if len(bytes_) <= 1 << 14:
            (options.folder / f"{name}.onnx").write_bytes(bytes_)


if __name__ == "__main__":
    main()
