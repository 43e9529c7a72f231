// Shapes of launches: broadcasting, reductions, ranks, kernels picked by shape; each rule from
// launch_c13 on broken once.

#include "runtime/core/launch/Launch.h"
#include "runtime/core/launch/LaunchRows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using testing::HasSubstr;

static ManifestTensor tensor(const std::string &name, const std::vector<std::string> &shape,
                             ManifestTensor::Broadcast broadcast = ManifestTensor::None) {
  ManifestTensor result;
  result.name = name;
  result.types = {ElementType::Float16, ElementType::Float32};
  result.broadcast = broadcast;
  for (const std::string &text : shape) {
    ManifestDim dim;
    bool digit = text.front() >= '0' && text.front() <= '9';
    dim.kind = text.front() == '.' ? ManifestDim::Pack : digit ? ManifestDim::Fixed : ManifestDim::Symbol;
    dim.name = dim.kind == ManifestDim::Pack ? text.substr(3) : digit ? "" : text;
    dim.size = digit ? std::stoll(text) : 0;
    result.shape.push_back(dim);
  }
  return result;
}

/// Two kernels a row; the key is the size of the last dimension of tensor 0, or none at 11.
static std::vector<ManifestKernel> kernelsByLastSize() {
  std::vector<ManifestKernel> kernels;
  for (unsigned row = 0; row < 2; ++row)
    for (uint64_t key : {3, 5}) {
      ManifestKernel kernel;
      kernel.name = "kernel_" + std::to_string(row) + "_" + std::to_string(key);
      kernel.typeRow = row;
      kernel.tilingKey = key;
      kernel.tiling.inputs = {{TilingInput::Dim, 0, -1}};
      kernel.tiling.numRegisters = 6;
      kernel.tiling.code = {{ScalarOp::Const, 1, 0, 0, 1},
                            {ScalarOp::Const, 2, 0, 0, 11},
                            {ScalarOp::Eq, 3, 0, 2, 0},
                            {ScalarOp::Const, 4, 0, 0, int64_t(kNoTilingKey)},
                            {ScalarOp::Select, 5, 3, 4, 0}};
      kernel.tiling.outputs = {{{"block_num", TilingField::UInt64}, 1}, {{"tiling_key", TilingField::UInt32}, 5}};
      kernels.push_back(kernel);
    }
  return kernels;
}

/// One kernel a row, of which the function only says that there is one block.
static std::vector<ManifestKernel> oneKernel() {
  std::vector<ManifestKernel> kernels;
  for (unsigned row = 0; row < 2; ++row) {
    ManifestKernel kernel;
    kernel.name = "kernel_" + std::to_string(row);
    kernel.typeRow = row;
    kernel.tiling.numRegisters = 1;
    kernel.tiling.code = {{ScalarOp::Const, 0, 0, 0, 1}};
    kernel.tiling.outputs = {{{"block_num", TilingField::UInt64}, 0}};
    kernels.push_back(kernel);
  }
  return kernels;
}

/// Add(x1, x2) -> y with packs, both broadcast.
static Manifest add(ManifestTensor::Broadcast first = ManifestTensor::Numpy) {
  Manifest manifest;
  manifest.opType = "Add";
  manifest.name = "add";
  manifest.inputs = {tensor("x1", {"...S"}, first), tensor("x2", {"...S"}, ManifestTensor::Numpy)};
  manifest.outputs = {tensor("y", {"...S"})};
  manifest.kernels = oneKernel();
  return manifest;
}

/// Sum(x; axes, keepdims) -> y.
static Manifest sum() {
  Manifest manifest;
  manifest.opType = "Sum";
  manifest.name = "sum";
  manifest.inputs = {tensor("x", {"...S"})};
  manifest.outputs = {tensor("y", {})};
  manifest.outputs[0].reduces = {"x", "axes", "keepdims"};
  ManifestAttribute axes, keep;
  axes.name = "axes";
  axes.type = ManifestAttribute::ListInt;
  axes.bind = ManifestAttribute::Shape;
  axes.defaultValue = std::vector<int64_t>();
  keep.name = "keepdims";
  keep.type = ManifestAttribute::Bool;
  keep.bind = ManifestAttribute::Shape;
  keep.defaultValue = false;
  manifest.attributes = {axes, keep};
  manifest.kernels = oneKernel();
  return manifest;
}

namespace {
class LaunchShapesTest : public testing::Test {
protected:
  std::optional<BoundLaunch> bind(const std::vector<Shape> &shapes, const std::vector<NamedValue> &attributes = {}) {
    diagnostics = Diagnostics();
    std::vector<Tensor> tensors;
    std::vector<const Tensor *> given;
    // Over no memory: sizes may be larger than any machine's.
    for (const Shape &shape : shapes)
      tensors.push_back(*Tensor::over(ElementType::Float32, shape, nullptr));
    for (const Tensor &one : tensors)
      given.push_back(&one);
    return bindLaunch(manifest, given, attributes, target, diagnostics);
  }
  /// The shape of the first output; the error's text when there is none.
  std::string outputOf(const std::vector<Shape> &shapes, const std::vector<NamedValue> &attributes = {}) {
    std::optional<BoundLaunch> launch = bind(shapes, attributes);
    if (launch)
      return shapeText(launch->outputs[0].shape());
    return diagnostics.all().empty() ? "no error" : diagnostics.all().front().message;
  }
  void expectError(Code code, const std::string &rule, const std::string &text) {
    ASSERT_EQ(diagnostics.errorCount(), 1u);
    EXPECT_EQ(diagnostics.all().front().code, code);
    EXPECT_EQ(diagnostics.all().front().rule, rule);
    EXPECT_THAT(diagnostics.all().front().message, HasSubstr(text));
  }
  Manifest manifest;
  LaunchTarget target{1, nullptr, std::nullopt};
  Diagnostics diagnostics;
};
} // namespace

// NumPy's rule among inputs that all broadcast.
TEST_F(LaunchShapesTest, InputsAreJoined) {
  manifest = add();
  EXPECT_EQ(outputOf({{2, 1, 8}, {3, 1}}), "[2, 3, 8]");
  EXPECT_EQ(outputOf({{3, 1}, {2, 1, 8}}), "[2, 3, 8]");
  EXPECT_EQ(outputOf({{}, {}}), "[]");
  EXPECT_EQ(outputOf({{}, {4, 5}}), "[4, 5]");
  EXPECT_EQ(outputOf({{1, 8}, {0, 8}}), "[0, 8]");
}

// Sizes that do not stretch: the message says which input, which dimension, and against what.
TEST_F(LaunchShapesTest, InputsThatDoNotFit) {
  manifest = add();
  EXPECT_FALSE(bind({{2, 3}, {4}}));
  expectError(Code::E0523, "launch_c13",
              "input 'x2' of shape [4] does not broadcast: dimension -1 is 4, that of input 'x1' "
              "is 3");
  EXPECT_FALSE(bind({{2, 0}, {2, 3}}));
  expectError(Code::E0523, "launch_c13", "dimension -1 is 3, that of input 'x1' is 0");
  manifest = add(ManifestTensor::None);
  EXPECT_EQ(outputOf({{2, 3}, {3}}), "[2, 3]");
  EXPECT_FALSE(bind({{1, 3}, {2, 3}}));
  expectError(Code::E0523, "launch_c13", "dimension -2 is 2, that of input 'x1' is 1");
  EXPECT_FALSE(bind({{3}, {1, 3}}));
  expectError(Code::E0523, "launch_c13", "input 'x1' has only 1 dimension for '...S'");
}

// Symbols and sizes after a pack are joined too.
TEST_F(LaunchShapesTest, SymbolsBehindThePack) {
  manifest = add();
  manifest.inputs[0] = tensor("x1", {"...S", "N"}, ManifestTensor::Numpy);
  manifest.inputs[1] = tensor("x2", {"N"}, ManifestTensor::Numpy);
  manifest.outputs[0] = tensor("y", {"...S", "N"});
  EXPECT_EQ(outputOf({{2, 1}, {5}}), "[2, 5]");
  EXPECT_FALSE(bind({{2, 4}, {5}}));
  expectError(Code::E0523, "launch_c13", "dimension -1 is 5, that of input 'x1' is 4");
  EXPECT_FALSE(bind({{2, 4}, {2, 4}}));
  expectError(Code::E0523, "launch_c13", "expects at most 1 dimensions to broadcast to [N]");
}

// Of batches of matrices the pack broadcasts; the sizes of a matrix have to be equal, also where one is 1.
TEST_F(LaunchShapesTest, BatchesAreJoined) {
  manifest = add();
  manifest.inputs[0] = tensor("x1", {"...S", "M", "K"}, ManifestTensor::Batch);
  manifest.inputs[1] = tensor("x2", {"...S", "K", "N"}, ManifestTensor::Batch);
  manifest.outputs[0] = tensor("y", {"...S", "M", "N"});
  EXPECT_EQ(outputOf({{2, 1, 3, 4}, {5, 4, 6}}), "[2, 5, 3, 6]");
  EXPECT_EQ(outputOf({{3, 4}, {7, 1, 4, 6}}), "[7, 1, 3, 6]");
  EXPECT_EQ(outputOf({{3, 4}, {4, 6}}), "[3, 6]");
  EXPECT_EQ(outputOf({{0, 3, 4}, {1, 4, 6}}), "[0, 3, 6]");
  EXPECT_FALSE(bind({{2, 3, 1}, {2, 4, 6}}));
  expectError(Code::E0523, "launch_c2", "expects one size for 'K'");
  EXPECT_FALSE(bind({{4}, {4, 6}}));
  expectError(Code::E0523, "launch_c1", "input 'x1' expects shape [...S, M, K], at least 2 dimensions");
  EXPECT_FALSE(bind({{2, 3, 4}, {5, 4, 6}}));
  expectError(Code::E0523, "launch_c13",
              "input 'x2' of shape [5, 4, 6] does not broadcast: dimension -3 is 5, that of input 'x1' is 2");
  // An input that does not broadcast gives the batch.
  manifest.inputs[0].broadcast = ManifestTensor::None;
  EXPECT_EQ(outputOf({{2, 5, 3, 4}, {5, 4, 6}}), "[2, 5, 3, 6]");
  EXPECT_FALSE(bind({{1, 3, 4}, {5, 4, 6}}));
  expectError(Code::E0523, "launch_c13", "dimension -3 is 5, that of input 'x1' is 1");
}

// One element, whatever its rank; two are too many.
TEST_F(LaunchShapesTest, Scalars) {
  manifest = add(ManifestTensor::None);
  manifest.inputs[1].broadcast = ManifestTensor::Scalar;
  EXPECT_EQ(outputOf({{2, 3}, {}}), "[2, 3]");
  EXPECT_EQ(outputOf({{2, 3}, {1, 1, 1}}), "[2, 3]");
  EXPECT_FALSE(bind({{2, 3}, {3}}));
  expectError(Code::E0523, "launch_c13", "input 'x2' expects one element, found shape [3]");
}

// The output's rank follows from axes that only the launch knows.
TEST_F(LaunchShapesTest, Reductions) {
  manifest = sum();
  EXPECT_EQ(outputOf({{2, 3, 4}}), "[]");
  EXPECT_EQ(outputOf({{2, 3, 4}}, {{"axes", "1"}}), "[2, 4]");
  EXPECT_EQ(outputOf({{2, 3, 4}}, {{"axes", "[-1, 0]"}}), "[3]");
  EXPECT_EQ(outputOf({{2, 3, 4}}, {{"axes", "0,-1"}, {"keepdims", "true"}}), "[1, 3, 1]");
  EXPECT_EQ(outputOf({{2, 3, 4}}, {{"axes", "[]"}, {"keepdims", "true"}}), "[1, 1, 1]");
  EXPECT_EQ(outputOf({{}}), "[]");
  EXPECT_EQ(outputOf({{2, 0}}, {{"axes", "1"}}), "[2]");
  manifest.attributes[0].type = ManifestAttribute::Int;
  manifest.attributes[0].defaultValue = int64_t(-1);
  EXPECT_EQ(outputOf({{2, 3, 4}}), "[2, 3]");
}

TEST_F(LaunchShapesTest, AxesThatAreNone) {
  manifest = sum();
  EXPECT_FALSE(bind({{2, 3}}, {{"axes", "2"}}));
  expectError(Code::E0535, "launch_c14", "'axes' expects axes of 'x', each once: 2 is not one, the shape is [2, 3]");
  EXPECT_FALSE(bind({{2, 3}}, {{"axes", "-3"}}));
  expectError(Code::E0535, "launch_c14", "-3 is not one");
  EXPECT_FALSE(bind({{2, 3}}, {{"axes", "1,-1"}}));
  expectError(Code::E0535, "launch_c14", "-1 is there twice");
  EXPECT_FALSE(bind({{2, 3}}, {{"axes", "-9223372036854775808"}}));
  expectError(Code::E0535, "launch_c14", "is not one");
  EXPECT_FALSE(bind({{2, 3}}, {{"axes", "1,x"}}));
  expectError(Code::E0526, "launch_c6", "expects integers with ',' between them: found '1,x'");
  EXPECT_FALSE(bind({{2, 3}}, {{"axes", "1,"}}));
  expectError(Code::E0526, "launch_c6", "found '1,'");
}

// The tiling function sees which axes are reduced, counted from the right, and no others.
TEST_F(LaunchShapesTest, TilingFunctionsSeeReducedAxes) {
  manifest = sum();
  for (ManifestKernel &kernel : manifest.kernels) {
    kernel.tiling.inputs.clear();
    kernel.tiling.outputs = {{{"block_num", TilingField::UInt64}, 4}};
    for (int16_t dim : {-4, -3, -2, -1}) {
      kernel.tiling.inputs.push_back({TilingInput::Reduced, 0, dim});
      kernel.tiling.outputs.push_back({{"reduced" + std::to_string(dim + 4), TilingField::UInt64}, uint16_t(dim + 4)});
    }
    kernel.tiling.numRegisters = 5;
    kernel.tiling.code = {{ScalarOp::Const, 4, 0, 0, 1}};
  }
  std::optional<BoundLaunch> launch = bind({{2, 3, 4}}, {{"axes", "0,-1"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->tiling, (std::vector<int64_t>{1, 0, 1, 0, 1}));
  launch = bind({{2, 3}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->tiling, (std::vector<int64_t>{1, 0, 0, 1, 1}));
}

// The function's key picks among the kernels of the row that the types pick.
TEST_F(LaunchShapesTest, KernelsOfAShape) {
  manifest = add();
  manifest.kernels = kernelsByLastSize();
  std::optional<BoundLaunch> launch = bind({{2, 5}, {1}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->kernel->name, "kernel_1_5");
  EXPECT_EQ(bind({{2, 3}, {1}})->kernel->name, "kernel_1_3");
  EXPECT_FALSE(bind({{2, 7}, {1}}));
  expectError(Code::E0528, "launch_c17", "picks kernel 7, which is not there");
  EXPECT_FALSE(bind({{1, 11}, {1}}));
  expectError(Code::E0534, "launch_c17", "'Add' has no kernel for x1 [1, 11], x2 [1], y [1, 11]");
}

// A device with kernels of its own is asked for its own.
TEST_F(LaunchShapesTest, KernelsOfADevice) {
  manifest = add();
  std::vector<ManifestKernel> own = kernelsByLastSize();
  target.kernels = &own;
  EXPECT_EQ(bind({{2, 5}, {1}})->kernel->name, "kernel_1_5");
}

// More than eight dimensions would be cut by the tiling function, and wrong elements written.
TEST_F(LaunchShapesTest, Ranks) {
  manifest = add();
  EXPECT_EQ(outputOf({Shape(8, 1), {2}}), "[1, 1, 1, 1, 1, 1, 1, 2]");
  EXPECT_FALSE(bind({Shape(9, 1), {2}}));
  expectError(Code::E0523, "launch_c15", "'x1' expects at most 8 dimensions, found 9");
  ManifestSymbol s;
  s.name = "S";
  s.minimumRank = 1;
  s.maximumRank = 3;
  s.label = "contract_c31";
  manifest.symbols = {s};
  EXPECT_EQ(outputOf({{2}, {2}}), "[2]");
  EXPECT_FALSE(bind({{}, {}}));
  expectError(Code::E0524, "contract_c31", "expects '...S' to have 1 to 3 dimensions");
  EXPECT_FALSE(bind({{1, 2, 3, 4}, {4}}));
  expectError(Code::E0524, "contract_c31", "has 4");
}

// Two inputs of a few bytes can stretch to more than 64 bits count.
TEST_F(LaunchShapesTest, SizesThatOverflow) {
  manifest = add();
  int64_t large = int64_t(1) << 31;
  EXPECT_FALSE(bind({{large, 1}, {1, large}}));
  expectError(Code::E0527, "launch_c16", "output 'y' of shape [2147483648, 2147483648] has more");
}

TEST_F(LaunchShapesTest, EmptyTensors) {
  manifest = sum();
  EXPECT_EQ(outputOf({{0, 3}}, {{"axes", "0"}}), "[3]");
  manifest.refusesEmpty = true;
  EXPECT_FALSE(bind({{0, 3}}, {{"axes", "0"}}));
  expectError(Code::E0524, "launch_c18", "'x' of shape [0, 3] has no elements");
}

// Cast: one type in, several out. The inputs alone do not say which row is meant.
TEST_F(LaunchShapesTest, RowsThatShareTheirInputs) {
  manifest = add();
  for (ManifestTensor &input : manifest.inputs)
    input.types = {ElementType::Float32, ElementType::Float32};
  EXPECT_EQ(typeRowName(manifest, 1), "float32_float32_float32");
  EXPECT_EQ(typeRowName(manifest, 0), "float32_float32_float16");
  EXPECT_FALSE(bind({{2}, {2}}));
  expectError(Code::E0522, "launch_c19", "the inputs fit float32_float32_float16, float32_float32_float32");
  target.typeRow = 0;
  std::optional<BoundLaunch> launch = bind({{2}, {2}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->outputs[0].type(), ElementType::Float16);
  Diagnostics other;
  EXPECT_EQ(findTypeRow(manifest, "float32_float32_float32", other), 1u);
  EXPECT_FALSE(findTypeRow(manifest, "float32_float32_float23", other));
  EXPECT_EQ(other.all().front().fix, "did you mean 'float32_float32_float32'?");
}

// A row that the types do not fit is no choice.
TEST_F(LaunchShapesTest, ARowOfOtherTypes) {
  manifest = add();
  target.typeRow = 0;
  EXPECT_FALSE(bind({{2}, {2}}));
  expectError(Code::E0522, "launch_c5",
              "expects inputs of the type row that was asked for, x1 float16, x2 float16: found "
              "those of x1 float32, x2 float32");
}
