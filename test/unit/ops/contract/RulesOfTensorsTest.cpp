// Rules 14 to 22 and 25 to 29: names, tensors, type rows and attributes. One test a label.

#include "test/unit/ops/contract/SampleContract.h"

#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

// Without it the type could not name a class, and the names made from it would surprise.
TEST(RulesOfTensors, C14OpType) {
  expectBroken("op_type: RowScale", "op_type: @rowScale", "contract_c14",
               "which does not start with an upper-case letter");
  expectBroken("op_type: RowScale", "op_type: @Row_Scale", "contract_c14", "which has characters other than letters");
  expectBroken("op_type: RowScale", "op_type: @../Row", "contract_c14", "expects 'op_type' in UpperCamel");
  expectBroken("op_type: RowScale", "op_type: @R" + std::string(48, 'x'), "contract_c14", "more than 48 characters");
}

// Without it versions could not be compared.
TEST(RulesOfTensors, C15Version) {
  for (const char *version : {"@1.0", "@1.0.0.0", "@01.0.0", "@1.0.x", "@v1.0.0", "@1..0", "@65536.0.0", "@1.0.0-rc1"})
    expectBroken("version: 1.2.3", "version: " + std::string(version), "contract_c15",
                 "expects three numbers in 'version'", "as in 1.0.0");
  expectGood("version: 1.2.3", "version: 0.0.65535");
}

// Without it a host build of the kernel would define round or malloc a second time.
TEST(RulesOfTensors, C17KernelName) {
  expectBroken("op_type: RowScale", "op_type: @Div", "contract_c17",
               "found 'div', which is a function of the C library", "add 'kernel_name: div_kernel'");
  expectBroken("op_type: RowScale", "op_type: @Asinh", "contract_c17", "found 'asinh'",
               "add 'kernel_name: asinh_kernel'");
  expectBroken("op_type: RowScale", "op_type: @Sinf", "contract_c17", "found 'sinf'", "add 'kernel_name: sinf_kernel'");
  expectBroken("op_type: RowScale", "op_type: @For", "contract_c17", "which is a word of C or C++",
               "add 'kernel_name: for_kernel'");
  expectBroken("version: 1.2.3", "version: 1.2.3\nkernel_name: @Row", "contract_c17", "which has upper-case letters");
  expectBroken("version: 1.2.3", "version: 1.2.3\nkernel_name: @../x", "contract_c17",
               "which has characters other than");
  EXPECT_EQ(expectGood("op_type: RowScale", "op_type: Round\nkernel_name: round_kernel").name, "round_kernel");
}

// Without it two parameters of one function, or two options of one command, would have one name.
TEST(RulesOfTensors, C18NameOnce) {
  expectBroken("  - name: total", "  - name: @x", "contract_c18", "found 'x', which line 6 has already");
  expectBroken("  - name: mode", "  - name: @keep", "contract_c18", "found 'keep'");
  std::string text = edited("      - 4\n", "      - @...N\n");
  expectError(text, "contract_c18", "expects a symbol and a pack to have different names, found 'N' as both");
}

// Without it an operator without outputs, or one with a million inputs, would reach code that expects a few.
TEST(RulesOfTensors, C19Count) {
  expectBroken("bodies:\n  - level: te\n    file: row_scale.mlir\n  - level: aicore\n    file: "
               "kernels/row_scale.aicore.mlir\n",
               "bodies: @[]\n", "contract_c19", "expects 1 to 64 items in 'bodies', found 0");
  std::string choices;
  for (int i = 0; i < 65; ++i)
    choices += "      - c" + std::to_string(i) + "\n";
  expectBroken("    default: fast\n    choices:\n      - fast\n      - exact\n",
               "    choices:\n      @" + choices.substr(6), "contract_c19", "found 65");
}

// Without it a row would lack the type of a tensor.
TEST(RulesOfTensors, C20TypeTable) {
  expectBroken("  - name: y\n    types:\n      - float16\n", "  - name: y\n    @types:\n", "contract_c20",
               "expects 2 types as 'x' has, found 1");
}

// Without it a launch could not tell which of two kernels it gets.
TEST(RulesOfTensors, C21RowOnce) {
  Diagnostics diagnostics;
  std::string text = sample();
  for (size_t at = text.find("float16"); at != std::string::npos; at = text.find("float16"))
    text.replace(at, 7, "float32");
  text.replace(text.find("    types:"), 4, "    @");
  size_t tolerance = text.find("    - type: float32\n      max_ulp: 1\n");
  text.erase(tolerance, std::string("    - type: float32\n      max_ulp: 1\n").size());
  expectError(text, "contract_c21", "found row 1 equal to row 0 (float32)", "remove one of the two from every tensor");
}

// Without it a row would lack its format.
TEST(RulesOfTensors, C22Formats) {
  expectBroken("    formats:\n      - ND\n      - NCHW\n", "    formats:\n      @- ND\n", "contract_c22",
               "expects one format or one for each of the 2 type rows, found 1");
  EXPECT_EQ(expectGood("    formats:\n      - ND\n      - NCHW\n", "    formats: NHWC\n").inputs[0].formats,
            (std::vector<std::string>{"NHWC", "NHWC"}));
}

// Without it 'required: false' on an output would promise what no launch does.
TEST(RulesOfTensors, C25TensorKeys) {
  expectBroken("  - name: y\n", "  - name: y\n    @required: false\n", "contract_c25",
               "expects 'required' on inputs only, found it on an output", "remove it");
  expectBroken("  - name: y\n", "  - name: y\n    @broadcast: numpy\n", "contract_c25",
               "expects 'broadcast' on inputs only", "remove it");
  expectBroken("    summary: Rows\n", "    @reduces:\n      input: x\n      axes: axes\n", "contract_c25",
               "expects 'reduces' on outputs only", "remove it");
  // Dimensions are missing on the left: a pack after a symbol would leave open which of the two lost them.
  expectBroken("      - ...B\n      - N\n    broadcast: numpy", "      - N\n      - @...B\n    broadcast: numpy",
               "contract_c25", "expects the pack first in a shape with 'broadcast: numpy', found it at position 2");
  expectBroken("      - ...B\n      - N\n    broadcast: numpy", "      - N\n      - @...B\n    broadcast: batch",
               "contract_c25", "expects the pack first in a shape with 'broadcast: batch', found it at position 2");
  // Without a pack nothing would broadcast.
  expectBroken("      - ...B\n      - N\n    broadcast: numpy", "      - @N\n    broadcast: batch", "contract_c25",
               "expects a pack in a shape with 'broadcast: batch', found [N]",
               "the pack comes first, [...S, M, K]: its dimensions broadcast, the others do not");
}

// Without it the shape of an output would hang on an attribute that a kernel does not know when it is compiled.
TEST(RulesOfTensors, C26Reduces) {
  const std::string head = "  - name: total\n    types:\n      - float32\n      - float32\n    reduces:\n";
  const std::string marked = "  - name: @total\n    types:\n      - float32\n      - float32\n    reduces:\n";
  const std::string input = "      input: x\n", axes = "      axes: axes\n", keep = "      keep_dims: keep\n";
  const std::string from = head + input + axes + keep;
  expectBroken(from, marked + "      input: z\n" + axes + keep, "contract_c26",
               "expects 'reduces' to name a required input, found 'z'", "one of: x, scale");
  expectBroken(from, marked + "      input: bias\n" + axes + keep, "contract_c26", "found 'bias'", "one of: x, scale");
  expectBroken(from, marked + input + "      axes: axis\n" + keep, "contract_c26",
               "expects the axes of 'reduces' in an int or list_int attribute", "did you mean 'axes'?");
  expectBroken(from, marked + input + "      axes: beta\n" + keep, "contract_c26", "found 'beta'");
  expectBroken(from, marked + input + axes + "      keep_dims: mode\n", "contract_c26",
               "expects 'keep_dims' of 'reduces' in a bool attribute bound to shapes or at compile time, "
               "found 'mode'");
  // A shape beside it is that of the input.
  expectBroken(from, head + input + axes + "    shape: @[]\n", "contract_c26",
               "of 'x' in an output that 'reduces' it and has a 'shape', found []",
               "without 'shape', the output has the shape that the axes leave");
  expectBroken("  - name: axes\n    type: list_int\n    bind: compile",
               "  - name: @mean\n    type: float\n    bind: shape\n"
               "  - name: axes\n    type: list_int\n    bind: compile",
               "contract_c26", "found 'mean', which none names", "write 'bind: launch' or 'bind: compile'");
}

// Axes that are given at launch: one package reduces over any.
TEST(RulesOfTensors, AxesBoundToShapes) {
  Contract contract = expectGood("    type: list_int\n    bind: compile", "    type: list_int\n    bind: shape");
  EXPECT_EQ(contract.findAttribute("axes")->binding, Binding::Shape);
  EXPECT_EQ(bindingName(Binding::Shape), "shape");
}

// Without it a launch without the attribute would run with a value that the contract forbids.
TEST(RulesOfTensors, C27Default) {
  expectBroken("    default: 0.5", "    default: @9", "contract_c27", "within the attribute's range, found '9'");
  expectBroken("    default:\n      - -1\n", "    default:\n      - -1\n      - @8\n", "contract_c27",
               "within the attribute's range, found '8'");
  expectBroken("    default: fast", "    default: @fest", "contract_c27", "among the attribute's choices, found 'fest'",
               "did you mean 'fast'?");
  expectBroken("    default: 0.5\n    range:\n      minimum: 0\n      maximum: 8.5\n", "    default: @1e39\n",
               "contract_c27", "that fits float32, found '1e39'");
}

// Without it a range could admit nothing, or lose whole numbers to rounding.
TEST(RulesOfTensors, C28Range) {
  expectBroken("    default: 0.5\n    range:\n      minimum: 0\n", "    range:\n      @minimum: 9\n", "contract_c28",
               "expects the minimum of a range not above its maximum");
  expectBroken("      minimum: -8\n", "      minimum: @-9007199254740993\n", "contract_c28", "within 2^53");
  expectBroken("    default: fast\n    choices:\n", "    range:\n      @minimum: 1\n    choices:\n", "contract_c28",
               "expects 'range' on numbers, found it on a string");
  expectBroken("    default: false\n", "    choices:\n      @- a\n", "contract_c28",
               "expects 'choices' on strings, found it on a bool");
  expectBroken("      - exact\n", "      - @fast\n", "contract_c28", "expects each choice once, found 'fast' again");
  expectBroken("    range:\n      minimum: 0\n      maximum: 8.5\n", "    range: @{}\n", "contract_c28",
               "found neither");
}

// Without it a text would have to travel in a field of the tiling data.
TEST(RulesOfTensors, C29LaunchType) {
  expectBroken("    type: string\n    bind: compile", "    type: string\n    @bind: launch", "contract_c29",
               "expects a float, an int or a bool to bind at launch, found a string", "write 'bind: compile'");
}

static std::string withConstants(const std::string &a, const std::string &b, const std::string &types = "float16") {
  return "schema: 1\nop_type: Product\nversion: 1.0.0\nsummary: multiplies\ninputs:\n"
         "  - {name: a, types: [float16], shape: [M, K]" +
         a + "}\n  - {name: b, types: [" + types + "], shape: [K, N]" + b +
         "}\noutputs:\n  - {name: y, types: [float16], shape: [M, N]}\n"
         "precision:\n  compute: storage\n  tolerance:\n    - {type: float16, max_ulp: 0}\n"
         "bodies:\n  - {level: te, file: product.mlir}\nreference: reference.py\n";
}

// Without it: a launch keeps all that it computes from, or indices of which each launch checks the values.
TEST(RulesOfTensors, C25Constants) {
  expectError(withConstants(", @constant: true", ", constant: true"), "contract_c25",
              "expects a required input beside constants, found none: all results would be constant",
              "remove 'constant' from the input that differs from launch to launch");
  std::string optional = withConstants(", required: false", ", @constant: true");
  optional.replace(optional.find("[M, N]"), 6, "[K, N]");
  expectError(optional, "contract_c25", "expects a required input beside constants",
              "remove 'constant' from the input that differs from launch to launch");
  expectError(withConstants("", ", values: {along: M}, @constant: true", "int32"), "contract_c25",
              "expects constants that are no indices, found both 'constant' and 'values' at 'b'",
              "remove one of the two: kernels read indices as they are given");
  expectError(withConstants("", ", constant: @often"), "contract_c11", "'constant'");
  std::string output = withConstants("", "");
  output.replace(output.find("name: y,"), 8, "name: y, @constant: true,");
  expectError(output, "contract_c25", "expects 'constant' on inputs only, found it on an output", "remove it");
}
