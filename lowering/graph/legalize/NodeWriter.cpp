#include "lowering/graph/legalize/NodeWriter.h"

using namespace mlir;

namespace opc::graph {

NodeOp NodeWriter::emit(StringRef op, ArrayRef<Value> operands, ArrayRef<NamedAttribute> parameters) {
  StringAttr name = builder.getStringAttr(nextName());
  return NodeOp::create(builder, node.getLoc(), TypeRange(UnknownType::get(builder.getContext())),
                        builder.getStringAttr(op), StringAttr(), operands, builder.getStrArrayAttr(name.getValue()),
                        name, parameters.empty() ? DictionaryAttr() : builder.getDictionaryAttr(parameters),
                        ArrayAttr(), 0);
}

void NodeWriter::finish(unsigned result, Value made) {
  Value old = node.getResult(result);
  auto last = made.getDefiningOp<NodeOp>();
  const bool isOwn = last && last->getBlock() == node->getBlock() && last.getLoc() == node.getLoc() &&
                     !llvm::is_contained(node.getOperands(), made);
  if (isOwn) {
    last.setResultNamesAttr(builder.getArrayAttr(node.getResultNames()[result]));
    if (node.getNameAttr())
      last.setNameAttr(node.getNameAttr());
    made.setType(old.getType());
  }
  old.replaceAllUsesWith(made);
}

Value NodeWriter::constant(ElementsAttr elements) {
  return ConstantOp::create(builder, node.getLoc(), elements.getShapedType(), builder.getStringAttr(nextName()),
                            elements, /*overridable=*/false, PlaceAttr());
}

Value NodeWriter::integers(ArrayRef<int64_t> numbers) {
  return constant(DenseElementsAttr::get(
      RankedTensorType::get(static_cast<int64_t>(numbers.size()), builder.getI64Type()), numbers));
}

Value NodeWriter::splat(ArrayRef<int64_t> shape, Type element, double number) {
  auto type = RankedTensorType::get(shape, element);
  if (auto real = dyn_cast<FloatType>(element))
    return constant(DenseElementsAttr::get(type, FloatAttr::get(real, number).getValue()));
  auto whole = llvm::cast<IntegerType>(element);
  return constant(DenseElementsAttr::get(
      type, APInt(whole.getWidth(), static_cast<uint64_t>(static_cast<int64_t>(number)), false, true)));
}

std::string NodeWriter::nextName() {
  std::string own = node.getName().value_or("").empty() ? node.getOp().str() : node.getName()->str();
  return own + "/" + std::to_string(emitted++);
}

} // namespace opc::graph
