"""The format of the lit tests: shell lines, of which those that compile do so for the CPU levels that cpu_levels.py draws.
What they start as %python is a fork of one Python for all tests of a process of lit (python/warm_python.py). Files that say
`REQUIRES: turn` take turns in builds with sanitizers (turns.py)."""

import copy
import functools
import pathlib
import sys

import lit.formats

import cpu_levels
import turns

sys.path.insert(0, str(pathlib.Path(__file__).parent / "python"))
import warm_python  # noqa: E402


@functools.lru_cache(maxsize=None)
def start_python(python):
    """The environment of its clients; the server ends with this process, which holds a file until then."""
    return warm_python.start(python)[0]


class OneLevel(lit.formats.ShTest):
    """In a module of its own, from which the workers of lit load it."""

    def execute(self, test, lit_config):
        text = pathlib.Path(test.getSourcePath()).read_text(encoding="utf-8")
        of_models, name = "%kernels" in text, "/".join(test.path_in_suite)
        drawn = cpu_levels.environment(None if of_models else name)
        test.config = copy.copy(test.config)
        if not test.config.opc_sanitize or turns.has_file(name):
            test.config.available_features = {*test.config.available_features, "turn"}
        shared = start_python(test.config.opc_python) if "%python" in text else {}
        test.config.environment = {**test.config.environment, **drawn, **shared}
        return super().execute(test, lit_config)
