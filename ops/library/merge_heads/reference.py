"""MergeHeads: [N, H, L, D] to [N, L, H * D]."""


def reference(inputs, attributes):
    n, heads, tokens, features = inputs["x"].shape
    return {"y": inputs["x"].swapaxes(1, 2).reshape(n, tokens, heads * features)}
