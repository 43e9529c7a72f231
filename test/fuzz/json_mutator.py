"""Breaks JSON by its structure: values replaced by wrong ones, keys misspelt, moved, repeated or gone, lists grown; a few
mutants are broken as text. The same seed gives the same texts.
"""

import copy
import json

VALUES = [None, True, 0, -1, 1e308, 2**63, -(2**63) - 1, 0.1, "", " ", "x", "float16", "floot", "dynamic", "required", "ND", "../x",
          "/etc/passwd", "a\0b", "\u00e9", "\ud800", "a" * 5000, [], {}, [[]], [{}], {"op": "X"}, ["ND"] * 70, "class", "Add", "true",
          "[1, 2]", "[1", "nan", "1e400", "-0", "listInt", "list_list_int"]
WHOLE = [b"", b"\0", b"null", b"[]", b"{}", b"1", b'"a"', b"[" * 100000, b'{"a":' * 50000, b"[1,]", b"{\"a\" 1}", b"\xff\xfe[]",
         b"\xef\xbb\xbf[]", b"[" + b"{}," * 100000 + b"{}]", b'{"op": "A", "op": "B"}', b"NaN", b"[Infinity]", b"//\n[]"]


def places(value, path=()):
    """Paths of everything inside."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, path + (key,))


def at(value, path):
    for step in path:
        value = value[step]
    return value


class JsonMutator:
    """`texts` are right ones to start from."""

    def __init__(self, texts):
        self.seeds = [json.loads(text) for text in texts]

    def mutant(self, random):
        if random.random() < 0.05:
            return random.choice(WHOLE)
        value = copy.deepcopy(random.choice(self.seeds))
        for _ in range(random.choice([1, 1, 1, 2, 4])):
            value = self.change(random, value)
        text = json.dumps(value, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass")
        if random.random() < 0.1:
            cut = random.randrange(len(text) + 1)
            text = random.choice([text[:cut], text[:cut] + bytes([random.randrange(256)]) + text[cut + 1:], text + text[:cut]])
        return text

    def change(self, random, value):
        path = random.choice(list(places(value)))
        if not path:
            return random.choice([value, [value], random.choice(VALUES)])
        parent, key = at(value, path[:-1]), path[-1]
        what = random.random()
        if what < 0.5:
            parent[key] = random.choice(VALUES)
        elif what < 0.65:
            del parent[key]
        elif isinstance(parent, list):
            parent.extend(copy.deepcopy([parent[key]] * random.choice([1, 2, 300])))
        elif what < 0.85:
            parent[random.choice([str(key) + "s", str(key)[1:], str(key).upper(), "name", "type", "zz"])] = parent.pop(key)
        else:
            other = random.choice(list(places(value)))
            parent[key] = copy.deepcopy(at(value, other))
        return value
