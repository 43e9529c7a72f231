#include "lowering/emit/kernel/IntegerOps.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace opc;

std::optional<ScalarOp> opc::integerInstruction(StringRef name) {
  return llvm::StringSwitch<std::optional<ScalarOp>>(name)
      .Case("arith.addi", ScalarOp::Add)
      .Case("arith.subi", ScalarOp::Sub)
      .Case("arith.muli", ScalarOp::Mul)
      .Case("arith.floordivsi", ScalarOp::FloorDiv)
      .Case("arith.ceildivsi", ScalarOp::CeilDiv)
      .Case("arith.remsi", ScalarOp::Rem)
      .Case("arith.minsi", ScalarOp::Min)
      .Case("arith.maxsi", ScalarOp::Max)
      .Default(std::nullopt);
}

std::optional<IntegerComparison> opc::integerComparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return IntegerComparison{ScalarOp::Lt, false, false};
  case arith::CmpIPredicate::sgt:
    return IntegerComparison{ScalarOp::Lt, true, false};
  case arith::CmpIPredicate::sle:
    return IntegerComparison{ScalarOp::Lt, true, true};
  case arith::CmpIPredicate::sge:
    return IntegerComparison{ScalarOp::Lt, false, true};
  case arith::CmpIPredicate::eq:
    return IntegerComparison{ScalarOp::Eq, false, false};
  case arith::CmpIPredicate::ne:
    return IntegerComparison{ScalarOp::Eq, false, true};
  default:
    return std::nullopt;
  }
}
