// Rules 1 to 13, 16 and 43: the text as such, its YAML, keys and kinds of values. One test a label.

#include "test/unit/ops/contract/SampleContract.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

// Without it a file of gigabytes would be read and parsed before anyone looks at it.
TEST(RulesOfText, C1Size) {
  std::string large = "@" + sample() + "#" + std::string(1 << 20, 'x') + "\n";
  expectError(large, "contract_c1", "expects at most 1048576 bytes");
  // The limit itself is admitted.
  Diagnostics diagnostics;
  std::string text = sample() + "#";
  text += std::string((1 << 20) - text.size(), 'x');
  EXPECT_TRUE(read(text, diagnostics).has_value());
}

// Without it bytes of another encoding, NULs and escapes for terminals would reach names, paths and messages.
TEST(RulesOfText, C2Encoding) {
  using std::string_literals::operator""s;
  expectBroken("Scales", "@\xff", "contract_c2", "expects UTF-8, found byte 0xff");
  expectBroken("Scales", "@\xc0\xaf", "contract_c2", "found byte 0xc0");          // overlong '/'
  expectBroken("Scales", "@\xed\xa0\x80", "contract_c2", "found byte 0xed");      // surrogate
  expectBroken("Scales", "@\xf4\x90\x80\x80", "contract_c2", "found byte 0xf4");  // past U+10FFFF
  expectBroken("Scales", "S\xc3\xa9@\xe2\x82", "contract_c2", "found byte 0xe2"); // cut short
  expectBroken("Scales", "@\0"s, "contract_c2", "expects no control characters, found byte 0x00");
  expectBroken("Scales", "@\x1b[31m", "contract_c2", "found byte 0x1b");
  expectError("@\xEF\xBB\xBF" + sample(), "contract_c2", "found a byte order mark", "save the file without one");
  expectGood("Scales", "Sk\xc3\xa5len \xf0\x9f\x8c\xb1");
}

// Without it what yaml-cpp throws would end the process, or its place would be lost.
TEST(RulesOfText, C3Syntax) {
  // The reader itself takes the end of the file for the missing quote.
  expectBroken("summary: Scales", "summary: @\"Scales", "contract_c3", "found a quote that is not closed");
  expectBroken("summary: Scales", "summary: @'Sca''les", "contract_c3", "found a quote that is not closed");
  expectGood("summary: Scales rows", "summary: 'Scales ''all'' \" rows'\n#");
  expectGood("summary: Scales rows", "summary: \"Scales \\\"all\\\" ' rows\"\n#");
  expectBroken("version: 1.2.3", "version: 1.2.3\n  bad@: 1", "contract_c3", "found: illegal map value");
  expectBroken("    types:\n", "    types: [a, b\n    @}\n", "contract_c3", "found: illegal flow end");
}

// Without it an empty file would be an internal error, and a second document would be dropped in silence.
TEST(RulesOfText, C4OneDocument) {
  expectError("@", "contract_c4", "found an empty file");
  expectError("@# only a comment\n", "contract_c4", "found an empty file");
  expectError("@- 1\n- 2\n", "contract_c4", "expects a mapping with op_type, inputs and outputs, found a list");
  expectError("@hello", "contract_c4", "found 'hello'");
  Diagnostics diagnostics;
  EXPECT_FALSE(read(sample() + "---\na: 1\n", diagnostics).has_value());
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all().at(0).rule, "contract_c4");
  EXPECT_THAT(diagnostics.all().at(0).message, testing::HasSubstr("found a second one"));
}

// Without it a few kilobytes of brackets would overflow the stack of a recursive reader.
TEST(RulesOfText, C5Depth) {
  std::string outer(31, '['), inner(9, '[');
  expectError("a: " + outer + "@" + inner + std::string(40, ']'), "contract_c5", "at most 32 levels");
  for (const char *unit : {"[", "{a: ", "- ", "? ", "- - ", "[{"}) {
    std::string bomb;
    for (int i = 0; i < 100000; ++i)
      bomb += unit;
    Diagnostics diagnostics;
    EXPECT_FALSE(read("a: " + bomb, diagnostics).has_value());
    EXPECT_EQ(diagnostics.exitCode(), ExitCode::Contract);
  }
}

// Without it an alias could name its own mapping and never end, or nine of them a gigabyte.
TEST(RulesOfText, C6Anchor) {
  expectBroken("summary: Scales rows", "summary: @&s Scales rows", "contract_c6", "found an anchor",
               "remove the '&' and its name");
  Diagnostics diagnostics;
  EXPECT_FALSE(read("a: &a [*a, *a]\n", diagnostics).has_value());
  EXPECT_EQ(diagnostics.all().at(0).rule, "contract_c6");
  EXPECT_EQ(diagnostics.all().at(1).rule, "contract_c6");
  EXPECT_THAT(diagnostics.all().at(1).message, testing::HasSubstr("found an alias"));
  expectBroken("  - name: x\n", "  - @<<: {}\n    name: x\n", "contract_c6", "found '<<'", "write the keys out");
}

// Without it "!!python/object" and the like would look as if somebody obeyed them.
TEST(RulesOfText, C7Tag) {
  expectBroken("version: 1.2.3", "version: @!!str 1.2.3", "contract_c7", "expects no tags",
               "remove the tag: the key says the type");
  expectBroken("version: 1.2.3", "version: @! 1.2.3", "contract_c7", "expects no tags",
               "remove the tag: the key says the type");
  expectGood("version: 1.2.3", "version: '1.2.3'");
}

// Without it the second of two equal keys would win or lose by the reader's taste.
TEST(RulesOfText, C8KeyOnce) {
  expectBroken("version: 1.2.3\n", "version: 1.2.3\n@version: 1.2.4\n", "contract_c8", "found 'version' again",
               "remove one of the two");
  expectBroken("    formats:\n", "    @\"types\": []\n    formats:\n", "contract_c8", "found 'types' again",
               "remove one of the two");
  expectBroken("version: 1.2.3\n", "version: 1.2.3\n? @[a]\n: 1\n", "contract_c8", "found a list");
}

// Without it a misspelt key would be a promise that nobody keeps.
TEST(RulesOfText, C9UnknownKey) {
  expectBroken("    summary: Rows\n", "    @sumary: Rows\n", "contract_c9",
               "expects only known keys in an input, found 'sumary'", "did you mean 'summary'?");
  expectBroken("version: 1.2.3\n", "version: 1.2.3\n@zzzzzzzzzzz: 1\n", "contract_c9", "found 'zzzzzzzzzzz'",
               "one of: schema, op_type, kernel_name, version, summary, inputs, outputs, "
               "attributes, dimensions, "
               "boundary, precision, onnx, bodies, reference, schedule, test_shapes");
  expectBroken("  overflow: infinity", "  @overflows: infinity", "contract_c9", "in 'boundary', found 'overflows'",
               "did you mean 'overflow'?");
  expectBroken("version: 1.2.3\n", "version: 1.2.3\n@devices: [cpu]\n", "contract_c9", "found 'devices'",
               "'devices' is a key of a body");
}

// Without it parts would be read from nothing.
TEST(RulesOfText, C10MissingKey) {
  for (const char *line : {"schema: 1\n", "op_type: RowScale\n", "version: 1.2.3\n",
                           "summary: Scales rows and sums them\n", "reference: reference.py\n"}) {
    std::string key(line, std::string(line).find(':'));
    std::string text = "@" + edited(line, "");
    expectError(text, "contract_c10", "expects '" + key + "' in a contract, found none", "add '" + key + ":'");
  }
  expectBroken("  - name: beta\n    type: float\n", "  - @name: beta\n", "contract_c10",
               "expects 'type' in an attribute", "add 'type:'");
}

// Without it a list where a word belongs would be dropped or crash.
TEST(RulesOfText, C11Kind) {
  expectBroken("schema: 1", "schema: @one", "contract_c11",
               "expects 'schema' to be a whole number of 64 bits, found 'one'");
  expectBroken("schema: 1", "schema: @'1'", "contract_c11", "found the quoted text '1'");
  expectBroken("version: 1.2.3", "version: @[]", "contract_c11", "expects 'version' to be a text, found a list");
  expectBroken("    default: 0.5", "    default: @.5", "contract_c11", "to be a finite number, found '.5'");
  for (const char *number : {"@.inf", "@nan", "@1e999", "@0x10", "@010", "@+1", "@1_0", "@1.5.2", "@--1"})
    expectBroken("    default: 0.5", "    default: " + std::string(number), "contract_c11", "to be a finite number");
  expectBroken("    minimum: 1\n", "    minimum: @99999999999999999999\n", "contract_c11", "a whole number of 64 bits");
  for (const char *word : {"@yes", "@True", "@0", "@'false'"})
    expectBroken("    default: false", "    default: " + std::string(word), "contract_c11", "to be true or false");
  expectBroken("    reduces:\n      input: x\n      axes: axes\n      keep_dims: keep\n", "    reduces: @x\n",
               "contract_c11", "expects 'reduces' to be a mapping, found 'x'");
}

// Without it "float" would be read as some type, or as none.
TEST(RulesOfText, C12ClosedSet) {
  expectBroken("      - float16\n", "      - @flaot16\n", "contract_c12",
               "expects a type to be one of its set, found 'flaot16'", "did you mean 'float16'?");
  expectBroken("      - float16\n", "      - @half\n", "contract_c12", "found 'half'", "did you mean 'float16'?");
  expectBroken("    bind: launch", "    bind: @lunch", "contract_c12", "expects 'bind'", "did you mean 'launch'?");
  expectBroken("      - ND\n", "      - @NCWH\n", "contract_c12", "expects a format", "did you mean 'NCHW'?");
  expectBroken("  nan: propagate", "  nan: @sometimes", "contract_c12", "expects 'nan'",
               "one of: propagate, reference, unspecified");
}

// Without it a contract of a later schema would be read by the rules of this one.
TEST(RulesOfText, C13Schema) {
  expectBroken("schema: 1", "schema: @2", "contract_c13", "expects 'schema: 1', found 2");
  expectBroken("schema: 1", "schema: @0", "contract_c13", "found 0");
}

// Without it a name could be a keyword, an option, a path or an injection in generated C++ and Python.
TEST(RulesOfText, C16Identifier) {
  expectBroken("  - name: bias", "  - name: @class", "contract_c16", "found 'class', which is a word of C or C++");
  expectBroken("  - name: bias", "  - name: @lambda", "contract_c16", "which is a word of Python");
  expectBroken("  - name: bias", "  - name: @workspace", "contract_c16", "which is a word of every kernel's frame");
  expectBroken("  - name: bias", "  - name: @a-b", "contract_c16", "which has characters other than");
  expectBroken("  - name: bias", "  - name: @2x", "contract_c16", "which does not start with a letter");
  expectBroken("  - name: bias", "  - name: @'x); system(\"'", "contract_c16", "which has characters other than");
  expectBroken("      - ...B\n", "      - ...@int\n", "contract_c16", "expects the name of a pack");
}

// Without it a summary could forge lines of a generated source or of a terminal.
TEST(RulesOfText, C43Text) {
  expectBroken("summary: Scales rows and sums them", "summary: @" + std::string(201, 'a'), "contract_c43",
               "to have at most 200 characters, found 201");
  expectBroken("summary: Scales rows and sums them", "summary: @\"a\\nb\"", "contract_c43",
               "on one line without control characters, found 'a\\nb'", "write it on one line");
  expectBroken("summary: Scales rows and sums them", "summary: @\"a\\x1b[2J\"", "contract_c43",
               "without control characters", "write it on one line");
}
