def reference(inputs, attributes):
    start, end, weight = (inputs[name].astype(float) for name in ("start", "end", "weight"))
    return {"y": start + weight * (end - start)}
