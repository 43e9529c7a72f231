// Inlines calls of functions of the model.

#include "lowering/graph/legalize/Legalizer.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

static std::pair<StringRef, StringRef> keyOf(StringRef domain, StringRef op) {
  return {domain == "ai.onnx" ? StringRef() : domain, op};
}

void Legalizer::findFunctions() {
  for (auto function : model->getParentOfType<ModuleOp>().getOps<FunctionOp>()) {
    auto [place, isNew] = functions.try_emplace(keyOf(function.getDomain(), function.getName()), function);
    if (!isNew)
      place->second = {}; // overloads, which a node cannot name
  }
}

FunctionOp Legalizer::findFunction(NodeOp node) const {
  return functions.lookup(keyOf(node.getDomain().value_or(""), node.getOp()));
}

/// Replaces references by the values of a call or defaults; references without a value are removed.
static void bindReferences(NodeOp node, const NamedAttrList &values) {
  if (!node.getParametersAttr())
    return;
  SmallVector<NamedAttribute> parameters;
  for (NamedAttribute own : node.getParametersAttr()) {
    auto reference = dyn_cast<ReferenceAttr>(own.getValue());
    if (!reference)
      parameters.push_back(own);
    else if (Attribute value = values.get(reference.getName().getValue()))
      parameters.emplace_back(own.getName(), value);
  }
  node.setParametersAttr(DictionaryAttr::get(node.getContext(), parameters));
}

void Legalizer::inlineFunction(NodeOp node, FunctionOp function) {
  NamedAttrList values;
  for (NamedAttribute own : function.getParameters())
    if (!isa<UnitAttr>(own.getValue()))
      values.set(own.getName(), own.getValue());
  if (node.getParametersAttr())
    for (NamedAttribute own : node.getParametersAttr())
      values.set(own.getName(), own.getValue());
  IRMapping mapping;
  for (BlockArgument argument : function.getBody().getArguments())
    mapping.map(argument, argument.getArgNumber() < node.getNumOperands()
                              ? node.getOperand(argument.getArgNumber())
                              : Value(AbsentOp::create(builder, node.getLoc(), builder.getNoneType())));
  note(originOf(node), {LegalNode::Call, nullptr, "", ""});
  Operation *before = node->getPrevNode();
  std::string prefix = (node.getName().value_or("").empty() ? node.getOp() : *node.getName()).str() + "/";
  for (Operation &op : function.getBody().front().without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    // Nodes in branches count: they may become part of the model.
    copy->walk([&](Operation *) { ++inlined; });
    copy->walk([&](NodeOp own) {
      bindReferences(own, values);
      // Overwrites the origin of an erased node that may have had this address.
      origins[own] = {function.getName().str(), firstNameOf(own)};
      opsets[own] = function.getOpsets();
    });
    if (auto own = dyn_cast<NodeOp>(copy)) {
      SmallVector<Attribute> names;
      for (Attribute name : own.getResultNames())
        names.push_back(builder.getStringAttr(prefix + cast<StringAttr>(name).getValue()));
      own.setResultNamesAttr(builder.getArrayAttr(names));
      own.setName(prefix + own.getName().value_or(own.getOp()).str());
    }
  }
  Operation *first = before ? before->getNextNode() : &model.getBody().front().front();
  next = first == node ? node->getNextNode() : first;
  SmallVector<Value> results;
  for (Value output : function.getBody().front().getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(output));
  results.resize(node.getNumResults());
  // Their types are set when their nodes are visited.
  for (auto [result, value] : llvm::zip(node.getResults(), results))
    if (value)
      result.replaceAllUsesWith(value);
  node.erase();
}
