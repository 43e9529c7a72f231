#include "ops/contract/domain/Ranges.h"

#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Reductions.h"

#include <algorithm>
#include <set>

namespace opc {

using Dims = std::vector<ContractDim>;

bool isSplit(const Contract &contract, const ContractDim &dim) {
  auto isNamed = [&](const std::string &name) {
    return std::any_of(contract.bodies.begin(), contract.bodies.end(), [&](const ContractBody &body) {
      return std::find(body.parts.begin(), body.parts.end(), name) != body.parts.end();
    });
  };
  if (dim.terms.empty())
    return false;
  return isNamed(dim.name) || std::any_of(dim.terms.begin(), dim.terms.end(),
                                          [&](const ContractDim &term) { return isNamed(printDim(term)); });
}

bool splitsSums(const Contract &contract) {
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      if (std::any_of(tensor.shape.begin(), tensor.shape.end(),
                      [&](const ContractDim &dim) { return isSplit(contract, dim); }))
        return true;
  return false;
}

std::vector<std::string> reducedInRanges(const Contract &contract) {
  std::set<std::string> names;
  auto add = [&](const ContractDim &dim) {
    for (const ContractBody &body : contract.bodies)
      if (dim.kind != ContractDim::Fixed && std::find(body.axes.begin(), body.axes.end(), dim.name) != body.axes.end())
        names.insert(printDim(dim));
  };
  for (size_t i = 0; i < contract.inputs.size() + contract.outputs.size(); ++i)
    for (const ContractDim &dim : contract.tensorAt(i).shape)
      for (const ContractDim &leaf : leavesOf(dim))
        add(leaf);
  return {names.begin(), names.end()};
}

bool isOfInputs(const Contract &contract, const ContractDim &term) {
  std::set<std::string> ofInputs;
  for (const ContractTensor &input : contract.inputs)
    for (const ContractDim &dim : input.shape)
      for (const ContractDim &leaf : leavesOf(dim))
        ofInputs.insert(printDim(leaf));
  const Dims leaves = leavesOf(term);
  return std::all_of(leaves.begin(), leaves.end(),
                     [&](const ContractDim &leaf) { return ofInputs.count(printDim(leaf)) > 0; });
}

/// A term that replaces its sum.
static ContractDim rangeOf(const ContractDim &sum, size_t place) {
  ContractDim range = sum.terms[place];
  range.sum = {sum};
  range.place = place;
  return range;
}

/// The names of the parts of a dimension, and the sizes of fixed ones.
static std::set<std::string> namesOf(const Dims &shape) {
  std::set<std::string> names;
  for (const ContractDim &dim : shape)
    for (const ContractDim &leaf : dim.terms.empty() ? leavesOf(dim) : Dims{dim})
      names.insert(printDim(leaf));
  return names;
}

namespace {

/// Finds the nests of a contract.
class NestFinder {
public:
  NestFinder(const Contract &contract) : contract(contract) {
    std::set<std::string> ranges;
    for (const auto *tensors : {&contract.inputs, &contract.outputs})
      for (const ContractTensor &tensor : *tensors)
        for (const ContractDim &dim : tensor.shape) {
          ranges.insert(dim.terms.empty() ? "" : dim.name);
          for (const ContractDim &term : dim.terms)
            ranges.insert(printDim(term));
        }
    // `along` names a term, a sum, or a dimension with parts.
    bodies = contract.bodies;
    for (ContractBody &body : bodies) {
      auto isRange = [&](const std::string &name) { return ranges.count(name) > 0; };
      body.parts.erase(std::remove_if(body.parts.begin(), body.parts.end(), isRange), body.parts.end());
    }
  }

  std::vector<LaunchNest> find(std::string &reason);

private:
  struct Leaf {
    size_t output;
    Dims shape;
  };
  std::set<std::string> dimsOf(const Leaf &leaf) const;
  std::vector<std::string> axesOf(const Leaf &leaf, std::string &reason) const;
  void addLeaves(size_t output, Dims shape, size_t from);
  std::optional<Dims> shapeIn(const std::set<std::string> &names, const ContractTensor &input) const;
  LaunchNest nestOf(size_t first, const std::vector<bool> &taken) const;

  const Contract &contract;
  std::vector<ContractBody> bodies; ///< with the parts that they take, without ranges
  std::vector<Leaf> leaves;
};

} // namespace

// Sums are split from the first dimension on. A term that no input has is filled, so its other sums need no split.
void NestFinder::addLeaves(size_t output, Dims shape, size_t from) {
  while (from < shape.size() && !isSplit(contract, shape[from]))
    ++from;
  if (from == shape.size()) {
    leaves.push_back({output, std::move(shape)});
    return;
  }
  const ContractDim sum = shape[from];
  for (size_t place = 0; place < sum.terms.size() && leaves.size() <= kMostNests; ++place) {
    shape[from] = rangeOf(sum, place);
    addLeaves(output, shape, isOfInputs(contract, sum.terms[place]) ? from + 1 : shape.size());
  }
}

/// Adds the lists of axes of reductions on which a result depends, also through other results.
static void addAxes(const ContractBody &body, size_t output, std::set<size_t> &seen,
                    std::vector<std::vector<std::string>> &lists) {
  if (output >= body.results.size() || !seen.insert(output).second)
    return;
  for (const std::vector<std::string> &axes : body.results[output].axes)
    if (axes != std::vector<std::string>{kTakesParts} && std::find(lists.begin(), lists.end(), axes) == lists.end())
      lists.push_back(axes);
  for (unsigned argument : body.results[output].arguments)
    if (argument >= kFirstReturned && argument < kFirstShaped)
      addAxes(body, argument - kFirstReturned, seen, lists);
}

/// The names in the terms of sums that are split.
static std::set<std::string> namesInTerms(const Contract &contract) {
  std::set<std::string> names;
  for (size_t i = 0; i < contract.inputs.size() + contract.outputs.size(); ++i)
    for (const ContractDim &dim : contract.tensorAt(i).shape)
      for (const ContractDim &term : isSplit(contract, dim) ? dim.terms : Dims())
        for (const ContractDim &leaf : leavesOf(term))
          names.insert(leaf.name);
  return names;
}

/// The same without those of other ranges of the result.
static std::vector<std::vector<std::string>> axesIn(const Contract &contract, size_t output,
                                                    const std::set<std::string> &names, bool isRange) {
  std::vector<std::vector<std::string>> lists;
  for (const ContractBody &body : contract.bodies) {
    std::set<size_t> seen;
    addAxes(body, output, seen, lists);
  }
  const std::set<std::string> ofTerms = namesInTerms(contract);
  auto isOfOther = [&](const std::string &axis) {
    return names.count(axis) == 0 && names.count("..." + axis) == 0 && ofTerms.count(axis) > 0;
  };
  auto isOfOthers = [&](const std::vector<std::string> &axes) {
    return isRange && std::any_of(axes.begin(), axes.end(), isOfOther);
  };
  lists.erase(std::remove_if(lists.begin(), lists.end(), isOfOthers), lists.end());
  return lists;
}

static bool hasRange(const Dims &shape) {
  return std::any_of(shape.begin(), shape.end(), [](const ContractDim &dim) { return !dim.sum.empty(); });
}

/// The axes that a leaf reduces; empty with a reason if they are not the same in all its reductions.
std::vector<std::string> NestFinder::axesOf(const Leaf &leaf, std::string &reason) const {
  const auto lists = axesIn(contract, leaf.output, namesOf(leaf.shape), hasRange(leaf.shape));
  if (lists.size() > 1)
    reason = "output '" + contract.outputs[leaf.output].name +
             "' depends on reductions over different dimensions, and bodies take ranges of dimensions";
  return lists.size() == 1 ? lists.front() : std::vector<std::string>();
}

/// The names of the dimensions of a leaf, and of those that it reduces.
std::set<std::string> NestFinder::dimsOf(const Leaf &leaf) const {
  std::string reason;
  std::set<std::string> names = namesOf(leaf.shape);
  for (const std::string &axis : axesOf(leaf, reason)) {
    names.insert(axis);
    names.insert("..." + axis);
  }
  return names;
}

/// The shape of an input in a nest whose results have these names; nullopt if it has other dimensions.
std::optional<Dims> NestFinder::shapeIn(const std::set<std::string> &names, const ContractTensor &input) const {
  auto isPart = [&](const ContractDim &leaf) {
    return std::any_of(bodies.begin(), bodies.end(), [&](const ContractBody &body) {
      return std::find(body.parts.begin(), body.parts.end(), leaf.name) != body.parts.end();
    });
  };
  // A dimension with parts has no loop.
  auto has = [&](const ContractDim &dim) {
    const Dims own = dim.terms.empty() ? leavesOf(dim) : Dims{dim};
    return std::all_of(own.begin(), own.end(), [&](const ContractDim &leaf) {
      return names.count(printDim(leaf)) || (leaf.kind == ContractDim::Symbol && isPart(leaf)) ||
             (leaf.kind == ContractDim::Fixed && leaf.size == 1);
    });
  };
  Dims shape = input.shape;
  for (ContractDim &dim : shape) {
    if (has(dim))
      continue;
    // A named term takes precedence over one of fixed size, which may be another dimension of the nest.
    std::optional<size_t> place;
    for (size_t i = 0; i < dim.terms.size() && isSplit(contract, dim); ++i) {
      bool isNamed = dim.terms[i].kind == ContractDim::Symbol;
      bool isHere = isNamed ? has(dim.terms[i]) : names.count(printDim(dim.terms[i])) > 0;
      if (isHere && (!place || isNamed))
        place = i;
    }
    if (!place)
      return std::nullopt;
    dim = rangeOf(ContractDim(dim), *place);
  }
  return shape;
}

/// The nest of a leaf and of those after it with equal dimensions.
LaunchNest NestFinder::nestOf(size_t first, const std::vector<bool> &taken) const {
  LaunchNest nest;
  nest.contract = contract;
  nest.contract.bodies = bodies;
  nest.contract.inputs.clear();
  nest.contract.outputs.clear();
  const std::set<std::string> names = dimsOf(leaves[first]);
  std::string reason;
  const std::vector<std::string> axes = axesOf(leaves[first], reason);
  for (ContractBody &body : nest.contract.bodies)
    body.axes = axes;
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    ContractTensor input = contract.inputs[i];
    std::optional<Dims> shape =
        input.broadcast == Broadcast::Scalar ? std::optional(input.shape) : shapeIn(names, input);
    if (!shape)
      continue;
    input.shape = std::move(*shape);
    nest.contract.inputs.push_back(std::move(input));
    nest.tensors.push_back(i);
  }
  for (size_t leaf = first; leaf < leaves.size(); ++leaf) {
    if (taken[leaf])
      continue;
    nest.contract.outputs.push_back(contract.outputs[leaves[leaf].output]);
    nest.contract.outputs.back().shape = leaves[leaf].shape;
    nest.tensors.push_back(contract.inputs.size() + leaves[leaf].output);
  }
  return nest;
}

std::vector<LaunchNest> NestFinder::find(std::string &reason) {
  for (const ContractTensor &input : contract.inputs)
    if (input.broadcast == Broadcast::Numpy)
      return reason = "input '" + input.name + "' broadcasts, and bodies take ranges of dimensions",
             std::vector<LaunchNest>();
  for (size_t i = 0; i < contract.outputs.size(); ++i)
    addLeaves(i, contract.outputs[i].shape, 0);
  std::vector<std::vector<std::string>> axes;
  for (const Leaf &leaf : leaves)
    axes.push_back(axesOf(leaf, reason));
  if (!reason.empty())
    return {};
  std::vector<LaunchNest> nests;
  std::vector<bool> taken(leaves.size());
  std::set<size_t> seen;
  for (size_t first = 0; first < leaves.size(); ++first) {
    if (taken[first])
      continue;
    // Another leaf of the same result is another nest, even with equal dimensions.
    std::vector<bool> others(leaves.size(), true);
    std::set<size_t> outputs;
    const std::string text = printShape(flatDims(leaves[first].shape));
    for (size_t leaf = first; leaf < leaves.size(); ++leaf)
      others[leaf] = taken[leaf] || axes[leaf] != axes[first] || printShape(flatDims(leaves[leaf].shape)) != text ||
                     !outputs.insert(leaves[leaf].output).second;
    nests.push_back(nestOf(first, others));
    nests.back().contract.nest = unsigned(nests.size() - 1);
    seen.insert(nests.back().tensors.begin(), nests.back().tensors.end());
    for (size_t leaf = first; leaf < leaves.size(); ++leaf)
      taken[leaf] = taken[leaf] || !others[leaf];
  }
  if (nests.size() > kMostNests)
    return reason = "results fall into more than the " + std::to_string(kMostNests) + " ranges that a kernel writes",
           std::vector<LaunchNest>();
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    if (!seen.count(i))
      return reason = "input '" + contract.inputs[i].name + "' of " + printShape(contract.inputs[i].shape) +
                      " has no range that consists of dimensions of a result, or of a range of one",
             std::vector<LaunchNest>();
  addSecondForms(nests);
  return nests;
}

std::string nameOfRange(const std::string &sum, size_t place) {
  return "|" + sum + "|" + std::to_string(place);
}

std::vector<LaunchNest> rangeNestsOf(const Contract &contract, std::string &reason) {
  return NestFinder(contract).find(reason);
}

} // namespace opc
