#include "lowering/graph/Instances.h"

#include "dialect/aicore/Tiles.h"
#include "lowering/graph/NodeFacts.h"
#include "runtime/program/format/Sha256.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace opc::graph {

/// The value of an attribute of a contract; null if there is none.
static Attribute attributeOf(const AttributeValue &value, Builder &builder) {
  if (auto *real = std::get_if<double>(&value))
    return builder.getF64FloatAttr(*real);
  if (auto *whole = std::get_if<int64_t>(&value))
    return builder.getI64IntegerAttr(*whole);
  if (auto *truth = std::get_if<bool>(&value))
    return builder.getBoolAttr(*truth);
  if (auto *text = std::get_if<std::string>(&value))
    return builder.getStringAttr(*text);
  if (auto *reals = std::get_if<std::vector<double>>(&value))
    return builder.getDenseF64ArrayAttr(*reals);
  if (auto *wholes = std::get_if<std::vector<int64_t>>(&value))
    return builder.getDenseI64ArrayAttr(*wholes);
  return {};
}

InstanceOp createInstance(OpBuilder &builder, mlir::Location location, const onnx::Match &match,
                          ArrayRef<Value> operands, ArrayRef<Attribute> names, StringAttr name) {
  const Contract &contract = *match.contract;
  SmallVector<Value> own;
  for (const std::optional<size_t> &operand : match.operands)
    own.push_back(operand ? operands[*operand] : Value(AbsentOp::create(builder, location, builder.getNoneType())));
  SmallVector<Type> types;
  SmallVector<Attribute> ownNames;
  for (const ContractTensor &output : contract.outputs) {
    size_t place = static_cast<size_t>(llvm::find(match.form->outputs, output.name) - match.form->outputs.begin());
    types.push_back(RankedTensorType::get(*match.results[place].sizes(),
                                          aicore::mlirTypeOf(output.types[match.typeRow], builder.getContext())));
    ownNames.push_back(names[place]);
  }
  SmallVector<NamedAttribute> parameters;
  for (const auto &[attribute, value] : match.attributes)
    if (Attribute given = attributeOf(value, builder))
      parameters.emplace_back(builder.getStringAttr(attribute), given);
  return InstanceOp::create(
      builder, location, types, builder.getStringAttr(contract.opType), own, builder.getArrayAttr(ownNames),
      builder.getStringAttr(contract.path), builder.getI64IntegerAttr(match.typeRow),
      parameters.empty() ? DictionaryAttr() : builder.getDictionaryAttr(parameters), name, ArrayAttr());
}

ConstantOp createConstant(OpBuilder &builder, mlir::Location location, RankedTensorType type, StringRef name,
                          StringRef bytes) {
  constexpr int64_t kMostWritten = 16;
  constexpr size_t kDigits = 16;
  ElementsAttr value;
  ArrayRef<char> raw(bytes.data(), bytes.size());
  if (type.getElementType().isInteger(1)) {
    value = DenseElementsAttr::get(type, SmallVector<bool>(bytes.begin(), bytes.end()));
  } else if (type.getNumElements() <= kMostWritten) {
    value = DenseElementsAttr::getFromRawBuffer(type, raw);
  } else {
    std::string key = "folded_" + sha256(std::string_view(bytes.data(), bytes.size())).substr(0, kDigits);
    value = DenseResourceElementsAttr::get(type, key, HeapAsmResourceBlob::allocateAndCopyWithAlign(raw, 64));
  }
  return ConstantOp::create(builder, location, type, builder.getStringAttr(name), value, /*overridable=*/false,
                            PlaceAttr());
}

bool replaceByConstants(OpBuilder &builder, InstanceOp instance, const RunInstance &run) {
  bool hasValue = false;
  for (Value operand : instance.getOperands()) {
    if (operand.getDefiningOp<AbsentOp>())
      continue;
    if (!constantOf(operand))
      return false;
    hasValue = true;
  }
  std::optional<std::vector<std::string>> values = hasValue && run ? run(instance) : std::nullopt;
  if (!values || values->size() != instance.getNumResults())
    return false;
  builder.setInsertionPoint(instance);
  for (auto [result, name, bytes] : llvm::zip(instance.getResults(), instance.getResultNames(), *values)) {
    auto type = llvm::cast<RankedTensorType>(result.getType());
    result.replaceAllUsesWith(
        createConstant(builder, instance.getLoc(), type, llvm::cast<StringAttr>(name).getValue(), bytes));
  }
  return true;
}

} // namespace opc::graph
