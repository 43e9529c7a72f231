// Import of te bodies: instances, locations, what the aliases of the first line stand for. Broken bodies
// are in test/tools/opc/compile-te-body-invalid.test.

#include "lowering/import/te/ImportTe.h"

#include "dialect/te/Reader.h"
#include "dialect/te/TeOps.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/import/te/words/TePrelude.h"
#include "ops/contract/read/Reader.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace opc;
namespace fs = std::filesystem;

static const char *const kContract = R"(schema: 1
op_type: Blend
version: 1.0.0
summary: Two tensors and a number
inputs:
  - name: x
    types: [float16, bfloat16]
    shape: [...S]
    broadcast: numpy
  - name: z
    types: [float32, uint8]
    shape: [...S]
outputs:
  - name: y
    types: [float16, bfloat16]
    shape: [...S]
attributes:
  - name: share
    summary: A number
    type: float
    bind: compile
    default: 0.1
  - name: steps
    summary: Whole numbers
    type: list_int
    bind: compile
    default: [1, -2]
  - name: mode
    summary: A word
    type: string
    bind: compile
    default: a"b
precision:
  compute: float32
  tolerance:
    - type: float16
      max_ulp: 1
    - type: bfloat16
      max_ulp: 1
bodies:
  - level: te
    file: blend.mlir
reference: reference.py
)";

namespace {
class ImportTeTest : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("opc-import-te-" + std::to_string(getpid()));
    fs::create_directories(folder);
    context.disableMultithreading();
    std::optional<Contract> parsed = parseContract(kContract, (folder / "op_contract.yaml").string(), diagnostics);
    ASSERT_TRUE(parsed) << diagnostics.all().front().message;
    contract = *parsed;
    contract.directory = folder.string();
  }
  void TearDown() override { fs::remove_all(folder); }

  mlir::OwningOpRef<mlir::ModuleOp> import(const std::string &body, const std::vector<unsigned> &rows = {}) {
    std::ofstream(folder / "blend.mlir", std::ios::binary) << body;
    diagnostics = Diagnostics();
    return importTe(context, contract, contract.bodies.front(), rows, diagnostics);
  }

  fs::path folder;
  mlir::MLIRContext context;
  Contract contract;
  Diagnostics diagnostics;
};
} // namespace

static const char *const kBody = R"(!T = f16
func.func @blend(%x: !x, %z: !z) -> !y {
  %share = te.constant #share
  %twice = te.mul %x, %share
  %same = te.cast %z to !x

  %y = te.add %twice,
              %same
  return %y : !y
}
)";

// Without it: a row or a pattern of shapes has no kernel, or the order changes from run to run.
TEST_F(ImportTeTest, AnInstanceForEachRowAndKey) {
  auto module = import(kBody);
  ASSERT_TRUE(module) << diagnostics.all().front().message;
  std::vector<std::string> expected, found;
  for (unsigned row = 0; row < 2; ++row)
    for (const ShapeKey &key : shapeKeys(contract))
      expected.push_back(contract.kernelName(row) + "_" + key.name);
  for (auto function : module->getOps<mlir::func::FuncOp>())
    found.push_back(function.getName().str());
  EXPECT_EQ(found, expected);
  EXPECT_GT(expected.size(), 4u);
}

// Without it: one row is asked for and all are compiled.
TEST_F(ImportTeTest, RowsAreChosen) {
  auto module = import(kBody, {1});
  ASSERT_TRUE(module) << diagnostics.all().front().message;
  for (auto function : module->getOps<mlir::func::FuncOp>()) {
    EXPECT_TRUE(function.getName().starts_with("blend_bfloat16_")) << function.getName().str();
    EXPECT_EQ(function->getAttrOfType<mlir::IntegerAttr>(te::TeDialect::kTypeRowAttr).getInt(), 1);
  }
}

// Without it: errors and the source map of kernels point at lines that the author does not have.
TEST_F(ImportTeTest, EveryPlaceIsInTheAuthorsFile) {
  auto module = import(kBody);
  ASSERT_TRUE(module) << diagnostics.all().front().message;
  std::string file = (folder / "blend.mlir").string();
  for (auto function : module->getOps<mlir::func::FuncOp>()) {
    std::vector<std::pair<unsigned, unsigned>> places;
    function.walk([&](mlir::Operation *op) {
      Location place = locationOf(op->getLoc());
      EXPECT_EQ(place.file, file);
      places.push_back({place.line, place.column});
    });
    EXPECT_EQ(places, (std::vector<std::pair<unsigned, unsigned>>{{3, 12}, {4, 12}, {5, 11}, {7, 8}, {9, 3}, {2, 1}}));
    for (mlir::BlockArgument argument : function.getArguments()) {
      EXPECT_EQ(locationOf(argument.getLoc()).file, file);
      EXPECT_EQ(locationOf(argument.getLoc()).line, 2u);
    }
  }
}

// Without it: a value of the contract is read as another number, or ends the line of aliases.
TEST_F(ImportTeTest, AliasesOfTheFirstLine) {
  ShapeKey key = shapeKeys(contract).back();
  std::optional<std::string> text =
      instantiateTe("!T = f16 // mine\nrest\n", contract, 1, key, "blend.mlir", diagnostics);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "!x = " + tensorTypeText(contract, 1, key, 0) + " !z = " + tensorTypeText(contract, 1, key, 1) +
                       " !y = " + tensorTypeText(contract, 1, key, 2) +
                       " !T = bf16 #share = 1.00000000000000006e-01 : f64 "
                       "#steps = [1 : i64, -2 : i64] #mode = \"a\\22b\"\nrest\n");
}

// Without it: text that is given to MLIR's own reader crashes the parsers of te ops, or says nothing of the way.
TEST_F(ImportTeTest, AnotherReaderIsRefused) {
  mlir::MLIRContext other;
  other.loadDialect<te::TeDialect, mlir::func::FuncDialect>();
  std::string said;
  mlir::ScopedDiagnosticHandler handler(&other, [&](mlir::Diagnostic &diagnostic) { said += diagnostic.str(); });
  const std::string text = "func.func @f(%x: tensor<4xf32>) { %y = te.neg %x\n return }";
  EXPECT_FALSE(mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&other)));
  EXPECT_THAT(said, testing::HasSubstr("te::parseModule"));
  EXPECT_TRUE(te::parseModule(text, other));
}

// Without it: the types of the precision policy never reach the lowering.
TEST_F(ImportTeTest, PrecisionIsOnTheKernel) {
  auto module = import(kBody);
  ASSERT_TRUE(module) << diagnostics.all().front().message;
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  EXPECT_TRUE(function->getAttrOfType<mlir::TypeAttr>(te::TeDialect::kComputeAttr).getValue().isF32());
  EXPECT_FALSE(function->hasAttr(te::TeDialect::kAccumulateAttr));
}
