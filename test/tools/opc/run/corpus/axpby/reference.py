def reference(inputs, attributes):
    alpha, beta = attributes.get("alpha", 1.0), attributes.get("beta", 1.0)
    return {"y": alpha * inputs["x"].astype(float) + beta * inputs["y0"].astype(float)}
