#include "ops/contract/Places.h"

#include "ops/contract/Shapes.h"

#include <algorithm>
#include <map>

namespace opc {

using Dims = std::vector<ContractDim>;

static const std::vector<int64_t> *orderOf(const Contract &contract, const std::string &attribute) {
  const ContractAttribute *found = contract.findAttribute(attribute);
  return found ? std::get_if<std::vector<int64_t>>(&found->defaultValue) : nullptr;
}

bool hasPlaces(const Contract &contract) {
  const Contract &written = contract.written ? *contract.written : contract;
  auto isOrdered = [](const ContractDim &dim) { return !dim.order.empty(); };
  return std::any_of(written.inputs.begin(), written.inputs.end(),
                     [](const ContractTensor &input) { return !input.presence.empty() || !input.count.empty(); }) ||
         std::any_of(written.outputs.begin(), written.outputs.end(),
                     [&](const ContractTensor &output) {
                       return std::any_of(output.shape.begin(), output.shape.end(), isOrdered);
                     }) ||
         std::any_of(written.dimensions.begin(), written.dimensions.end(),
                     [](const ContractDimension &dimension) { return !dimension.axis.empty(); });
}

const std::vector<ContractTensor> &writtenInputs(const Contract &contract) {
  return contract.written ? contract.written->inputs : contract.inputs;
}

std::vector<size_t> inputsOfArgument(const Contract &contract, size_t argument) {
  const std::vector<ContractTensor> &written = writtenInputs(contract);
  std::vector<size_t> inputs;
  if (argument >= written.size())
    return inputs;
  const ContractTensor &of = written[argument];
  for (size_t input = 0; input < contract.inputs.size(); ++input)
    if (contract.inputs[input].name == of.name || (!of.count.empty() && contract.inputs[input].count == of.count))
      inputs.push_back(input);
  return inputs;
}

bool isAbsent(const Contract &contract, const ContractTensor &input) {
  const ContractAttribute *attribute = input.presence.empty() ? nullptr : contract.findAttribute(input.presence);
  const bool *isThere = attribute ? std::get_if<bool>(&attribute->defaultValue) : nullptr;
  return isThere && !*isThere;
}

bool isPresence(const Contract &contract, const std::string &attribute) {
  const std::vector<ContractTensor> &inputs = writtenInputs(contract);
  return !attribute.empty() && std::any_of(inputs.begin(), inputs.end(),
                                           [&](const ContractTensor &input) { return input.presence == attribute; });
}

const ContractTensor *countedInput(const Contract &contract) {
  const std::vector<ContractTensor> &inputs = writtenInputs(contract);
  return inputs.empty() || inputs.back().count.empty() ? nullptr : &inputs.back();
}

bool isCount(const Contract &contract, const std::string &attribute) {
  const ContractTensor *input = countedInput(contract);
  return input && input->count == attribute;
}

std::string numberedName(const std::string &name, size_t number) {
  return name + "_" + std::to_string(number);
}

bool isOrder(const Contract &contract, const std::string &attribute) {
  const Contract &written = contract.written ? *contract.written : contract;
  for (const ContractTensor &output : written.outputs)
    for (const ContractDim &dim : output.shape)
      if (dim.order == attribute)
        return true;
  return false;
}

bool isAxis(const Contract &contract, const std::string &attribute) {
  return std::any_of(contract.dimensions.begin(), contract.dimensions.end(),
                     [&](const ContractDimension &dimension) { return dimension.axis == attribute; });
}

namespace {

/// The ranks of packs that follow from attributes.
class Ranks {
public:
  Ranks(const Contract &written, const Contract &values) : written(written), values(values) {}

  std::string find();
  std::map<std::string, int64_t> of;

private:
  std::string set(const std::string &pack, int64_t rank, const std::string &attribute);
  std::string ofOrders();
  std::string ofAxis(const ContractDimension &dimension);
  std::string ofAxis(const ContractDimension &dimension, int64_t axis, const ContractTensor &tensor, bool &isUsed);

  const Contract &written, &values;
};

} // namespace

std::string Ranks::set(const std::string &pack, int64_t rank, const std::string &attribute) {
  if (rank < 0 || rank > int64_t(kMaxRank))
    return "'" + attribute + "' would give '..." + pack + "' " + std::to_string(rank) + " dimensions";
  auto [known, inserted] = of.emplace(pack, rank);
  if (!inserted && known->second != rank)
    return "'" + attribute + "' gives '..." + pack + "' " + std::to_string(rank) + " dimensions, another attribute " +
           std::to_string(known->second);
  return {};
}

std::string Ranks::ofOrders() {
  for (const ContractTensor &output : written.outputs)
    for (const ContractDim &dim : output.shape) {
      if (dim.order.empty())
        continue;
      const std::vector<int64_t> *order = orderOf(values, dim.order);
      if (!order)
        return "'" + dim.order + "', the order of '" + printDim(dim) + "', is no list of ints with a default";
      std::vector<bool> seen(order->size());
      for (int64_t place : *order) {
        if (place < 0 || place >= int64_t(order->size()) || seen[size_t(place)])
          return "'" + dim.order + "' is no order of " + std::to_string(order->size()) +
                 " dimensions: each number from 0 to " + std::to_string(int64_t(order->size()) - 1) +
                 " stands in it once";
        seen[size_t(place)] = true;
      }
      std::string wrong = set(dim.name, int64_t(order->size()), dim.order);
      if (!wrong.empty())
        return wrong;
    }
  return {};
}

/// The dimension of a shape that is a symbol or contains it.
static Dims::const_iterator placeOf(const Dims &shape, const std::string &symbol) {
  return std::find_if(shape.begin(), shape.end(), [&](const ContractDim &dim) {
    const Dims leaves = leavesOf(dim);
    return std::any_of(leaves.begin(), leaves.end(), [&](const ContractDim &leaf) {
      return leaf.kind == ContractDim::Symbol && leaf.name == symbol;
    });
  });
}

static bool hasPack(const ContractTensor &tensor) {
  return std::any_of(tensor.shape.begin(), tensor.shape.end(),
                     [](const ContractDim &dim) { return dim.kind == ContractDim::Pack; });
}

/// The ranks of the packs around a symbol that follow from its position in a tensor.
std::string Ranks::ofAxis(const ContractDimension &dimension, int64_t axis, const ContractTensor &tensor,
                          bool &isUsed) {
  auto at = placeOf(tensor.shape, dimension.name);
  if (at == tensor.shape.end())
    return {};
  // The side from which the number counts.
  auto begin = axis < 0 ? at + 1 : tensor.shape.begin(), end = axis < 0 ? tensor.shape.end() : at;
  int64_t rank = axis < 0 ? -1 - axis : axis;
  const ContractDim *pack = nullptr;
  for (auto dim = begin; dim != end; ++dim) {
    if (dim->kind != ContractDim::Pack) {
      --rank;
      continue;
    }
    if (pack)
      return "'" + dimension.name + "' has two packs on one side in " + printShape(tensor.shape) + " of '" +
             tensor.name + "'";
    pack = &*dim;
  }
  isUsed = true;
  if (pack)
    return set(pack->name, rank, dimension.axis);
  return rank == 0 ? std::string()
                   : "'" + dimension.axis + "' is " + std::to_string(axis) + ", and '" + dimension.name +
                         "' is another dimension in " + printShape(tensor.shape) + " of '" + tensor.name + "'";
}

std::string Ranks::ofAxis(const ContractDimension &dimension) {
  if (dimension.axis.empty())
    return {};
  const ContractAttribute *attribute = values.findAttribute(dimension.axis);
  const auto *axis = attribute ? std::get_if<int64_t>(&attribute->defaultValue) : nullptr;
  if (!axis || !isAttributeOfSizes(values, dimension.axis))
    return "'" + dimension.axis + "', the axis of '" + dimension.name +
           "', is no int that binds when compiling and has a default";
  if (*axis < -int64_t(kMaxRank) || *axis >= int64_t(kMaxRank))
    return "'" + dimension.axis + "' is " + std::to_string(*axis) + ", beyond the 8 dimensions of a tensor";
  bool isUsed = false;
  // If other tensors have dimensions around the axis, a tensor without packs is a parameter of any rank.
  const bool hasParameters =
      std::any_of(written.inputs.begin(), written.inputs.end(), [&](const ContractTensor &input) {
        return hasPack(input) && placeOf(input.shape, dimension.name) != input.shape.end();
      });
  for (const ContractTensor &input : written.inputs) {
    if (hasParameters && !hasPack(input))
      continue;
    std::string wrong = ofAxis(dimension, *axis, input, isUsed);
    if (!wrong.empty())
      return wrong;
  }
  return isUsed ? std::string() : "no input has '" + dimension.name + "', whose axis '" + dimension.axis + "' is";
}

std::string Ranks::find() {
  std::string wrong = ofOrders();
  for (const ContractDimension &dimension : written.dimensions)
    if (wrong.empty())
      wrong = ofAxis(dimension);
  return wrong;
}

/// The dimensions of a pack of known rank.
static Dims dimsOf(const ContractDim &pack, int64_t rank, const Contract &values) {
  Dims dims;
  const std::vector<int64_t> *order = pack.order.empty() ? nullptr : orderOf(values, pack.order);
  for (int64_t i = 0; i < rank; ++i) {
    ContractDim dim;
    dim.name = numberedName(pack.name, size_t(order ? (*order)[size_t(i)] : i));
    dim.location = pack.location;
    dims.push_back(std::move(dim));
  }
  return dims;
}

/// The shape with symbols for packs of known ranks. Returns the reason if there is none.
static std::string expand(ContractTensor &tensor, bool isInput, const Ranks &ranks, const Contract &values) {
  Dims shape;
  size_t packs = 0, dims = 0;
  for (const ContractDim &dim : tensor.shape) {
    auto rank = dim.kind == ContractDim::Pack ? ranks.of.find(dim.name) : ranks.of.end();
    if (rank != ranks.of.end()) {
      for (ContractDim &own : dimsOf(dim, rank->second, values))
        shape.push_back(std::move(own));
      continue;
    }
    packs += dim.kind == ContractDim::Pack;
    shape.push_back(dim);
  }
  for (const ContractDim &dim : shape) {
    size_t own = std::max<size_t>(dim.factors.size(), 1);
    for (const ContractDim &term : dim.terms)
      own = std::max(own, term.factors.size());
    dims += own;
  }
  if (packs > 1 && isInput)
    return "the shape " + printShape(tensor.shape) + " of input '" + tensor.name +
           "' has more than one pack of which no attribute gives the number of dimensions";
  if (dims - packs > kMaxRank)
    return "'" + tensor.name + "' would have " + std::to_string(dims - packs) + " dimensions, at most 8 are admitted";
  tensor.shape = std::move(shape);
  return {};
}

/// An indexed dimension has a minimum of 1: no index is valid in an empty range.
static void needPlace(Contract &contract, const std::string &along, const Location &location) {
  auto known =
      std::find_if(contract.dimensions.begin(), contract.dimensions.end(),
                   [&](const ContractDimension &dimension) { return !dimension.isPack && dimension.name == along; });
  if (known == contract.dimensions.end()) {
    known = contract.dimensions.insert(known, ContractDimension());
    known->name = along;
    known->location = location;
  }
  known->minimum = std::max<int64_t>(known->minimum, 1);
}

void needPlaces(Contract &contract) {
  for (const ContractTensor &input : contract.inputs)
    if (input.values)
      needPlace(contract, input.values->along, input.values->location);
  // A part of a dimension may be gathered; its sizes are those of the whole.
  auto isSymbol = [&](const std::string &name) {
    return std::any_of(contract.inputs.begin(), contract.inputs.end(), [&](const ContractTensor &input) {
      return std::any_of(input.shape.begin(), input.shape.end(), [&](const ContractDim &dim) {
        return dim.kind == ContractDim::Symbol && dim.factors.empty() && dim.terms.empty() && dim.name == name;
      });
    });
  };
  for (const ContractBody &body : contract.bodies)
    for (const std::string &along : body.gathers)
      if (isSymbol(along))
        needPlace(contract, along, body.location);
}

//===----------------------------------------------------------------------===//
// Inputs with a count
//===----------------------------------------------------------------------===//

/// The sum of the separate dimensions of the tensors of an input; for one tensor its dimension.
static ContractDim sumOfEach(const ContractDim &each, size_t count) {
  ContractDim sum;
  sum.location = each.location;
  for (size_t i = 0; i < count; ++i) {
    ContractDim own = each;
    own.each.clear();
    own.name = numberedName(each.name, i);
    sum.name += (i == 0 ? "" : "+") + own.name;
    sum.terms.push_back(std::move(own));
  }
  return count == 1 ? sum.terms.front() : sum;
}

/// A dimension of an output for a number of tensors.
static ContractDim bindEach(const ContractDim &dim, size_t count) {
  if (!dim.each.empty())
    return sumOfEach(dim, count);
  if (dim.terms.empty())
    return dim;
  ContractDim bound = dim;
  bound.terms.clear();
  bound.name.clear();
  for (const ContractDim &term : dim.terms) {
    const ContractDim own = bindEach(term, count);
    const Dims terms = own.terms.empty() ? Dims{own} : own.terms;
    bound.terms.insert(bound.terms.end(), terms.begin(), terms.end());
    bound.name += (bound.name.empty() ? "" : "+") + printDim(own);
  }
  return bound;
}

/// Replaces the input that has a count by its tensors, and computes the shapes of outputs that follow from it.
static std::string bindCount(const Contract &values, std::vector<ContractTensor> &inputs,
                             std::vector<ContractTensor> &outputs, size_t &count) {
  if (inputs.empty() || inputs.back().count.empty())
    return {};
  const ContractTensor each = std::move(inputs.back());
  const ContractAttribute *attribute = values.findAttribute(each.count);
  const auto *number = attribute ? std::get_if<int64_t>(&attribute->defaultValue) : nullptr;
  if (!number || *number < 1 || *number > int64_t(kMaxCount))
    return "'" + each.count + "', the count of '" + each.name + "', is no number from 1 to " +
           std::to_string(kMaxCount);
  count = size_t(*number);
  inputs.pop_back();
  for (size_t i = 0; i < count; ++i) {
    inputs.push_back(each);
    inputs.back().name = numberedName(each.name, i);
    for (ContractDim &dim : inputs.back().shape)
      if (!dim.each.empty()) {
        dim.name = numberedName(dim.name, i);
        dim.each.clear();
      }
  }
  for (ContractTensor &output : outputs)
    for (ContractDim &dim : output.shape)
      dim = bindEach(dim, count);
  return {};
}

/// Test shapes are written for the default count; further tensors repeat the shapes from the first one on.
static void resizeShapes(ContractTestShape &shape, size_t inputs, size_t count) {
  if (count == 0 || shape.inputs.size() < inputs)
    return;
  const size_t before = shape.inputs.size() - (inputs - 1);
  for (size_t i = before; i < count; ++i)
    shape.inputs.push_back(shape.inputs[inputs - 1 + i % before]);
  shape.inputs.resize(inputs - 1 + count);
}

void bindParts(Contract &contract) {
  const ContractTensor *counted = countedInput(contract);
  const ContractAttribute *attribute = counted ? contract.findAttribute(counted->count) : nullptr;
  const auto *count = attribute ? std::get_if<int64_t>(&attribute->defaultValue) : nullptr;
  if (!count)
    return;
  for (ContractBody &body : contract.bodies) {
    body.parts.clear();
    for (const std::string &part : body.writtenParts) {
      std::string bound = boundParts(part, counted->count, size_t(*count));
      // The dimension of a single tensor is not a range of a sum.
      if (bound == part || bound.find('+') != std::string::npos)
        body.parts.push_back(std::move(bound));
    }
  }
}

std::string boundParts(const std::string &written, const std::string &attribute, size_t count) {
  std::string text;
  for (size_t begin = 0; begin <= written.size();) {
    const size_t end = std::min(written.find('+', begin), written.size());
    const std::string term = written.substr(begin, end - begin);
    const size_t bracket = term.find('[');
    if (bracket == std::string::npos || term.substr(bracket) != "[" + attribute + "]")
      text += (text.empty() ? "" : "+") + term;
    else
      for (size_t i = 0; i < count; ++i)
        text += (text.empty() ? "" : "+") + numberedName(term.substr(0, bracket), i);
    begin = end + 1;
  }
  return text;
}

std::string bindPlaces(Contract &contract) {
  if (!hasPlaces(contract))
    return {};
  const auto written = contract.written ? contract.written : std::make_shared<const Contract>(contract);
  Ranks ranks(*written, contract);
  std::string wrong = ranks.find();
  if (!wrong.empty())
    return wrong;
  std::vector<ContractTensor> inputs = written->inputs, outputs = written->outputs;
  size_t count = 0;
  wrong = bindCount(contract, inputs, outputs, count);
  if (!wrong.empty())
    return wrong;
  for (bool isInput : {true, false})
    for (size_t i = 0; i < (isInput ? inputs : outputs).size(); ++i) {
      ContractTensor &tensor = (isInput ? inputs : outputs)[i];
      wrong = expand(tensor, isInput, ranks, contract);
      if (!wrong.empty())
        return wrong;
    }
  // Bounds of a pack hold for each of its dimensions.
  std::vector<ContractDimension> dimensions;
  for (const ContractDimension &dimension : written->dimensions) {
    if (!dimension.each.empty())
      for (size_t i = 0; i < count; ++i) {
        dimensions.push_back(dimension);
        dimensions.back().each.clear();
        dimensions.back().name = numberedName(dimension.name, i);
      }
    auto rank = dimension.isPack ? ranks.of.find(dimension.name) : ranks.of.end();
    if (rank == ranks.of.end()) {
      if (dimension.each.empty())
        dimensions.push_back(dimension);
      continue;
    }
    if (rank->second < dimension.minimumRank || rank->second > dimension.maximumRank)
      return "'..." + dimension.name + "' has to have " + std::to_string(dimension.minimumRank) + " to " +
             std::to_string(dimension.maximumRank) + " dimensions, it has " + std::to_string(rank->second);
    for (int64_t i = 0; i < rank->second; ++i) {
      dimensions.push_back(dimension);
      dimensions.back().isPack = false;
      dimensions.back().name = numberedName(dimension.name, size_t(i));
    }
  }
  contract.testShapes = written->testShapes;
  for (ContractTestShape &shape : contract.testShapes)
    resizeShapes(shape, written->inputs.size(), count);
  for (size_t i = inputs.size(); i-- > 0;) {
    if (!isAbsent(contract, inputs[i]))
      continue;
    inputs.erase(inputs.begin() + ptrdiff_t(i));
    for (ContractTestShape &shape : contract.testShapes)
      shape.inputs.erase(shape.inputs.begin() + ptrdiff_t(i));
  }
  contract.inputs = std::move(inputs);
  contract.outputs = std::move(outputs);
  contract.dimensions = std::move(dimensions);
  contract.written = written;
  bindParts(contract);
  needPlaces(contract);
  return {};
}

} // namespace opc
