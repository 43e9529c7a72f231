// Nodes that move elements, or are decomposed: views, ranges of bytes, parts.

#include "lowering/graph/legalize/Legalizer.h"

#include "lowering/graph/Instances.h"
#include "lowering/graph/Ranges.h"
#include "lowering/graph/legalize/Views.h"
#include "lowering/graph/legalize/parts/Decompose.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

bool Legalizer::makeView(NodeOp node, std::string &reason) {
  if (!isView(node))
    return false;
  std::optional<SmallVector<int64_t>> shape = viewShape(node, reason);
  if (!shape)
    return false;
  Value operand = node.getOperand(0);
  auto from = cast<RankedTensorType>(operand.getType());
  auto to = RankedTensorType::get(*shape, from.getElementType());
  Value made;
  // A reshaped constant is a constant.
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(constantOf(operand)))
    made = ConstantOp::create(builder, node.getLoc(), to, cast<StringAttr>(node.getResultNames()[0]),
                              DenseResourceElementsAttr::get(to, resource.getRawHandle()), false, PlaceAttr());
  else if (auto dense = dyn_cast_or_null<DenseIntOrFPElementsAttr>(constantOf(operand)))
    made = ConstantOp::create(builder, node.getLoc(), to, cast<StringAttr>(node.getResultNames()[0]), dense.reshape(to),
                              false, PlaceAttr());
  else
    made = to == from ? operand : Value(ViewOp::create(builder, node.getLoc(), to, operand));
  note(originOf(node), {LegalNode::View, nullptr, "", ""});
  // The unused mask of a Dropout has no value.
  SmallVector<Value> values(node.getNumResults());
  values[0] = made;
  replace(node, values);
  return true;
}

bool Legalizer::makeRanges(NodeOp node) {
  SmallVector<Value> made;
  if (!rangesOf(node, builder, made))
    return false;
  for (Value &value : made)
    if (isRangeOfConstants(value.getDefiningOp()) &&
        cast<RankedTensorType>(value.getType()).getNumElements() <= kMostKnown)
      value = replaceRange(builder, value.getDefiningOp());
  note(originOf(node), {LegalNode::View, nullptr, "", ""});
  replace(node, made);
  return true;
}

/// Nodes that contracts compute together, which the walk visits next.
bool Legalizer::makeParts(NodeOp node) {
  Operation *before = node->getPrevNode(), *behind = node->getNextNode();
  const auto origin = originOf(node);
  const bool isCopy = origins.count(node) != 0; // of a function or a step of a loop, or a part itself
  if (!decompose(node, builder, opsetOf(node)))
    return false;
  next = before ? before->getNextNode() : &model.getBody().front().front();
  auto opset = builder.getDictionaryAttr({builder.getNamedAttr("ai.onnx", builder.getI64IntegerAttr(kDecomposedOpset)),
                                          builder.getNamedAttr(kOwnDomain, builder.getI64IntegerAttr(1))});
  for (Operation *op = next; op != behind; op = op->getNextNode())
    if (isa<NodeOp>(op)) {
      opsets[op] = opset;
      origins[op] = origin;
      // Loops and functions repeat nodes with many parts.
      inlined += isCopy ? 1 : 0;
    }
  note(origin, {LegalNode::Parts, nullptr, "", ""});
  return true;
}
