// manifest.json: fixed bytes, strict reading, no way out of the folder.

#include "test/unit/runtime/program/Samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

using namespace opc;
using ::testing::HasSubstr;

static std::string problemOf(const std::string &text) {
  Manifest manifest;
  return readManifest(text, manifest);
}

/// The sample's text with one part replaced.
static std::string replaced(const std::string &from, const std::string &to) {
  std::string text = writeManifest(sample::manifest());
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// Equal manifests are equal bytes, and reading loses nothing.
TEST(Manifest, RoundTrip) {
  std::string text = writeManifest(sample::manifest());
  Manifest manifest;
  ASSERT_EQ(readManifest(text, manifest), "");
  EXPECT_EQ(writeManifest(manifest), text);
  EXPECT_EQ(manifest.kernels[0].tilingKey, 18446744073709551615u);
  EXPECT_EQ(manifest.inputs[0].shape[0].kind, ManifestDim::Pack);
  EXPECT_EQ(manifest.inputs[0].shape[0].name, "S");
  EXPECT_EQ(manifest.inputs[0].shape[2].size, 16);
  EXPECT_EQ(std::get<double>(manifest.attributes[0].defaultValue), 1.0);
  EXPECT_EQ(manifest.attributes[0].minimum, -100.5);
  EXPECT_EQ(manifest.attributes[0].maximum, std::nullopt);
  EXPECT_EQ(manifest.symbols[0].maximum, INT64_MAX);
  EXPECT_EQ(manifest.symbols[1].code[0].op, ScalarOp::Add);
  EXPECT_EQ(manifest.kernels[0].tiling.outputs[2].field.type, TilingField::UInt32);
}

// People read and compare manifests: the version comes first and the order never changes.
TEST(Manifest, KeysComeInAFixedOrder) {
  std::string text = writeManifest(sample::manifest());
  EXPECT_EQ(text.find("{\n  \"schema_version\": 1,\n  \"op_type\": \"Swish\",\n  \"name\": \"swish\","), 0u);
  EXPECT_EQ(text.back(), '\n');
}

// JSON has no infinities, contracts have.
TEST(Manifest, EveryKindOfAttribute) {
  Manifest written = sample::manifest();
  double infinity = std::numeric_limits<double>::infinity();
  ManifestAttribute real = written.attributes[0], integer, truth, word, required;
  real.defaultValue = -infinity;
  real.maximum = infinity;
  integer.name = "axis";
  integer.type = ManifestAttribute::Int;
  integer.bind = ManifestAttribute::Compile;
  integer.defaultValue = int64_t(-1);
  truth.name = "keep";
  truth.type = ManifestAttribute::Bool;
  truth.defaultValue = true;
  word.name = "mode";
  word.type = ManifestAttribute::String;
  word.bind = ManifestAttribute::Compile;
  word.defaultValue = std::string("tanh");
  required.name = "scale";
  written.attributes = {real, integer, truth, word, required};
  Manifest manifest;
  ASSERT_EQ(readManifest(writeManifest(written), manifest), "");
  EXPECT_EQ(std::get<double>(manifest.attributes[0].defaultValue), -infinity);
  EXPECT_EQ(manifest.attributes[0].maximum, infinity);
  EXPECT_EQ(std::get<int64_t>(manifest.attributes[1].defaultValue), -1);
  EXPECT_EQ(manifest.attributes[1].bind, ManifestAttribute::Compile);
  EXPECT_TRUE(std::get<bool>(manifest.attributes[2].defaultValue));
  EXPECT_EQ(std::get<std::string>(manifest.attributes[3].defaultValue), "tanh");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(manifest.attributes[4].defaultValue));
}

// A folder from elsewhere must not make the runtime open files outside of it.
TEST(Manifest, PathsThatLeaveTheFolderAreRefused) {
  for (const char *path : {"../x.so", "/etc/passwd", "cpu/../../x.so", "cpu//x.so", "./x.so", "cpu/", "a\\\\b", "c:x",
                           "..", "x\\u0000y", "x\\ny"})
    EXPECT_THAT(problemOf(replaced("cpu/swish.so", path)), HasSubstr("cpu_library: expects")) << path;
  EXPECT_THAT(problemOf(replaced("sim/swish_float16.opcsim", "../s")),
              HasSubstr("kernels.swish_float16.simulator_program: expects a path inside"));
  EXPECT_THAT(problemOf(replaced("ascendc/swish.cpp", "")),
              HasSubstr("files: expects a path inside the folder, found ''"));
  EXPECT_EQ(problemOf(replaced("cpu/swish.so", "")), "") << "no CPU library was built";
  EXPECT_EQ(problemOf(replaced("cpu/swish.so", "cpu/..swish.so")), "") << "two dots in a name are a name";
}

// A hash that is cut or upper case would never match and make a sound folder look damaged.
TEST(Manifest, HashesAreSixtyFourDigits) {
  std::string hash(64, '0');
  for (const std::string &wrong : {std::string(), std::string(63, '0'), std::string(64, 'A')})
    EXPECT_THAT(problemOf(replaced("\"" + hash + "\"", "\"" + wrong + "\"")),
                HasSubstr("files: expects 64 hex digits as sha256 of 'op_contract.yaml'"));
}

TEST(Manifest, TextThatIsNoManifest) {
  EXPECT_THAT(problemOf(""), HasSubstr("manifest.json: line 1, column 1: expects JSON"));
  EXPECT_THAT(problemOf("{"), HasSubstr("manifest.json: line 1, column 1: expects JSON"));
  EXPECT_EQ(problemOf("[]"), "manifest.json: expects an object with a key 'schema_version'");
  EXPECT_EQ(problemOf("{\"schema_version\": 2}"), "manifest.json: schema_version: expects 1, found 2");
  EXPECT_THAT(problemOf("{\"schema_version\": 1.5}"), HasSubstr("expects a whole number"));
  EXPECT_THAT(problemOf("{\"schema_version\": 1}"), HasSubstr("expects a key"));
  EXPECT_THAT(problemOf("\xff\xfe"), HasSubstr("manifest.json: line 1, column 1: expects JSON"));
}

// One key twice means different things to different readers.
TEST(Manifest, KeysOnceAndNoOthers) {
  EXPECT_THAT(problemOf(replaced("\"body\":", "\"name\": \"x\", \"body\":")),
              HasSubstr("expects each key once, found 'name' twice"));
  EXPECT_THAT(problemOf(replaced("\"body\":", "\"bodies\": 1, \"body\":")), HasSubstr("expects no key 'bodies'"));
  EXPECT_THAT(problemOf(replaced("\"required\": true", "\"require\": true")),
              HasSubstr("inputs[0]: expects no key 'require'"));
}

// Depth, length and many keys are ways to make a reader slow or large.
TEST(Manifest, OversizeIsRefused) {
  EXPECT_THAT(problemOf(std::string(1 << 20, '[')), HasSubstr("expects at most 16 levels"));
  std::string keys = "{";
  for (int i = 0; i < 100000; ++i)
    keys += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_THAT(problemOf(keys + "\"z\":0}"), HasSubstr("expects at most 64 keys"));
  EXPECT_THAT(problemOf(std::string((16 << 20) + 1, ' ')), HasSubstr("expects at most 16777216 bytes"));
  std::string list = "[0";
  for (int i = 0; i < 70000; ++i)
    list += ",0";
  EXPECT_THAT(problemOf(replaced("\"files\": [", "\"files\": " + list + "], \"x\": [")), ::testing::Not(""));
}

TEST(Manifest, NumbersOutOfRange) {
  EXPECT_THAT(problemOf(replaced("\"type_row\": 0", "\"type_row\": -1")),
              HasSubstr("kernels[0].type_row: expects a whole number from 0 to 4294967295"));
  EXPECT_THAT(problemOf(replaced("18446744073709551615", "18446744073709551616")),
              HasSubstr("tiling_key: expects a whole number"));
  EXPECT_THAT(problemOf(replaced("9223372036854775807", "9223372036854775808")),
              HasSubstr("maximum: expects a whole number"));
  EXPECT_THAT(problemOf(replaced("\"registers\": 7", "\"registers\": 65536")),
              HasSubstr("registers: expects a whole number from 0 to 65535"));
  EXPECT_THAT(problemOf(replaced("        16\n", "        -16\n")),
              HasSubstr("x.shape: expects sizes of at least 0, found -16"));
}

// Parts that disagree would let a launch index past a table.
TEST(Manifest, PartsAgree) {
  auto problem = [](void (*damage)(Manifest &)) {
    Manifest manifest = sample::manifest();
    damage(manifest);
    return problemOf(writeManifest(manifest));
  };
  EXPECT_THAT(problem([](Manifest &m) { m.outputs[0].types.pop_back(); }),
              HasSubstr("x.types: expects a type for each of the type rows"));
  EXPECT_THAT(problem([](Manifest &m) { m.outputs.clear(); }), HasSubstr("outputs: expects at least one"));
  EXPECT_THAT(problem([](Manifest &m) { m.kernels[0].typeRow = 2; }), HasSubstr("expects one of 2 type rows, found 2"));
  EXPECT_THAT(problem([](Manifest &m) { m.kernels[0].tiling.inputs[0].tensor = 2; }),
              HasSubstr("expects one of 2 tensors, found 2"));
  EXPECT_THAT(problem([](Manifest &m) { m.kernels[0].tiling.code[1].a = 6; }),
              HasSubstr("kernels.swish_float16.tiling: instruction 1: reads a register"));
  EXPECT_THAT(problem([](Manifest &m) { m.kernels[0].launchAttributes = {"gamma"}; }),
              HasSubstr("bound at launch, found 'gamma'"));
  EXPECT_THAT(problem([](Manifest &m) { m.attributes[0].bind = ManifestAttribute::Compile; }),
              HasSubstr("bound at launch, found 'beta'"));
  EXPECT_THAT(problem([](Manifest &m) { m.kernels.push_back(m.kernels[0]); }),
              HasSubstr("found 'swish_float16' twice"));
  EXPECT_THAT(problem([](Manifest &m) { m.outputs[0].name = "x"; }),
              HasSubstr("tensors: expects names that differ, found 'x' twice"));
  EXPECT_THAT(problem([](Manifest &m) { m.symbols[1].inputs = {"Q"}; }),
              HasSubstr("expects inputs that are symbols, found 'Q'"));
  EXPECT_THAT(problem([](Manifest &m) { m.symbols[1].name = "N"; }), HasSubstr("found 'N' twice"));
  EXPECT_THAT(problem([](Manifest &m) { m.symbols[1].code.clear(); }), HasSubstr("expects code for an equation"));
  EXPECT_THAT(problem([](Manifest &m) {
                m.symbols[0].minimum = 2;
                m.symbols[0].maximum = 1;
              }),
              HasSubstr("a minimum not above the maximum"));
  EXPECT_THAT(problem([](Manifest &m) { m.opType = "a/b"; }), HasSubstr("op_type: expects a name, found 'a/b'"));
  EXPECT_THAT(problem([](Manifest &m) { m.kernels[0].tiling.code[0].op = ScalarOp::Jump; }),
              HasSubstr("tilings[0].code[0]: expects an instruction as 'add 4 2 3 0'"));
}

// The writer's callers ask before they write; the check must not need the JSON in between.
TEST(Manifest, CheckedWithoutItsText) {
  Manifest manifest = sample::manifest();
  EXPECT_EQ(checkManifest(manifest), "");
  manifest.cpuLibrary = "../swish.so";
  EXPECT_EQ(checkManifest(manifest), "cpu_library: expects a path inside the folder, found '../swish.so'");
}

// All that shapes need: broadcasting, reductions, lists, bounded ranks, kernels that share a row.
TEST(Manifest, EverythingThatShapesNeed) {
  std::string text = writeManifest(sample::reduction());
  Manifest manifest;
  ASSERT_EQ(readManifest(text, manifest), "");
  EXPECT_EQ(writeManifest(manifest), text);
  EXPECT_TRUE(manifest.refusesEmpty);
  EXPECT_EQ(manifest.inputs[1].broadcast, ManifestTensor::Numpy);
  ASSERT_TRUE(manifest.outputs[0].reduces);
  EXPECT_EQ(manifest.outputs[0].reduces->axes, "axes");
  EXPECT_EQ(manifest.outputs[0].reduces->keepDims, "keepdims");
  EXPECT_EQ(manifest.attributes[0].bind, ManifestAttribute::Shape);
  EXPECT_EQ(std::get<std::vector<int64_t>>(manifest.attributes[0].defaultValue), (std::vector<int64_t>{-1, 0}));
  EXPECT_EQ(std::get<std::vector<bool>>(manifest.attributes[2].defaultValue), (std::vector<bool>{true, false}));
  EXPECT_EQ(std::get<std::vector<double>>(manifest.attributes[3].defaultValue)[1],
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(std::get<std::vector<std::string>>(manifest.attributes[4].defaultValue)[0], "a");
  EXPECT_EQ(manifest.symbols[0].maximumRank, 7u);
  EXPECT_EQ(manifest.kernels[1].tilingKey, 1u);
  ASSERT_EQ(manifest.cpuKernels.size(), 1u);
  EXPECT_EQ(manifest.cpuKernels[0].tiling.code[0].imm, 2);
  EXPECT_EQ(manifest.cpuKernels[0].cpuAlone, "'devices: cpu'");
  EXPECT_EQ(manifest.kernels[1].cpuAlone, "");
  EXPECT_FALSE(manifest.kernels[0].assumesFixToV);
  EXPECT_TRUE(manifest.kernels[1].assumesFixToV);
  EXPECT_EQ(manifest.kernels[1].tiling.inputs[1].kind, TilingInput::Reduced);
  // The function that both kernels share is there once, beside that of the CPU.
  size_t first = text.find("\"max_blocks\""), second = text.find("\"max_blocks\"", first + 1);
  EXPECT_EQ(second, text.rfind("\"max_blocks\""));
}

// What a launch relies on without asking again.
TEST(Manifest, ShapesAgree) {
  auto problem = [](void (*damage)(Manifest &)) {
    Manifest manifest = sample::reduction();
    damage(manifest);
    return problemOf(writeManifest(manifest));
  };
  EXPECT_EQ(problem([](Manifest &) {}), "");
  EXPECT_THAT(problem([](Manifest &m) { m.outputs[0].reduces->input = "z"; }),
              HasSubstr("y.reduces: expects a required input, found 'z'"));
  EXPECT_THAT(problem([](Manifest &m) { m.inputs[0].required = false; }),
              HasSubstr("expects a required input, found 'x'"));
  EXPECT_THAT(problem([](Manifest &m) { m.outputs[0].reduces->axes = "keepdims"; }),
              HasSubstr("expects axes in an attribute of type int or list_int, found 'keepdims'"));
  EXPECT_THAT(problem([](Manifest &m) { m.outputs[0].reduces->keepDims = "axes"; }),
              HasSubstr("expects keep_dims in an attribute of type bool, found 'axes'"));
  EXPECT_EQ(problem([](Manifest &m) { m.outputs[0].shape = m.inputs[0].shape; }), "");
  EXPECT_THAT(problem([](Manifest &m) {
                m.outputs[0].shape = m.inputs[0].shape, m.outputs[0].shape.push_back({ManifestDim::Fixed, "", 1});
              }),
              HasSubstr("y.reduces: expects no shape beside it, or that of 'x'"));
  EXPECT_THAT(problem([](Manifest &m) { m.inputs[0].reduces = m.outputs[0].reduces; }),
              HasSubstr("x: expects 'reduces' on outputs only"));
  EXPECT_THAT(problem([](Manifest &m) { m.outputs[0].broadcast = ManifestTensor::Scalar; }),
              HasSubstr("y: expects 'broadcast' on inputs only"));
  EXPECT_THAT(problem([](Manifest &m) { m.inputs[0].values = {"N", false}; }),
              HasSubstr("x.values: expects elements of int32 or int64, found float"));
  EXPECT_THAT(problem([](Manifest &m) {
                m.inputs[0].types.assign(m.inputs[0].types.size(), ElementType::Int64);
                m.inputs[0].values = {"Nowhere", true};
              }),
              HasSubstr("x.values: expects a dimension of an input, found 'Nowhere'"));
  EXPECT_THAT(problem([](Manifest &m) {
                m.inputs[0].types.assign(m.inputs[0].types.size(), ElementType::Int64);
                m.inputs[0].values = {"N", true, 4};
              }),
              HasSubstr("x.values: expects a size in a static operator only"));
  EXPECT_THAT(problem([](Manifest &m) { m.outputs[0].values = {"N", false}; }),
              HasSubstr("y: expects 'values' on inputs only"));
  EXPECT_THAT(problem([](Manifest &m) { m.inputs[0].shape.push_back(m.inputs[0].shape[0]); }),
              HasSubstr("x.shape: expects one pack at most, found 2"));
  EXPECT_THAT(
      problem([](Manifest &m) { m.inputs[1].shape.insert(m.inputs[1].shape.begin(), {ManifestDim::Fixed, "", 2}); }),
      HasSubstr("w.shape: expects the pack first"));
  EXPECT_THAT(problem([](Manifest &m) {
                m.inputs[1].shape = {{ManifestDim::Symbol, "N", 0}};
                m.inputs[1].broadcast = ManifestTensor::Batch;
              }),
              HasSubstr("w.shape: expects a pack, along which the input broadcasts"));
  EXPECT_THAT(problem([](Manifest &m) { m.inputs[0].shape.assign(9, {ManifestDim::Fixed, "", 2}); }),
              HasSubstr("x.shape: expects at most 8 dimensions"));
  // A product is a symbol of its own.
  EXPECT_EQ(problem([](Manifest &m) { m.inputs[0].shape[0] = {ManifestDim::Symbol, "2*N*M_1", 0}; }), "");
  for (const char *name : {"", "*", "N*", "*N", "N**M", "2", "N*M ", "N*-2", "N*99999999999999999999", "N*...S"}) {
    Manifest manifest = sample::reduction();
    manifest.inputs[0].shape[0] = {ManifestDim::Symbol, name, 0};
    EXPECT_THAT(checkManifest(manifest), HasSubstr("x.shape: expects a symbol or a pack")) << name;
    manifest = sample::reduction();
    manifest.symbols[0].name = name;
    EXPECT_THAT(checkManifest(manifest), HasSubstr("symbols: expects a name")) << name;
  }
  EXPECT_THAT(problem([](Manifest &m) { m.inputs[0].shape[0] = {ManifestDim::Pack, "N*M", 0}; }),
              HasSubstr("x.shape: expects a symbol or a pack"));
  EXPECT_THAT(problem([](Manifest &m) { m.symbols[0].minimumRank = 8; }),
              HasSubstr("symbols.S: expects ranks of 0 to 8 in order"));
  EXPECT_THAT(problem([](Manifest &m) { m.symbols[0].maximumRank = 9; }),
              HasSubstr("symbols.S: expects ranks of 0 to 8 in order"));
  EXPECT_THAT(problem([](Manifest &m) { m.attributes[0].bind = ManifestAttribute::Launch; }),
              HasSubstr("attributes.axes: expects a number or a bool that binds at launch"));
}

// Kernels of one row: which of them runs must be told by one function.
TEST(Manifest, KernelsOfARow) {
  auto problem = [](void (*damage)(Manifest &)) {
    Manifest manifest = sample::reduction();
    damage(manifest);
    return problemOf(writeManifest(manifest));
  };
  EXPECT_THAT(problem([](Manifest &m) { m.kernels[1].tilingKey = 0; }),
              HasSubstr("type row 0: expects tiling keys that differ, found 0 twice"));
  EXPECT_THAT(problem([](Manifest &m) { m.kernels[1].tiling.code[0].imm = 7; }),
              HasSubstr("type row 0: expects one tiling function, found two"));
  EXPECT_THAT(problem([](Manifest &m) {
                for (ManifestKernel &kernel : m.kernels)
                  kernel.tiling.outputs.pop_back();
              }),
              HasSubstr("expects a tiling function with an output \"tiling_key\""));
  EXPECT_THAT(problem([](Manifest &m) {
                ManifestAttribute beta = sample::manifest().attributes[0];
                m.attributes.push_back(beta);
                m.kernels[1].launchAttributes = {"beta"};
              }),
              HasSubstr("expects one list of launch attributes, found two"));
}

// Instructions are texts: their numbers are held to what an instruction has.
TEST(Manifest, InstructionsAsText) {
  for (const char *wrong : {"ceil_div 2 0 1", "ceil_div 2 0 1 0 0", "ceil_div 2 0 1 0 ", " ceil_div 2 0 1 0", "",
                            "ceil_div 2 0  1 0", "ceil_div -2 0 1 0", "ceil_div 65536 0 1 0", "jump 2 0 1 0",
                            "ceil_div 2 0 1 9223372036854775808", "ceil_div 2 0 1 0x1", "ceil_div +2 0 1 0"})
    EXPECT_THAT(problemOf(replaced("ceil_div 2 0 1 0", wrong)), HasSubstr("tilings[0].code[1]: expects an instruction"))
        << wrong;
  EXPECT_THAT(problemOf(replaced("\"tiling\": 0", "\"tiling\": 1")),
              HasSubstr("kernels[0].tiling: expects one of 1 tiling functions, found 1"));
}

// A short text may not name a long function so often that its copies take all memory.
TEST(Manifest, CopiesOfTilingFunctionsAreBounded) {
  Manifest manifest = sample::manifest();
  ManifestKernel kernel = manifest.kernels[0];
  kernel.tiling.code.assign(kMaxTilingInstructions, kernel.tiling.code[0]);
  manifest.kernels.assign(300, kernel);
  EXPECT_THAT(problemOf(writeManifest(manifest)),
              HasSubstr("expects tiling functions of at most 4194304 instructions in all"));
}

// Whatever the bytes: an answer. Once for each sample, so that every key is damaged.
class ManifestDamage : public testing::TestWithParam<Manifest (*)()> {};
INSTANTIATE_TEST_SUITE_P(Manifest, ManifestDamage, testing::Values(sample::manifest, sample::reduction));

TEST_P(ManifestDamage, IsAnswered) {
  std::string text = writeManifest(GetParam()());
  std::vector<uint8_t> bytes(text.begin(), text.end());
  sample::everyDamage(bytes, 5000, [&](const std::vector<uint8_t> &damaged, bool truncated) {
    std::string problem = problemOf(std::string(damaged.begin(), damaged.end()));
    if (truncated && damaged.size() + 1 < bytes.size()) {
      ASSERT_NE(problem, "");
    }
  });
}
