#include "lowering/te/FusedFunction.h"

#include "lowering/te/Precision.h"

#include "dialect/te/TeOps.h"

using namespace mlir;

namespace opc::te {

static MemRefType memoryType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), storedType(type.getElementType()));
}

func::FuncOp makeFused(func::FuncOp bound) {
  OpBuilder builder(bound);
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  SmallVector<Location> locations;
  auto addTensor = [&](Type tensor, DictionaryAttr dictionary, Location location) {
    Type element = elementOf(tensor);
    NamedAttrList list(dictionary);
    if (storedType(element) != element)
      list.set(TeDialect::kElementAttr, TypeAttr::get(element));
    types.push_back(memoryType(tensor));
    attributes.push_back(list.getDictionary(bound.getContext()));
    locations.push_back(location);
  };
  for (BlockArgument argument : bound.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      addTensor(argument.getType(), bound.getArgAttrDict(argument.getArgNumber()), argument.getLoc());
  for (unsigned result = 0; result < bound.getNumResults(); ++result) {
    auto name = bound.getResultAttrOfType<StringAttr>(result, TeDialect::kNameAttr);
    Location location = NameLoc::get(name, bound.getLoc());
    addTensor(bound.getResultTypes()[result], bound.getResultAttrDict(result), location);
  }
  for (BlockArgument argument : bound.getArguments()) {
    if (isa<RankedTensorType>(argument.getType()))
      continue;
    types.push_back(argument.getType());
    attributes.push_back(bound.getArgAttrDict(argument.getArgNumber()));
    locations.push_back(argument.getLoc());
  }
  auto function = func::FuncOp::create(builder, bound.getLoc(), bound.getName(), builder.getFunctionType(types, {}));
  for (NamedAttribute attribute : bound->getDiscardableAttrs())
    function->setAttr(attribute.getName(), attribute.getValue());
  function->removeAttr(TeDialect::kComputeAttr);
  function->removeAttr(TeDialect::kAccumulateAttr);
  function->removeAttr(TeDialect::kReducibleAttr);
  function->setAttr(TeDialect::kPhaseAttr, PhaseAttr::get(bound.getContext(), Phase::Fused));
  for (auto [index, dictionary] : llvm::enumerate(attributes))
    if (dictionary)
      function.setArgAttrs(unsigned(index), dictionary);
  Block *entry = function.addEntryBlock();
  for (auto [argument, location] : llvm::zip(entry->getArguments(), locations))
    argument.setLoc(location);
  return function;
}

} // namespace opc::te
