def reference(inputs, attributes):
    var = inputs["var"].copy()
    for update, index in zip(inputs["updates"], inputs["indices"]):
        if 0 <= index < len(var):
            var[index] = update
    return {"var": var}
