"""The format of the lit tests: shell lines, of which those that compile do so for the CPU levels that cpu_levels.py draws."""

import copy
import pathlib

import lit.formats

import cpu_levels


class OneLevel(lit.formats.ShTest):
    """In a module of its own, from which the workers of lit load it."""

    def execute(self, test, lit_config):
        of_models = "%kernels" in pathlib.Path(test.getSourcePath()).read_text(encoding="utf-8")
        drawn = cpu_levels.environment(None if of_models else "/".join(test.path_in_suite))
        test.config = copy.copy(test.config)
        test.config.environment = {**test.config.environment, **drawn}
        return super().execute(test, lit_config)
