"""Breaks contracts by their structure: a block-style YAML text becomes a list of lines with their depth, and each mutation
changes keys, values, items, order or nesting, a few also the bytes. The same seed gives the same texts.
"""

import re

# Values that are wrong almost everywhere, or right in one place only.
VALUES = [
    "", "~", "null", "true", "yes", "0", "1", "-1", "2", "65", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "99999999999999999999999999", "0x10", "010", "1e400", "-1e-400", ".inf", "-.inf", ".nan", "1.5",
    "1_000", "+1", "''", '""', '"1"', "[]", "{}", "[[]]", "{a: b}", "[1, 2, 3]", "N*M", "2*N", "N*N*2", "N*", "N*...S", "...S", "...", "....", "N", "...class",
    "float16", "float", "flaot16", "half", "int4", "bool", "numpy", "launch", "compile", "aicore", "te", "storage", "wrap",
    "clamp", "unspecified", "class", "lambda", "workspace", "x-y", "_x", "x__y", "../../etc/passwd", "/etc/passwd",
    "a/../../b", "C:\\\\x", "reference.py", ".", "..", "a\\u0000b", '"a\\0b"', '"a\\nb"', '"\\x1b[2J"', "Add", "add", "Div",
    "Round", "1.0.0", "1.0", "65536.0.0", "*a", "&a x", "!!int 1", "! x", "<<", "%", "@", "`", "|", ">", "# x", "'", '"',
    "- x", "? x", ": x", "\u00e9", "\U0001f331", "a" * 49, "a" * 300, "x" * 70000, "[" * 40, "[" * 5000, "{a: " * 2000,
]
WHOLE_FILES = [
    b"", b"\n", b"\0", b"---\n", b"--- \n...\n", b"- a\n- b\n", b"null\n", b"[]", b"{}", b"a", b"\xff\xfe", b"\xef\xbb\xbfa: 1",
    b"a: &a [*a]\n", b"? ? ? a\n", b"[" * 100000, b"- " * 100000, b"{a: " * 50000, b"a: 1\n" * 20000, b"x" * (1 << 21),
    b'"' + b"\\" * 9999, b"%TAG ! !\n---\na: 1\n", b"a:\n\t- b\n", b"!!map {}\n",
    # As long as a contract may be: whatever takes more than linear time shows here.
    *[(head + part * (1 << 20))[:(1 << 20) - 1] + b"\n" for head, part in [
        (b"inputs: [", b"a, "), (b"inputs:\n", b"  - a\n"), (b"summary: ", b"'' "), (b"a: [", b"&a *a, "), (b"", b"---\n"),
        (b"", b"? "), (b"", b": \n"), (b"summary: ", b"a\n  "), (b"", b"\n"), (b"inputs:\n", b"  - name: x\n    shape: [N]\n")]],
]


def depth_of(line):
    return len(line) - len(line.lstrip(" -"))


def subtree(lines, start):
    """One past the last line of what hangs below `start`."""
    end = start + 1
    while end < len(lines) and depth_of(lines[end]) > depth_of(lines[start]):
        end += 1
    return end


def misspell(random, word):
    if not word:
        return "x"
    at = random.randrange(len(word))
    return random.choice([word[:at] + word[at + 1:], word[:at] + word[at] + word[at:], word[:at] + "z" + word[at + 1:],
                          word.upper(), word + "s", word[::-1]])


class ContractMutator:
    """`texts` are the contracts to start from."""

    def __init__(self, texts):
        self.texts = texts

    def mutant(self, random):
        """The bytes of one broken contract."""
        if random.random() < 0.05:
            return random.choice(WHOLE_FILES)
        lines = [line for line in random.choice(self.texts).split("\n") if line.strip() and not line.strip().startswith("#")]
        for _ in range(random.choice([1, 1, 1, 2, 3, 5])):
            if lines:
                lines = random.choice(self.MUTATIONS)(self, random, lines)
        data = ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")
        return self.bytes_changed(random, data) if random.random() < 0.1 else data

    def key(self, random, lines):
        """One key misspelt, or taken from another line."""
        at = random.randrange(len(lines))
        other = re.match(r"^[ -]*([\w.]+):", random.choice(lines))
        replacement = other.group(1) if other and random.random() < 0.4 else None
        lines[at] = re.sub(r"^([ -]*)(\w+):", lambda m: m.group(1) + (replacement or misspell(random, m.group(2))) + ":",
                           lines[at])
        return lines

    def value(self, random, lines):
        """One value replaced by one that is wrong there."""
        at = random.randrange(len(lines))
        value = random.choice(VALUES)
        if ":" in lines[at]:
            lines[at] = lines[at].split(":", 1)[0] + ": " + value
        else:
            lines[at] = re.match(r"^[ -]*", lines[at]).group(0) + value
        return lines

    def near_value(self, random, lines):
        """One value misspelt, or taken from another line."""
        at = random.randrange(len(lines))
        match = re.match(r"^(.*[:-] )(\S.*)$", lines[at])
        other = re.match(r"^.*[:-] (\S.*)$", random.choice(lines))
        if match:
            value = other.group(1) if other and random.random() < 0.5 else misspell(random, match.group(2))
            lines[at] = match.group(1) + value
        return lines

    def delete(self, random, lines):
        at = random.randrange(len(lines))
        return lines[:at] + lines[subtree(lines, at):]

    def duplicate(self, random, lines):
        at = random.randrange(len(lines))
        end = subtree(lines, at)
        return lines[:end] + lines[at:end] * random.choice([1, 1, 2, 70]) + lines[end:]

    def move(self, random, lines):
        """A part goes to another place, with the depth of its neighbour there."""
        at = random.randrange(len(lines))
        end = subtree(lines, at)
        part, rest = lines[at:end], lines[:at] + lines[end:]
        if not rest:
            return lines
        to = random.randrange(len(rest))
        shift = depth_of(rest[to]) - depth_of(part[0])
        part = [" " * max(0, shift) + line if shift >= 0 else line[min(-shift, depth_of(line)):] for line in part]
        return rest[:to] + part + rest[to:]

    def swap(self, random, lines):
        first, second = random.randrange(len(lines)), random.randrange(len(lines))
        lines[first], lines[second] = lines[second], lines[first]
        return lines

    def indent(self, random, lines):
        at = random.randrange(len(lines))
        lines[at] = random.choice([" ", "  ", "\t", "- ", "    "]) + lines[at] if random.random() < 0.6 else lines[at].lstrip()
        return lines

    def wrap(self, random, lines):
        """A part pushed some levels down."""
        at = random.randrange(len(lines))
        end = subtree(lines, at)
        levels = random.choice([1, 2, 31, 40])
        shift = depth_of(lines[at])
        nest = [" " * (shift + 2 * i) + "a:" for i in range(levels)]
        return lines[:at] + nest + [" " * (2 * levels) + line for line in lines[at:end]] + lines[end:]

    def item(self, random, lines):
        """One item more, or one less, in some list: the rows of tensors no longer match."""
        items = [at for at, line in enumerate(lines) if re.match(r"^ *- [\w.]+$", line)]
        if not items:
            return lines
        at = random.choice(items)
        return lines[:at] + ([] if random.random() < 0.5 else [lines[at], lines[at]]) + lines[at + 1:]

    def shape(self, random, lines):
        """Symbols renamed, packs and sizes exchanged."""
        items = [at for at, line in enumerate(lines) if re.match(r"^ *- (\.\.\.)?[A-Z]\w*$", line)]
        if items:
            at = random.choice(items)
            new = random.choice(["...S", "...T", "N", "M", "K", "0", "7", "-7", "4294967296"])
            lines[at] = re.match(r"^ *- ", lines[at]).group(0) + new
        return lines

    def insert(self, random, lines):
        at = random.randrange(len(lines) + 1)
        line = random.choice(["---", "...", "<<: *a", "&a", "a: 1", "- a", "? a", "}", "]", "# only a comment", "%YAML 3.0",
                              "equals:\n  mul: [M, M]", "required: false", "broadcast: numpy", "kernel_name: exp"])
        depth = " " * random.choice([0, 2, 4])
        return lines[:at] + [depth + part for part in line.split("\n")] + lines[at:]

    MUTATIONS = [key, value, value, near_value, near_value, delete, delete, duplicate, move, swap, indent, wrap, item, shape,
                 insert]

    @staticmethod
    def bytes_changed(random, data):
        at = random.randrange(len(data))
        return random.choice([
            data[:at],
            data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1:],
            data[:at] + random.choice([b"\0", b"\x1b", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\r", b"\xe2\x80\xa8"]) + data[at:],
            data.replace(b"\n", b"\r\n"),
            data.replace(b"\n", b"\r"),
            data.decode("utf-8", "replace").encode("utf-16"),
        ])
