#include "lowering/te/Precision.h"

#include "dialect/te/TeOps.h"

using namespace mlir;

namespace opc::te {

static Type signless(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer ? IntegerType::get(element.getContext(), integer.getWidth()) : element;
}

Type storedType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : signless(element);
}

bool isUnsigned(Type element) {
  return element.isUnsignedInteger() || element.isInteger(1);
}

Precision::Precision(func::FuncOp kernel) {
  if (auto type = kernel->getAttrOfType<TypeAttr>(TeDialect::kComputeAttr))
    compute = signless(type.getValue());
  if (auto type = kernel->getAttrOfType<TypeAttr>(TeDialect::kAccumulateAttr))
    accumulate = signless(type.getValue());
}

static bool isWider(Type type, Type than) {
  return type.getIntOrFloatBitWidth() > than.getIntOrFloatBitWidth();
}

Type Precision::computed(Type element) const {
  if (!isa<FloatType>(element))
    return signless(element);
  if (compute && isa<FloatType>(compute) && isWider(compute, element))
    return compute;
  return isa<BFloat16Type>(element) ? Float32Type::get(element.getContext()) : element;
}

Type Precision::reduced(Operation *reduction) const {
  if (isa<ArgMaxOp, ArgMinOp>(reduction))
    return computed(elementOf(reduction->getOperand(0).getType()));
  if (isa<ReduceAnyOp, ReduceAllOp>(reduction))
    return storedType(elementOf(reduction->getResult(0).getType()));
  Type type = computed(elementOf(reduction->getResult(0).getType()));
  if (isa<MatmulOp>(reduction) && type.getIntOrFloatBitWidth() < 32)
    type = Float32Type::get(type.getContext());
  if (isa<ReduceSumOp, ReduceMeanOp, ReduceProdOp, MatmulOp, ScanOp>(reduction) && accumulate &&
      isa<FloatType>(accumulate) == isa<FloatType>(type) && isWider(accumulate, type))
    return accumulate;
  return type;
}

} // namespace opc::te
