"""SplitHeads: [N, L, H * D] to [N, H, L, D]."""


def reference(inputs, attributes):
    x, heads = inputs["x"], attributes["heads"]
    n, tokens, features = x.shape
    return {"y": x.reshape(n, tokens, heads, features // heads).swapaxes(1, 2)}
