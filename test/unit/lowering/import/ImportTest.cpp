// Import: type rows and aliases, and every rule bind_c1 to bind_c10 broken once.

#include "lowering/import/Import.h"

#include "dialect/aicore/AICoreDialect.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/import/BodyText.h"
#include "test/unit/ContractFolder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using testing::HasSubstr;

static const char *const kContract = R"(schema: 1
op_type: Scale
version: 1.0.0
summary: The input times beta
inputs:
  - name: x
    types:
      - float16
      - float32
    formats: ND
    shape:
      - ...S
outputs:
  - name: y
    types:
      - float16
      - float32
    formats: ND
    shape:
      - ...S
attributes:
  - name: beta
    type: float
    bind: launch
    default: 1.0
precision:
  compute: storage
  tolerance:
    - type: float16
      max_ulp: 1
    - type: float32
      max_ulp: 1
bodies:
  - level: aicore
    file: scale.aicore.mlir
reference: reference.py
)";

static const char *const kTiling = R"(
func.func @scale_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling} {
  %one = arith.constant 1 : index
  return %one : index
}
)";

/// A kernel with the arguments of the test and no work.
static std::string kernel(const std::string &name, const std::string &arguments,
                          const std::string &attributes = "aicore.kernel, aicore.phase = #aicore.phase<placed>, "
                                                          "aicore.tiling_function = @scale_tiling") {
  return "func.func @" + name + "(" + arguments + ") attributes {" + attributes + "} {\n  return\n}\n";
}

static const char *const kArguments =
    "%x: memref<?x!T, #aicore.space<gm>>, %y: memref<?x!T, #aicore.space<gm>>, %beta: f32";

namespace {
class ImportTest : public testing::Test {
protected:
  void SetUp() override {
    context.disableMultithreading();
    contract = folder.contract(kContract);
  }

  mlir::OwningOpRef<mlir::ModuleOp> import(const std::string &body) {
    folder.write("scale.aicore.mlir", body);
    diagnostics = Diagnostics();
    return importBody(context, contract, contract.bodies.front(), {}, diagnostics);
  }
  std::vector<std::string> names(mlir::ModuleOp module) {
    std::vector<std::string> result;
    for (auto function : module.getOps<mlir::func::FuncOp>())
      result.push_back(function.getName().str());
    return result;
  }
  const Diagnostic &first() { return diagnostics.all().front(); }
  void expectError(const std::string &body, Code code, const std::string &rule, unsigned line,
                   const std::string &text) {
    EXPECT_FALSE(import(body));
    ASSERT_TRUE(diagnostics.hasErrors());
    EXPECT_EQ(codeInfo(first().code).name, codeInfo(code).name);
    EXPECT_EQ(first().rule, rule);
    EXPECT_EQ(first().location.line, line);
    EXPECT_THAT(first().location.file, HasSubstr("scale.aicore.mlir"));
    EXPECT_THAT(first().message, HasSubstr(text));
  }

  opc::test::ContractFolder folder;
  mlir::MLIRContext context;
  Contract contract;
  Diagnostics diagnostics;
};
} // namespace

// Without it: a body for all types is compiled for one of them, or the tiling function is copied for each.
TEST_F(ImportTest, GenericKernelServesEveryRow) {
  auto module = import("!T = f16" + std::string(kTiling) + kernel("scale", kArguments));
  ASSERT_TRUE(module) << first().message;
  EXPECT_EQ(names(*module), (std::vector<std::string>{"scale_tiling", "scale_float16", "scale_float32"}));
  auto half = module->lookupSymbol<mlir::func::FuncOp>("scale_float16");
  auto single = module->lookupSymbol<mlir::func::FuncOp>("scale_float32");
  EXPECT_TRUE(mlir::cast<mlir::MemRefType>(half.getArgumentTypes()[0]).getElementType().isF16());
  EXPECT_TRUE(mlir::cast<mlir::MemRefType>(single.getArgumentTypes()[0]).getElementType().isF32());
  EXPECT_EQ(half.getArgAttrOfType<mlir::StringAttr>(2, aicore::AICoreDialect::kNameAttr).getValue(), "beta");
}

// Without it: a kernel written for one row is passed over for the general one.
TEST_F(ImportTest, KernelOfARowComesFirst) {
  std::string half = kernel("scale_float16", "%in: memref<?xf16, #aicore.space<gm>>, %out: memref<?xf16, "
                                             "#aicore.space<gm>>, %b: f32 {aicore.name = \"beta\"}");
  auto module = import("!T = f16" + std::string(kTiling) + half + kernel("scale", kArguments));
  ASSERT_TRUE(module) << first().message;
  EXPECT_EQ(names(*module), (std::vector<std::string>{"scale_tiling", "scale_float16", "scale_float32"}));
}

// Without it: tiling functions that differ by row overwrite each other.
TEST_F(ImportTest, TilingFunctionsThatDifferAreKeptApart) {
  std::string typed = R"(
func.func @scale_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">}) -> (index {aicore.name = "block_num"})
    attributes {aicore.tiling, element = !T} {
  %one = arith.constant 1 : index
  return %one : index
}
)";
  // An attribute that names the type makes the two instances differ.
  auto module = import("!T = f16" + typed + kernel("scale", kArguments));
  ASSERT_TRUE(module) << first().message;
  EXPECT_EQ(names(*module),
            (std::vector<std::string>{"scale_tiling", "scale_float16", "scale_tiling_float32", "scale_float32"}));
  auto single = module->lookupSymbol<mlir::func::FuncOp>("scale_float32");
  auto reference = single->getAttrOfType<mlir::FlatSymbolRefAttr>(aicore::AICoreDialect::kTilingFunctionAttr);
  EXPECT_EQ(reference.getValue(), "scale_tiling_float32");
}

// Without it: the text of errors and of the IR points at lines that the user does not have.
TEST_F(ImportTest, PlacesAreTheUsers) {
  auto module = import("!T = f16\n\n\n" + kernel("scale", kArguments) + kTiling);
  ASSERT_TRUE(module) << first().message;
  Location place = locationOf(module->lookupSymbol("scale_float32")->getLoc());
  EXPECT_EQ(place.line, 4u);
  EXPECT_EQ(place.file, (folder.path() / "scale.aicore.mlir").string());
}

// Without it: an alias of a type that no row has changes its meaning silently.
TEST_F(ImportTest, BindC1) {
  expectError("!T = i32" + std::string(kTiling) + kernel("scale", kArguments), Code::E0310, "bind_c1", 1,
              "'!T' to be a type of the contract's table (f16, f32), found 'i32'");
}

// Without it: a row without a kernel is left out of the op folder without a word.
TEST_F(ImportTest, BindC2) {
  expectError("!T = f16" + std::string(kTiling), Code::E0310, "bind_c2", 1, "neither '@scale_float16' nor '@scale'");
}

// Without it: arguments shift, and a kernel reads an attribute as a tensor.
TEST_F(ImportTest, BindC3) {
  expectError("!T = f16" + std::string(kTiling) + kernel("scale", "%x: memref<?x!T, #aicore.space<gm>>"), Code::E0310,
              "bind_c3", 7,
              "expects 3 arguments, inputs, outputs, then launch attributes of the contract (x, y, beta)");
}

// Without it: a kernel for half reads single.
TEST_F(ImportTest, BindC4) {
  expectError("!T = f16" + std::string(kTiling) +
                  kernel("scale", "%x: memref<?xf16, #aicore.space<gm>>, %y: memref<?x!T, "
                                  "#aicore.space<gm>>, %beta: f32"),
              Code::E0310, "bind_c4", 7, "tensor 'x' of type row 'float32', to have elements of f32, found");
}

// Without it: beta's bits are read as another type.
TEST_F(ImportTest, BindC5) {
  expectError("!T = f16" + std::string(kTiling) +
                  kernel("scale", "%x: memref<?x!T, #aicore.space<gm>>, %y: memref<?x!T, "
                                  "#aicore.space<gm>>, %beta: f16"),
              Code::E0310, "bind_c5", 7, "attribute 'beta', to be 'f32', found 'f16'");
}

// Without it: two tensors of one type can be swapped.
TEST_F(ImportTest, BindC6) {
  expectError("!T = f16" + std::string(kTiling) +
                  kernel("scale", "%x: memref<?x!T, #aicore.space<gm>> {aicore.name = \"y\"}, %y: memref<?x!T, "
                                  "#aicore.space<gm>>, %beta: f32"),
              Code::E0310, "bind_c6", 7, "expects argument 0 to be 'x' of the contract, found 'y'");
}

// Without it: a kernel without a phase or a tiling function enters the passes, which look at neither.
TEST_F(ImportTest, BindC7) {
  std::string head = "!T = f16" + std::string(kTiling);
  expectError(head + kernel("scale", kArguments, "aicore.kernel, aicore.tiling_function = @scale_tiling"), Code::E0310,
              "bind_c7", 7, "say its phase");
  expectError(head + kernel("scale", kArguments, "aicore.kernel, aicore.phase = #aicore.phase<placed>"), Code::E0310,
              "bind_c7", 7, "name its tiling function");
  expectError(head + kernel("scale", kArguments,
                            "aicore.kernel, aicore.phase = #aicore.phase<placed>, "
                            "aicore.tiling_function = @other"),
              Code::E0310, "bind_c7", 7, "found '@other'");
}

// Without it: the tiling function receives the size of a tensor that is not there.
TEST_F(ImportTest, BindC8) {
  std::string tiling = kTiling;
  tiling.replace(tiling.find("\"x\""), 3, "\"xx\"");
  expectError("!T = f16" + tiling + kernel("scale", kArguments), Code::E0310, "bind_c8", 2,
              "a tensor of the contract, found 'xx'");
}

// Without it: a misspelt kernel is ignored, and the row served by another.
TEST_F(ImportTest, BindC9) {
  std::string good = "!T = f16" + std::string(kTiling) + kernel("scale", kArguments);
  expectError(good + kernel("scale_float61", kArguments), Code::E0310, "bind_c9", 10,
              "found '@scale_float61'; the nearest name is '@scale_float16'");
  expectError(good + "func.func @helper() {\n  return\n}\n", Code::E0310, "bind_c9", 10, "'@helper'");
  expectError(good + "module {}\n", Code::E0310, "bind_c9", 10, "functions only");
}

// Without it: the CPU form overwrites an input, and only the simulator sees it.
TEST_F(ImportTest, BindC10) {
  std::string body = "!T = f16" + std::string(kTiling) + kernel("scale", kArguments);
  body.insert(body.rfind("  return"), R"(  %b = aicore.buffer "b" : memref<16x!T, #aicore.space<ub>>
  %v = memref.subview %x[0] [16] [1] : memref<?x!T, #aicore.space<gm>> to memref<16x!T, strided<[1]>, #aicore.space<gm>>
  aicore.store %b -> %v : memref<16x!T, #aicore.space<ub>> to memref<16x!T, strided<[1]>, #aicore.space<gm>>
)");
  expectError(body, Code::E0310, "bind_c10", 10, "found input 'x'");
}

// Without it: an output that is not written keeps the old bytes of its memory, without an error.
TEST_F(ImportTest, BindC16) {
  std::string body = "!T = f16" + std::string(kTiling) + kernel("scale", kArguments);
  ASSERT_TRUE(import(body));
  ASSERT_EQ(diagnostics.all().size(), 1u) << "one body, whatever the rows";
  EXPECT_EQ(first().severity, Severity::Warning);
  EXPECT_EQ(first().rule, "bind_c16");
  EXPECT_EQ(first().location.line, 7u);
  EXPECT_THAT(first().message, HasSubstr("a store to output 'y'"));
  body.insert(body.rfind("  return"), R"(  %b = aicore.buffer "b" : memref<16x!T, #aicore.space<ub>>
  %v = memref.subview %y[0] [16] [1] : memref<?x!T, #aicore.space<gm>> to memref<16x!T, strided<[1]>, #aicore.space<gm>>
  aicore.store %b -> %v : memref<16x!T, #aicore.space<ub>> to memref<16x!T, strided<[1]>, #aicore.space<gm>>
)");
  ASSERT_TRUE(import(body));
  EXPECT_TRUE(diagnostics.all().empty());
}

// Without it: an unknown operation is reported in the parser's words, without what was meant.
TEST_F(ImportTest, UnknownOperations) {
  std::string body = "!T = f16" + std::string(kTiling) + kernel("scale", kArguments);
  auto with = [&](const std::string &op) {
    std::string text = body;
    text.insert(text.rfind("  return"), op + "\n");
    return text;
  };
  expectError(with("  aicore.pipe_barier v"), Code::E0301, "", 8, "no operation 'aicore.pipe_barier'");
  EXPECT_THAT(first().fix, HasSubstr("aicore.pipe_barrier"));
  expectError(with("  tosa.identity %x : tensor<1xf32>"), Code::E0301, "", 8, "no operation 'tosa.identity'");
  expectError(with("  \"foo.bar\"() : () -> ()"), Code::E0301, "", 8, "of no dialect that a body may use");
}

// Without it: a mistake in an operation comes without the label of the rule, or without the type row.
TEST_F(ImportTest, RulesOfTheDialectKeepTheirLabels) {
  std::string text = "!T = f16" + std::string(kTiling) + kernel("scale", kArguments);
  text.insert(text.rfind("  return"), "  %b = aicore.buffer \"b\" : memref<8x!T, #aicore.space<gm>>\n");
  expectError(text, Code::E0302, "buffer_c1", 8, "expects a result in on-chip memory");
  ASSERT_FALSE(first().notes.empty());
  EXPECT_THAT(first().notes.back().message, HasSubstr("type row 'float16'"));
}

// Without it: text that is no body at all crashes the parser or gives no place.
TEST_F(ImportTest, BrokenText) {
  expectError("!T = f16\nfunc.func @scale(", Code::E0300, "", 2, "");
  expectError("\x7f\x45\x4c\x46\x02", Code::E0300, "", 1, "");
  expectError(std::string("!T = f16\n\0", 10), Code::E0300, "", 2, "zero byte");
  // An editor put it there, and the parser would find it at a place where nothing is to be seen.
  expectError("\xEF\xBB\xBF!T = f16\n", Code::E0300, "", 1, "byte order mark");
  expectError("func.func @f(%x: !T)", Code::E0300, "", 1, "undefined symbol alias id 'T'");
  EXPECT_THAT(first().fix, HasSubstr("!T = f16"));
  EXPECT_FALSE(import(""));
  EXPECT_EQ(first().rule, "bind_c2");
}

// Without it: brackets without end exhaust the parser's stack.
TEST_F(ImportTest, DeepNesting) {
  for (const char *open : {"[", "(", "tuple<", "{a = [", "-"})
    for (size_t count : {300u, 200000u}) {
      std::string deep;
      for (size_t i = 0; i < count; ++i)
        deep += open;
      expectError("!T = f16\n#a = " + deep, Code::E0300, "", 2, "at most 200 deep");
    }
  EXPECT_EQ(readBody("/nonexistent/body.mlir", diagnostics), std::nullopt);
}

// Without it: a bracket in a comment or a string counts.
TEST_F(ImportTest, CommentsAndStringsDoNotNest) {
  std::string brackets(1000, '(');
  auto module = import("!T = f16 // " + brackets + std::string(kTiling) + "// " + brackets + "\n" +
                       kernel("scale", kArguments,
                              "note = \"" + brackets +
                                  "\", aicore.kernel, aicore.phase = #aicore.phase<placed>, "
                                  "aicore.tiling_function = @scale_tiling"));
  EXPECT_TRUE(module) << first().message;
}

// Without it: labels of rules are lost on the way to the user, or other brackets are taken for labels.
TEST(Label, IsTakenFromTheFront) {
  auto take = [](std::string text) {
    std::string label = takeLabel(text);
    return label + "|" + text;
  };
  EXPECT_EQ(take("'aicore.load' op [load_c1] expects"), "load_c1|'aicore.load' op expects");
  EXPECT_EQ(take("[plan_c2] expects"), "plan_c2|expects");
  EXPECT_EQ(take("[plan] expects"), "|[plan] expects");
  EXPECT_EQ(take("found [1, 2]"), "|found [1, 2]");
  EXPECT_EQ(take("[plan_c2"), "|[plan_c2");
}

// Without it: aliases of tensors, several on a line, or one in a comment are replaced wrongly.
TEST(Aliases, FirstLineOnly) {
  Contract contract;
  ContractTensor x, y;
  x.name = "x";
  x.types = {ElementType::Float16, ElementType::Float32};
  y.name = "y";
  y.types = {ElementType::Float32, ElementType::Int8};
  contract.inputs = {x};
  contract.outputs = {y};
  Diagnostics diagnostics;
  auto text = [&](const std::string &body, unsigned row) {
    return instantiate(body, contract, row, "b.mlir", diagnostics).value_or("refused");
  };
  EXPECT_EQ(text("!T = f16\n!T", 1), "!T = f32\n!T");
  EXPECT_EQ(text("!T = f16 !y = f32 // !T = f16\nrest", 1), "!T = f32 !y = i8 // !T = f16\nrest");
  EXPECT_EQ(text("  !T=f16\r\nrest", 1), "  !T=f32\r\nrest");
  EXPECT_EQ(text("!tile = memref<8xf16>\nrest", 1), "!tile = memref<8xf16>\nrest");
  EXPECT_EQ(text("// !T = f16", 1), "// !T = f16");
  EXPECT_EQ(text("", 1), "");
  EXPECT_EQ(text("!T = f64", 1), "refused");
}
