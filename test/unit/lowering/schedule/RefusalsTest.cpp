// Instances that no schedule can be chosen for. Bodies of users do not get here with the first of them; the second is
// a body that needs more than UB has.

#include "lowering/schedule/Schedule.h"

#include "dialect/aicore/AICoreOps.h"
#include "dialect/te/TeDialect.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace opc;

static std::string errorOf(const std::string &key, int64_t bits) {
  DialectRegistry registry;
  registry.insert<aicore::AICoreDialect, te::TeDialect, func::FuncDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string text = "func.func @k(%x: memref<?xf32>, %y: memref<?xf32>) attributes {te.kernel, te.shape_key = "
                     "\"" +
                     key +
                     "\", te.type_row = 0 : i64, aicore.needs = #aicore.needs<tile_bits = " + std::to_string(bits) +
                     ", row_bytes = 0, second_bits = 0, second_bytes = 0, fixed_bytes = 0, buffers = 2, loads = "
                     "1, "
                     "load_bytes = 4, store_bytes = 4, smallest = 4, reads_scalars = false>} { return }";
  auto module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  Contract contract;
  contract.opType = "Probe";
  contract.name = "probe";
  for (const char *name : {"x", "y"}) {
    ContractTensor tensor;
    tensor.name = name;
    tensor.types = {ElementType::Float32};
    tensor.shape = {{ContractDim::Pack, "S"}};
    (tensor.name == "x" ? contract.inputs : contract.outputs).push_back(tensor);
  }
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    said += diagnostic.str();
    return success();
  });
  Diagnostics diagnostics;
  std::vector<KernelSchedule> explanation;
  std::vector<ScheduleRefusal> refused;
  EXPECT_TRUE(failed(
      scheduleInstances(*module, {contract, {}, *findTarget("Ascend310B1"), diagnostics, explanation, refused})));
  for (const ScheduleRefusal &refusal : refused)
    said += "[" + refusal.rule + "] " + refusal.message;
  return said;
}

TEST(ScheduleRefusals, AKeyThatTheContractHasNot) {
  EXPECT_EQ(errorOf("rows_short", 128), "[tiled_c1] expects an instance of a shape key of the contract");
}

TEST(ScheduleRefusals, ABodyThatNeedsMoreThanUBHas) {
  EXPECT_EQ(errorOf("flat", 64 * 400),
            "[tiled_c2] expects tiles of 256 elements of 'k' to fit the 253952 bytes of UB on "
            "Ascend310B1, found that they take 820224");
}
