"""Breaks bodies by their structure: lines, tokens, values, types, attributes and operations of MLIR text change places or
become others, a few bytes too. The same seed gives the same texts.
"""

import re

TOKEN = re.compile(r"%\w+|@\w+|![A-Za-z]\w*|#[\w.]+|\"[^\"]*\"|[A-Za-z_][\w.]*|-?\d+(?:\.\d+)?|->|[^\s\w]|\s+")
NUMBERS = ["0", "1", "-1", "2", "3", "31", "8191", "8193", "253952", "9223372036854775807", "-9223372036854775808",
           "99999999999999999999999999", "1.5", "1e400", "0x7FC0", "?", "true"]
TYPES = ["f16", "f32", "f64", "bf16", "i1", "i8", "i64", "index", "tensor<4xf16>", "vector<4xf32>", "memref<?xf16>", "!T", "!U",
         "memref<*xf16>", "none", "()", "!llvm.ptr", "complex<f32>"]
OPERATIONS = ["arith.addi", "arith.divsi", "arith.remsi", "arith.constant", "arith.negf", "memref.alloc", "memref.load",
              "memref.dim", "memref.copy", "memref.subview", "scf.if", "scf.while", "scf.for", "scf.forall", "func.call",
              "func.return", "cf.br", "llvm.load", "linalg.generic", "tensor.empty", "math.exp", "aicore.load", "aicore.store",
              "aicore.vadd", "aicore.vexp", "aicore.vcast", "aicore.vmuls", "aicore.buffer", "aicore.block_idx",
              "aicore.tiling_data", "aicore.set_flag", "aicore.wait_flag", "aicore.pipe_barrier", "aicore.nothing", "test.op"]
WORDS = ["gm", "ub", "l1", "placed", "rotated", "planned", "synced", "emitted", "mte2", "mte3", "v", "s", "rint", "none", "odd",
         "min", "max", "at", "round", "aicore.kernel", "aicore.tiling", "num_elements", "max_blocks", "rank", "dim"]
LINES = ["  aicore.wait_flag v -> mte2 [0]", "  aicore.set_flag v -> mte2 [7]", "  aicore.pipe_barrier v", "  return", "}", "{",
         "  \"test.op\"() : () -> ()", "  %0 = \"builtin.unrealized_conversion_cast\"() : () -> index", "module {",
         "  scf.while : () -> () { %t = arith.constant true scf.condition(%t) } do { scf.yield }",
         "  %b = aicore.buffer \"big\" : memref<1000000000xf32, #aicore.space<ub>>", "!T = f32", "#gm = #aicore.space<l0c>",
         "  func.call @add_relu() : () -> ()", "  cf.br ^bb0", "^bb0:", "  llvm.unreachable", "// only a comment"]
WHOLE_FILES = [b"", b"\n", b"\0", b"!T = f16\n", b"!T = f16\nmodule {}\n", b"!T = !T\n", b"\xff\xfe\x00", b"(" * 50000,
               b"!T = f16\n" + b"module {" * 3000, b"!T = f16\n" + b"%" * 9999, b"#a = #a\n", b"x" * (1 << 20),
               b"!T = f16\nfunc.func @f() { return }\n", b"!T = f16\nfunc.func private @add_relu()\n"]


class BodyMutator:
    """`texts` are the bodies to start from."""

    def __init__(self, texts):
        self.texts = texts

    def mutant(self, random, text):
        """The bytes of one broken body."""
        if random.random() < 0.05:
            return random.choice(WHOLE_FILES)
        lines = text.split("\n")
        for _ in range(random.choice([1, 1, 1, 2, 4])):
            lines = random.choice(self.MUTATIONS)(self, random, lines)
        data = "\n".join(lines).encode()
        return self.bytes_changed(random, data) if random.random() < 0.05 else data

    def code_line(self, random, lines):
        """The number of a line that is neither empty nor a comment; any line where there is none."""
        numbers = [at for at, line in enumerate(lines) if line.strip() and not line.strip().startswith("//")]
        return random.choice(numbers or [0])

    def tokens(self, random, lines, pattern):
        """(line, tokens, position of one that matches), or None."""
        at = self.code_line(random, lines)
        tokens = TOKEN.findall(lines[at])
        places = [i for i, token in enumerate(tokens) if re.fullmatch(pattern, token)]
        return (at, tokens, random.choice(places)) if places else None

    def put(self, random, lines, pattern, choices):
        found = self.tokens(random, lines, pattern)
        if found:
            at, tokens, place = found
            tokens[place] = random.choice(choices)
            lines[at] = "".join(tokens)
        return lines

    def value(self, random, lines):
        """An operand becomes another value of the file."""
        return self.put(random, lines, r"%\w+", re.findall(r"%\w+", "\n".join(lines)) or ["%x"])

    def number(self, random, lines):
        return self.put(random, lines, r"-?\d+(\.\d+)?|\?", NUMBERS)

    def type(self, random, lines):
        return self.put(random, lines, r"!\w+|[bf]f?\d+|i\d+|index", TYPES + re.findall(r"!\w+", "\n".join(lines)))

    def operation(self, random, lines):
        """An operation becomes another of the file, or of any dialect."""
        return self.put(random, lines, r"(aicore|arith|memref|scf|func)\.\w+",
                        OPERATIONS + re.findall(r"aicore\.v\w+", "\n".join(lines)))

    def word(self, random, lines):
        return self.put(random, lines, r"[a-z]\w*", WORDS)

    def text(self, random, lines):
        """A name in quotes or a function's name becomes another."""
        names = re.findall(r"\"\w+\"|@\w+", "\n".join(lines))
        return self.put(random, lines, r"\"[^\"]*\"|@\w+", names + ['""', '"\\00"', '"x\\0Ay"', "@main", "@add_relu_float16"])

    def token(self, random, lines):
        """A token goes, comes twice, or changes places with the next."""
        found = self.tokens(random, lines, r"\S+")
        if found:
            at, tokens, place = found
            kind = random.randrange(3)
            if kind == 2 and place + 1 < len(tokens):
                tokens[place], tokens[place + 1] = tokens[place + 1], tokens[place]
            else:
                tokens[place:place + 1] = [] if kind == 0 else [tokens[place], " ", tokens[place]]
            lines[at] = "".join(tokens)
        return lines

    def delete(self, random, lines):
        at = self.code_line(random, lines)
        return lines[:at] + lines[at + random.choice([1, 1, 1, 5]):] or [""]

    def duplicate(self, random, lines):
        at = self.code_line(random, lines)
        return lines[:at] + [lines[at]] * random.choice([2, 2, 3, 300]) + lines[at + 1:]

    def swap(self, random, lines):
        first, second = self.code_line(random, lines), self.code_line(random, lines)
        lines[first], lines[second] = lines[second], lines[first]
        return lines

    def insert(self, random, lines):
        at = self.code_line(random, lines)
        return lines[:at] + [random.choice(LINES)] + lines[at:]

    MUTATIONS = [value, value, number, number, type, type, operation, operation, word, text, token, token, delete, delete,
                 duplicate, swap, insert]

    @staticmethod
    def bytes_changed(random, data):
        at = random.randrange(len(data) or 1)
        return random.choice([
            data[:at],
            data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1:] if data else b"\0",
            data[:at] + random.choice([b"\0", b"\xff", b"\x1b", b"\xe2\x80\xa8", b"\r"]) + data[at:],
            data.replace(b"\n", b"\r\n"),
        ])


class TeBodyMutator(BodyMutator):
    """Bodies at level te: values, ops, axes, types and constants become others of the language."""

    OPERATIONS = ["add", "sub", "mul", "div", "maximum", "minimum", "leaky_relu", "swish", "neg", "abs", "relu", "exp", "log",
                  "sqrt", "rsqrt", "reciprocal", "sigmoid", "tanh", "erf", "gelu", "compare", "select", "cast", "constant",
                  "broadcast", "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "reduce_any", "reduce_all", "arg_max", "arg_min", "ad", "matmul"]
    WORDS = ["keep", "axes", "to", "round", "saturate", "unsigned", "erf", "tanh", "lt", "eq", "floor", "trunc", "nearest_away",
             "inf", "nan", "true", "return"]
    LINES = ["  %0 = te.exp %0", "  %0 = te.add %1, %1", "  %c = te.constant 1e400", "  %c = te.constant 0x7FF0 : f16",
             "  %c = te.constant #nothing", "  %c = te.constant -nan : bf16", "  return", "}", "{", "!T = f32", "^bb0:",
             "  cf.br ^bb0", "  %f = arith.constant 1.0 : f32", "  %t = tensor.empty() : tensor<4xf32>",
             "  %q = \"te.cast\"(%x) <{element = f99}> : (!x) -> !y", "  %q = \"te.add\"(%x) : (!x) -> !x",
             "  %q = \"te.reduce_sum\"(%x) <{axes = array<i64: 9>}> : (!x) -> !y", "  %q = \"te.constant\"() : () -> f32",
             "  %q = te.reduce_sum %x axes [9223372036854775807]", "  %q = te.reduce_sum %x axes [-9223372036854775808] keep",
             "func.func private @te_rows()", "func.func @te_rows() { return }", "#a = 1 : i64", "  %q:2 = te.exp %x",
             "  %q = te.exp %x#7", "  func.call @te_rows() : () -> ()", "module {"]

    def operation(self, random, lines):
        return self.put(random, lines, r"te\.\w+", ["te." + name for name in self.OPERATIONS] + OPERATIONS)

    def word(self, random, lines):
        return self.put(random, lines, r"[a-z]\w*", self.WORDS)

    def insert(self, random, lines):
        at = self.code_line(random, lines)
        return lines[:at] + [random.choice(self.LINES)] + lines[at:]

    def chain(self, random, lines):
        """A line many times over, each on the value before."""
        at = self.code_line(random, lines)
        match = re.match(r"( *)%(\w+) = (te\.\w+(?: erf| tanh)?) %(\w+)(.*)", lines[at])
        if not match:
            return lines
        space, result, op, operand, rest = match.groups()
        length = random.choice([2, 50, 2000])
        chain = [f"{space}%c{i} = {op} %{operand if i == 0 else f'c{i - 1}'}{rest}" for i in range(length)]
        return lines[:at] + chain + [f"{space}%{result} = {op} %c{length - 1}{rest}"] + lines[at + 1:]

    MUTATIONS = [BodyMutator.value, BodyMutator.value, BodyMutator.number, BodyMutator.type, BodyMutator.type, operation,
                 operation, word, BodyMutator.text, BodyMutator.token, BodyMutator.token, BodyMutator.delete,
                 BodyMutator.duplicate, BodyMutator.swap, insert, insert, chain]
