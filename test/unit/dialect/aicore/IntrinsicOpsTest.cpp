// Ops of the vector unit and the target's table of intrinsics name the same things.
//
// The dialect states an op's intrinsic in its class, under the op's mnemonic; emitters and the simulator go the other
// way. An op without a row would end the process, a row without an op could never be written.

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <gtest/gtest.h>
#include <set>

using namespace opc;

static std::set<std::string> vectorOps(mlir::MLIRContext &context) {
  context.loadDialect<aicore::AICoreDialect>();
  std::set<std::string> names;
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations())
    if (op.getDialectNamespace() == "aicore" && op.hasInterface<aicore::VectorOpInterface>())
      names.insert(op.stripDialect().str());
  return names;
}

TEST(IntrinsicOps, EveryVectorOpHasARow) {
  mlir::MLIRContext context;
  std::set<std::string> ops = vectorOps(context);
  EXPECT_GE(ops.size(), 40u);
  for (const std::string &name : ops)
    EXPECT_TRUE(findIntrinsic(name).has_value()) << name;
}

TEST(IntrinsicOps, EveryRowHasAnOp) {
  mlir::MLIRContext context;
  std::set<std::string> ops = vectorOps(context);
  for (const IntrinsicInfo &info : allIntrinsics())
    EXPECT_TRUE(ops.count(std::string(info.name))) << info.name;
}

// Passes create ops by their intrinsics. The mnemonic, and the op's own constant, have to name the same one.
TEST(IntrinsicOps, EveryIntrinsicCreatesItsOp) {
  mlir::MLIRContext context;
  context.loadDialect<aicore::AICoreDialect, mlir::arith::ArithDialect, mlir::memref::MemRefDialect>();
  mlir::OpBuilder builder(&context);
  mlir::Location location = builder.getUnknownLoc();
  for (const IntrinsicInfo &info : allIntrinsics()) {
    mlir::Block block;
    builder.setInsertionPointToStart(&block);
    aicore::VectorOpInterface op = aicore::createIntrinsic(builder, location, info.intrinsic, {});
    EXPECT_EQ(op->getName().stripDialect().str(), info.name);
    EXPECT_EQ(op.getIntrinsic(), info.intrinsic);
  }
}

// A type row must survive the way through MLIR's types, or a kernel of that row could not be written.
TEST(IntrinsicOps, ElementTypesOfRowsHaveMlirTypes) {
  mlir::MLIRContext context;
  for (const IntrinsicInfo &info : allIntrinsics())
    for (TypeRow row : info.types)
      for (ElementType type : {row.source, row.destination})
        EXPECT_EQ(aicore::elementTypeOf(aicore::mlirTypeOf(type, &context)), type) << info.name;
}
