def reference(inputs, attributes):
    y = inputs["x"].astype(float) * inputs["scale"]
    return {"y": y + inputs["bias"] if "bias" in inputs else y}
