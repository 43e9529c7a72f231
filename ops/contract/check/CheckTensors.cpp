// Rules across tensors and attributes: names, type rows, formats, reductions.

#include "ops/contract/Shapes.h"
#include "ops/contract/read/Parts.h"

#include <map>

namespace opc {

void checkNames(ContractErrors &errors, const ContractDraft &draft) {
  const Contract &contract = draft.contract;
  std::map<std::string, Location> seen;
  auto check = [&](const std::string &name, const Location &where) {
    if (name.empty())
      return;
    auto [position, inserted] = seen.emplace(name, where);
    if (!inserted)
      errors.report(ContractRule::NameOnce, where,
                    "expects each name of inputs, outputs and attributes once, found '" + name + "', which line " +
                        std::to_string(position->second.line) + " has already");
  };
  for (const ContractTensor &input : contract.inputs)
    check(input.name, input.location);
  for (const ContractTensor &output : contract.outputs)
    check(output.name, output.location);
  for (const ContractAttribute &attribute : contract.attributes)
    check(attribute.name, attribute.location);

  bool anyRequired = contract.inputs.empty();
  for (const ContractTensor &input : contract.inputs)
    anyRequired |= !input.isOptional();
  if (!anyRequired)
    errors.report(ContractRule::TensorKeys, draft.inputPlaces.front().required,
                  "expects at least one required input, found only optional ones");
}

/// Checks each tensor against the number of rows of the first tensor whose types could be read.
static void checkRowCounts(ContractErrors &errors, const std::vector<ContractTensor> &tensors,
                           const std::vector<TensorPlaces> &places, const ContractTensor *&first) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].types.empty())
      continue;
    if (!first)
      first = &tensors[i];
    if (tensors[i].types.size() != first->types.size())
      errors.report(ContractRule::TypeTable, places[i].types,
                    "expects " + std::to_string(first->types.size()) + " types as '" + first->name + "' has, found " +
                        std::to_string(tensors[i].types.size()));
  }
}

/// A type row has at most one tensor in fractals, which is an input; another row has the same types without it.
static void checkPackedRow(ContractErrors &errors, const ContractDraft &draft, unsigned row, unsigned packed,
                           bool hasPlainRow) {
  const Contract &contract = draft.contract;
  const std::string where = "in type row " + std::to_string(row) + ", found ";
  for (size_t i = 0; i < contract.outputs.size(); ++i)
    if (contract.outputs[i].isPacked(row))
      errors.report(ContractRule::Formats, draft.outputPlaces[i].formats,
                    "expects a packed format of an input " + where + "it at output '" + contract.outputs[i].name + "'");
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    if (!contract.inputs[i].isPacked(row))
      continue;
    if (packed > 1)
      errors.report(ContractRule::Formats, draft.inputPlaces[i].formats,
                    "expects a packed format of one tensor " + where + "it at " + std::to_string(packed));
    else if (!hasPlainRow)
      errors.report(ContractRule::Formats, draft.inputPlaces[i].formats,
                    "expects a row of the same types without a packed format beside it " + where + "none",
                    "add the types of the row to each tensor once more, with ND in this place: the CPU has kernels "
                    "of that row, and 'opc pack' makes the input of this one");
    return;
  }
}

void checkTypeTable(ContractErrors &errors, const ContractDraft &draft) {
  const Contract &contract = draft.contract;
  const ContractTensor *first = nullptr;
  checkRowCounts(errors, contract.inputs, draft.inputPlaces, first);
  checkRowCounts(errors, contract.outputs, draft.outputPlaces, first);
  if (!first)
    return;

  // Compare rows only when every tensor has all of them.
  size_t rows = first->types.size();
  std::vector<std::vector<ElementType>> table(rows);
  std::vector<unsigned> packed(rows);
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors) {
      if (tensor.types.size() != rows)
        return;
      for (size_t row = 0; row < rows; ++row) {
        table[row].push_back(tensor.types[row]);
        packed[row] += tensor.isPacked(unsigned(row));
      }
    }
  // When the inputs could not be read, the outputs still have rows.
  const TensorPlaces &place = draft.inputPlaces.empty() ? draft.outputPlaces.front() : draft.inputPlaces.front();
  std::map<std::pair<std::vector<ElementType>, bool>, size_t> seen;
  for (size_t row = 0; row < rows; ++row) {
    auto [position, inserted] = seen.emplace(std::pair(table[row], packed[row] != 0), row);
    if (!inserted)
      errors.report(ContractRule::RowOnce, place.types,
                    "expects no two type rows alike, found row " + std::to_string(row) + " equal to row " +
                        std::to_string(position->second) + " (" + std::string(elementTypeName(table[row].front())) +
                        ")",
                    "remove one of the two from every tensor");
  }
  for (size_t row = 0; row < rows; ++row)
    if (packed[row] != 0)
      checkPackedRow(errors, draft, unsigned(row), packed[row], seen.count({table[row], false}) != 0);
}

void checkConstants(ContractErrors &errors, const ContractDraft &draft) {
  const std::vector<ContractTensor> &inputs = draft.contract.inputs;
  bool isOneGiven = false;
  for (const ContractTensor &input : inputs)
    isOneGiven |= !input.isConstant && !input.isOptional();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].isConstant)
      continue;
    const Location &place = draft.inputPlaces[i].constant;
    if (inputs[i].values)
      errors.report(ContractRule::TensorKeys, place,
                    "expects constants that are no indices, found both 'constant' and 'values' at '" + inputs[i].name +
                        "'",
                    "remove one of the two: kernels read indices as they are given");
    if (!isOneGiven) {
      errors.report(ContractRule::TensorKeys, place,
                    "expects a required input beside constants, found none: all results would be constant",
                    "remove 'constant' from the input that differs from launch to launch");
      return;
    }
  }
}

static void checkReduction(ContractErrors &errors, const Contract &contract, const ContractTensor &output,
                           const TensorPlaces &places) {
  const ContractReduction &reduction = *output.reduces;
  auto report = [&](const std::string &message, const std::string &fix) {
    errors.report(ContractRule::Reduces, output.location, message, fix);
  };
  std::vector<std::string> inputs, attributes;
  bool hasInput = false;
  for (const ContractTensor &input : contract.inputs) {
    if (!input.isOptional())
      inputs.push_back(input.name);
    hasInput |= input.name == reduction.input && !input.isOptional();
  }
  for (const ContractAttribute &attribute : contract.attributes)
    attributes.push_back(attribute.name);
  if (!hasInput)
    report("expects 'reduces' to name a required input, found '" + reduction.input + "'",
           suggest(reduction.input, inputs));
  const ContractTensor *reduced = contract.findTensor(reduction.input);
  if (hasInput && places.hasShape && printShape(output.shape) != printShape(reduced->shape))
    errors.report(ContractRule::Reduces, places.shape,
                  "expects the shape " + printShape(reduced->shape) + " of '" + reduced->name +
                      "' in an output that 'reduces' it and has a 'shape', found " + printShape(output.shape),
                  "without 'shape', the output has the shape that the axes leave");
  if (places.hasShape && !reduction.keepDims.empty())
    report("expects no 'keep_dims' in an output with a 'shape', found '" + reduction.keepDims + "'",
           "remove it: the output has all dimensions of '" + reduction.input + "'");

  const ContractAttribute *axes = contract.findAttribute(reduction.axes);
  bool axesFit = axes && axes->binding != Binding::Launch &&
                 (axes->type == AttributeType::Int || axes->type == AttributeType::ListInt);
  if (!axesFit)
    report("expects the axes of 'reduces' in an int or list_int attribute bound to shapes or at "
           "compile time, found '" +
               reduction.axes + "'",
           axes ? "" : suggest(reduction.axes, attributes));
  if (reduction.keepDims.empty())
    return;
  const ContractAttribute *keep = contract.findAttribute(reduction.keepDims);
  if (!keep || keep->type != AttributeType::Bool || keep->binding == Binding::Launch)
    report("expects 'keep_dims' of 'reduces' in a bool attribute bound to shapes or at compile "
           "time, found '" +
               reduction.keepDims + "'",
           keep ? "" : suggest(reduction.keepDims, attributes));
}

void checkReductions(ContractErrors &errors, const ContractDraft &draft) {
  for (size_t i = 0; i < draft.contract.outputs.size(); ++i)
    if (draft.contract.outputs[i].reduces)
      checkReduction(errors, draft.contract, draft.contract.outputs[i], draft.outputPlaces[i]);
  // An attribute that neither kernels nor shapes use would be accepted and silently ignored.
  for (const ContractAttribute &attribute : draft.contract.attributes) {
    bool seen = attribute.binding != Binding::Shape;
    for (const ContractTensor &output : draft.contract.outputs)
      seen |= output.reduces && (output.reduces->axes == attribute.name || output.reduces->keepDims == attribute.name);
    if (!seen)
      errors.report(ContractRule::Reduces, attribute.location,
                    "expects attributes bound to shapes to be the axes or keep_dims of an output "
                    "that reduces, found '" +
                        attribute.name + "', which none names",
                    "write 'bind: launch' or 'bind: compile'");
  }
}

} // namespace opc
