// Binding of launches: every rule launch_c1 to launch_c9 broken once, and what a good launch comes to.

#include "runtime/core/launch/Launch.h"
#include "runtime/core/launch/LaunchShapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

using namespace opc;
using testing::HasSubstr;

static ManifestDim symbol(const std::string &name) {
  ManifestDim dim;
  dim.name = name;
  return dim;
}

static ManifestDim pack(const std::string &name) {
  ManifestDim dim = symbol(name);
  dim.kind = ManifestDim::Pack;
  return dim;
}

static ManifestDim fixed(int64_t size) {
  ManifestDim dim;
  dim.kind = ManifestDim::Fixed;
  dim.size = size;
  return dim;
}

static ManifestTensor tensor(const std::string &name, std::vector<ManifestDim> shape) {
  ManifestTensor result;
  result.name = name;
  result.types = {ElementType::Float16, ElementType::Float32};
  result.shape = std::move(shape);
  return result;
}

/// block_num = 1, total = number of elements of tensor 0.
static TilingFunction tiling() {
  TilingFunction function;
  function.inputs = {{TilingInput::NumElements, 0, 0}};
  function.numRegisters = 2;
  function.code = {{ScalarOp::Const, 1, 0, 0, 1}};
  function.outputs = {{{"block_num", TilingField::UInt64}, 1}, {{"total", TilingField::UInt64}, 0}};
  return function;
}

/// Scale(x [N, ...S, 4], w [N]; beta) -> y [N, M]; M = 2 * N, N from 1 to 100.
static Manifest scale() {
  Manifest manifest;
  manifest.opType = "Scale";
  manifest.name = "scale";
  manifest.inputs = {tensor("x", {symbol("N"), pack("S"), fixed(4)}), tensor("w", {symbol("N")})};
  manifest.outputs = {tensor("y", {symbol("N"), symbol("M")})};
  ManifestAttribute beta;
  beta.name = "beta";
  beta.defaultValue = 1.5;
  beta.minimum = -10;
  beta.maximum = 10;
  manifest.attributes = {beta};
  ManifestSymbol n, m;
  n.name = "N";
  n.minimum = 1;
  n.maximum = 100;
  n.label = "contract_c40";
  m.name = "M";
  m.inputs = {"N"};
  m.numRegisters = 2;
  m.code = {{ScalarOp::Const, 1, 0, 0, 2}, {ScalarOp::Mul, 1, 0, 1, 0}};
  manifest.symbols = {n, m};
  for (unsigned row = 0; row < 2; ++row) {
    ManifestKernel kernel;
    kernel.name = row ? "scale_float32" : "scale_float16";
    kernel.typeRow = row;
    kernel.tiling = tiling();
    kernel.launchAttributes = {"beta"};
    manifest.kernels.push_back(kernel);
  }
  return manifest;
}

namespace {
class LaunchTest : public testing::Test {
protected:
  void input(ElementType type, Shape shape) { tensors.push_back(*Tensor::create(type, std::move(shape))); }
  void goodInputs(ElementType type = ElementType::Float32) {
    input(type, {3, 5, 4});
    input(type, {3});
  }
  std::optional<BoundLaunch> bind() {
    std::vector<const Tensor *> given;
    for (const Tensor &one : tensors)
      given.push_back(&one);
    given.resize(manifest.inputs.size());
    return bindLaunch(manifest, given, attributes, 1, diagnostics);
  }
  /// Binds and expects one error.
  void expectError(Code code, const std::string &rule, const std::string &text) {
    EXPECT_FALSE(bind());
    ASSERT_EQ(diagnostics.errorCount(), 1u);
    EXPECT_EQ(diagnostics.all().front().code, code);
    EXPECT_EQ(diagnostics.all().front().rule, rule);
    EXPECT_THAT(diagnostics.all().front().message, HasSubstr(text));
  }
  Manifest manifest = scale();
  std::vector<Tensor> tensors;
  std::vector<NamedValue> attributes;
  Diagnostics diagnostics;
};
} // namespace

// Without it: a launch that keeps to every rule does not come out as the contract says.
TEST_F(LaunchTest, BindsShapesTypesAttributesAndTiling) {
  goodInputs();
  attributes = {{"beta", "2.5"}};
  std::optional<BoundLaunch> launch = bind();
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->kernel->name, "scale_float32");
  ASSERT_EQ(launch->outputs.size(), 1u);
  EXPECT_EQ(launch->outputs[0].shape(), (Shape{3, 6}));
  EXPECT_EQ(launch->outputs[0].type(), ElementType::Float32);
  float beta = 2.5f;
  uint32_t bits = 0;
  std::memcpy(&bits, &beta, 4);
  EXPECT_EQ(launch->tiling, (std::vector<int64_t>{1, 60, int64_t(bits)}));
  EXPECT_EQ(launch->blockNum, 1);
}

// Without it: a pack of no dimensions, or an empty tensor, is taken for a mistake.
TEST_F(LaunchTest, PacksMayBeEmptyAndSizesZero) {
  input(ElementType::Float16, {2, 4});
  input(ElementType::Float16, {2});
  EXPECT_TRUE(bind());
  tensors.clear();
  input(ElementType::Float16, {2, 0, 4});
  input(ElementType::Float16, {2});
  std::optional<BoundLaunch> launch = bind();
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->tiling[1], 0);
}

// Without it: a tensor of another rank is read as if it had the declared one.
TEST_F(LaunchTest, Rank) {
  input(ElementType::Float32, {3});
  input(ElementType::Float32, {3});
  expectError(Code::E0523, "launch_c1", "expects shape [N, ...S, 4]");
}

// Without it: a fixed dimension is not held to its size.
TEST_F(LaunchTest, FixedSize) {
  input(ElementType::Float32, {3, 5});
  input(ElementType::Float32, {3});
  expectError(Code::E0523, "launch_c1", "dimension 1 of 'x' is 5");
}

// Without it: two inputs of different length run together and one is read past its end.
TEST_F(LaunchTest, OneSizeForASymbol) {
  input(ElementType::Float32, {3, 4});
  input(ElementType::Float32, {2});
  expectError(Code::E0523, "launch_c2", "dimension 0 of 'w' is 2, dimension 0 of 'x' is 3");
}

// Without it: the same holds for whole packs.
TEST_F(LaunchTest, OneShapeForAPack) {
  manifest.inputs = {tensor("x", {pack("S")}), tensor("w", {pack("S")})};
  manifest.outputs = {tensor("y", {pack("S")})};
  manifest.symbols.clear();
  input(ElementType::Float32, {3, 4});
  input(ElementType::Float32, {4, 3});
  expectError(Code::E0523, "launch_c2", "input 'w' has [4, 3], input 'x' has [3, 4]");
}

// Without it: an output of unknown size gets whatever lies in memory.
TEST_F(LaunchTest, OutputSizesAreKnown) {
  manifest.symbols.pop_back();
  goodInputs();
  expectError(Code::E0523, "launch_c3", "no input says the size of 'M'");
}

// Without it: a negative size from an equation becomes a huge allocation.
TEST_F(LaunchTest, SizesAreNotNegative) {
  manifest.symbols[1].code[0].imm = -2;
  manifest.symbols[1].minimum = INT64_MIN;
  goodInputs();
  expectError(Code::E0524, "launch_c4", "'M' is -6");
}

// Without it: the range of a symbol is decoration.
TEST_F(LaunchTest, Range) {
  input(ElementType::Float32, {101, 4});
  input(ElementType::Float32, {101});
  expectError(Code::E0524, "contract_c40", "expects 'N' to be 1 to 100");
}

// Without it: an equation that overflows gives a size that nobody meant.
TEST_F(LaunchTest, EquationsAreChecked) {
  manifest.symbols[1].code[0].imm = INT64_MAX;
  goodInputs();
  EXPECT_FALSE(bind());
  EXPECT_EQ(diagnostics.all().front().code, Code::E0524);
  diagnostics = Diagnostics();
  manifest.symbols[1].code[1].a = 99;
  EXPECT_FALSE(bind());
  EXPECT_EQ(diagnostics.all().front().code, Code::E0528);
}

// Without it: mixed types run the kernel of one of them.
TEST_F(LaunchTest, TypeRow) {
  input(ElementType::Float32, {3, 4});
  input(ElementType::Float16, {3});
  expectError(Code::E0522, "launch_c5", "found x float32, w float16");
  EXPECT_THAT(diagnostics.all().front().fix, HasSubstr("nearest row is x float16, w float16"));
  // A row with two types would not help where no row has two.
  EXPECT_THAT(diagnostics.all().front().fix, HasSubstr("x and w have one type in every row"));
}

// Without it: nothing says what the contract lacks.
TEST_F(LaunchTest, TypeRowToAdd) {
  input(ElementType::Int32, {3, 4});
  input(ElementType::Int32, {3});
  expectError(Code::E0522, "launch_c5", "found x int32, w int32");
  EXPECT_THAT(diagnostics.all().front().fix, HasSubstr("x '- int32', w '- int32', y '- int32'"));
  // Of two rows of floats that of as many bytes: float16 would lose most numbers.
  EXPECT_THAT(diagnostics.all().front().fix, HasSubstr("nearest row is x float32, w float32"));
}

TEST_F(LaunchTest, NearestRowOfWideFloats) {
  input(ElementType::Float64, {3, 4});
  input(ElementType::Float64, {3});
  expectError(Code::E0522, "launch_c5", "found x float64, w float64");
  EXPECT_THAT(diagnostics.all().front().fix, HasSubstr("nearest row is x float32, w float32"));
}

// Without it: a launch whose outputs are the caller's allocates them a second time.
TEST_F(LaunchTest, OutputsOfTheCaller) {
  goodInputs();
  std::vector<const Tensor *> given;
  for (const Tensor &tensor : tensors)
    given.push_back(&tensor);
  auto none = [](ElementType type, const Shape &shape) { return Tensor::over(type, shape, nullptr); };
  std::optional<BoundLaunch> launch = bindLaunch(manifest, given, {}, 1, diagnostics, none);
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->outputs.front().data(), nullptr);
  EXPECT_GT(launch->outputs.front().numBytes(), 0);
}

// Without it: a folder compiled for one row runs another row's kernel, or none, without a word.
TEST_F(LaunchTest, RowThatWasNotCompiled) {
  manifest.kernels.pop_back();
  goodInputs();
  expectError(Code::E0522, "launch_c5", "compiled without the row x float32");
}

// Without it: an attribute that cannot be read becomes 0.
TEST_F(LaunchTest, AttributeType) {
  goodInputs();
  for (const char *text : {"", "abc", "1.5x", " 1", "1,5"}) {
    diagnostics = Diagnostics();
    attributes = {{"beta", text}};
    expectError(Code::E0526, "launch_c6", "expects a float");
  }
}

// Without it: the range of an attribute is decoration; NaN slips through every comparison.
TEST_F(LaunchTest, AttributeRange) {
  goodInputs();
  for (const char *text : {"11", "-10.5", "nan", "inf"}) {
    diagnostics = Diagnostics();
    attributes = {{"beta", text}};
    expectError(Code::E0526, "launch_c7", "expects -10 to 10");
  }
}

// Without it: a launch asks for a value that the kernels were not compiled for, and gets that of the compilation.
TEST_F(LaunchTest, AttributeOfTheCompilation) {
  goodInputs();
  manifest.attributes[0].bind = ManifestAttribute::Compile;
  attributes = {{"beta", "7"}};
  expectError(Code::E0526, "launch_c7", "fixed when the operator was compiled: 7 is another value");
  EXPECT_EQ(diagnostics.all().front().fix, "opc compile --attr beta=7");
}

// Without it: a value that float32 cannot hold arrives as infinity.
TEST_F(LaunchTest, AttributeFitsItsSlot) {
  goodInputs();
  manifest.attributes[0].minimum.reset();
  manifest.attributes[0].maximum.reset();
  attributes = {{"beta", "1e39"}};
  expectError(Code::E0526, "launch_c7", "float32 can hold");
}

// Without it: a misspelt attribute is ignored and the default used.
TEST_F(LaunchTest, AttributeNames) {
  goodInputs();
  attributes = {{"bta", "1"}};
  expectError(Code::E0521, "", "has no attribute 'bta'");
  EXPECT_THAT(diagnostics.all().front().fix, HasSubstr("beta"));
  diagnostics = Diagnostics();
  attributes = {{"beta", "1"}, {"beta", "2"}};
  expectError(Code::E0109, "", "twice");
}

// Without it: a kernel divides its work into no blocks and leaves its output as it was.
TEST_F(LaunchTest, AtLeastOneBlock) {
  goodInputs();
  for (ManifestKernel &kernel : manifest.kernels)
    kernel.tiling.code[0].imm = 0;
  expectError(Code::E0528, "launch_c8", "at least one block");
}

// Without it: what is missing is taken to be empty or zero.
TEST_F(LaunchTest, RequiredOnes) {
  input(ElementType::Float32, {3, 4});
  expectError(Code::E0520, "launch_c9", "input 'w'");
  diagnostics = Diagnostics();
  input(ElementType::Float32, {3});
  manifest.attributes[0].defaultValue = std::monostate();
  expectError(Code::E0525, "launch_c9", "attribute 'beta'");
}

// Without it: a damaged tiling function reads registers that are not there.
TEST_F(LaunchTest, DamagedTilingFunction) {
  goodInputs();
  manifest.kernels[1].tiling.outputs[0].reg = 77;
  EXPECT_FALSE(bind());
  EXPECT_EQ(diagnostics.all().front().code, Code::E0528);
  diagnostics = Diagnostics();
  manifest = scale();
  manifest.kernels[1].tiling.inputs[0].tensor = 9;
  EXPECT_FALSE(bind());
  EXPECT_EQ(diagnostics.all().front().code, Code::E0528);
}

// Without it: people cannot match the message to the contract.
TEST(LaunchShapes, ShapesPrintAsTheContractSpellsThem) {
  EXPECT_EQ(dimsText({symbol("N"), pack("S"), fixed(4)}), "[N, ...S, 4]");
  EXPECT_EQ(dimsText({}), "[]");
}
