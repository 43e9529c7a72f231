"""presets.py CMakePresets.json TOOLKIT VENDOR SOC: sets the toolkit's path and the vendor in the generated project."""

import json
import sys

path, toolkit, vendor, soc = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    presets = json.load(file)
values = {"ASCEND_CANN_PACKAGE_PATH": toolkit, "vendor_name": vendor, "ASCEND_COMPUTE_UNIT": soc}
for preset in presets.get("configurePresets", []):
    variables = preset.setdefault("cacheVariables", {})
    for name, value in values.items():
        if isinstance(variables.get(name), dict):
            variables[name]["value"] = value
        elif name in variables:
            variables[name] = value
with open(path, "w", encoding="utf-8") as file:
    json.dump(presets, file, indent=4)
