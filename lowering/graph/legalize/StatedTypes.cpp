#include "lowering/graph/legalize/StatedTypes.h"

#include "lowering/graph/NodeFacts.h"
#include "ops/onnx/coverage/Coverage.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

bool opc::graph::isSettled(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && onnxElementType(tensor.getElementType()) != onnx::ElementType::Undefined;
}

std::string opc::graph::typeText(Type type) {
  onnx::Fact fact;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return "no tensor of a known rank";
  fact.type = onnxElementType(tensor.getElementType());
  fact.shape.emplace();
  auto names = dyn_cast_or_null<DimsAttr>(tensor.getEncoding());
  for (auto [i, size] : llvm::enumerate(tensor.getShape())) {
    StringRef name = names ? names.getNames()[i].getValue() : StringRef();
    fact.shape->push_back(ShapedType::isDynamic(size) ? onnx::Dim{std::nullopt, {name.data(), name.size()}}
                                                      : onnx::Dim{size, {}});
  }
  return factText(fact);
}

bool opc::graph::agrees(Type stated, RankedTensorType found) {
  auto tensor = dyn_cast<TensorType>(stated);
  if (!tensor)
    return isa<UnknownType>(stated);
  if (!isa<UnknownType>(tensor.getElementType()) && tensor.getElementType() != found.getElementType())
    return false;
  if (!tensor.hasRank())
    return true;
  if (tensor.getRank() != found.getRank())
    return false;
  return llvm::all_of(llvm::zip(tensor.getShape(), found.getShape()), [](auto sizes) {
    return ShapedType::isDynamic(std::get<0>(sizes)) || std::get<0>(sizes) == std::get<1>(sizes);
  });
}

bool opc::graph::agreesInRows(Type stated, RankedTensorType found, size_t rows) {
  auto tensor = dyn_cast<RankedTensorType>(stated);
  if (!tensor || tensor.getRank() != found.getRank() || tensor.getDimSize(rows) > found.getDimSize(rows))
    return false;
  SmallVector<int64_t> sizes(tensor.getShape());
  sizes[rows] = found.getDimSize(rows);
  return agrees(RankedTensorType::get(sizes, tensor.getElementType()), found);
}

bool opc::graph::isStale(OpResult result, RankedTensorType found) {
  auto stated = dyn_cast<RankedTensorType>(result.getType());
  if (!stated || stated.getElementType() != found.getElementType())
    return false;
  const bool isOpenOfOtherRank = stated.getRank() != found.getRank() && !stated.hasStaticShape();
  return isOpenOfOtherRank || llvm::any_of(result.getUsers(), [](Operation *user) {
           return isa<OutputOp>(user) && isa<ModelOp>(user->getParentOp());
         });
}
