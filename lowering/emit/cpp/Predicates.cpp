#include "lowering/emit/cpp/Predicates.h"

#include "dialect/aicore/index/ScalarOps.h"

using namespace mlir;
using namespace opc;

using arith::CmpIPredicate;

std::optional<emitc::CmpPredicate> opc::cppPredicate(arith::CmpIOp compare) {
  std::optional<CmpIPredicate> predicate = signedPredicate(compare);
  if (!predicate)
    return std::nullopt;
  switch (*predicate) {
  case CmpIPredicate::eq:
    return emitc::CmpPredicate::eq;
  case CmpIPredicate::ne:
    return emitc::CmpPredicate::ne;
  case CmpIPredicate::slt:
    return emitc::CmpPredicate::lt;
  case CmpIPredicate::sle:
    return emitc::CmpPredicate::le;
  case CmpIPredicate::sgt:
    return emitc::CmpPredicate::gt;
  case CmpIPredicate::sge:
    return emitc::CmpPredicate::ge;
  default:
    return std::nullopt;
  }
}
