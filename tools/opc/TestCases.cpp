#include "tools/opc/TestCases.h"

#include <algorithm>
#include <map>
#include <optional>

namespace opc::tool {

const std::vector<int64_t> &defaultTestSizes() {
  static const std::vector<int64_t> sizes = {0,   1,   15,  16,   17,   31,    32,     33,
                                             127, 128, 129, 4095, 4096, 65537, 1000003};
  return sizes;
}

/// Shapes of all inputs when packs are `pack` and the first free symbol is `size`; the other free
/// symbols are small.
static std::optional<std::vector<Shape>> instantiateShapes(const Contract &contract,
                                                           const Shape &pack, int64_t size) {
  bool hasPack = false;
  for (const ContractTensor &tensor : contract.inputs)
    for (const ContractDim &dim : tensor.shape)
      hasPack |= dim.kind == ContractDim::Pack;
  std::map<std::string, int64_t> symbols;
  bool sizeTaken = hasPack;
  for (const ContractTensor &tensor : contract.inputs)
    for (const ContractDim &dim : tensor.shape) {
      const ContractDimension *rule = contract.findDimension(dim.name);
      if (dim.kind != ContractDim::Symbol || (rule && rule->equals) || symbols.count(dim.name))
        continue;
      int64_t value = sizeTaken ? std::clamp<int64_t>(3, rule ? rule->minimum : 0,
                                                      rule ? rule->maximum : INT64_MAX)
                                : size;
      symbols[dim.name] = value;
      sizeTaken = true;
    }
  // Symbols with an equation follow, in an order in which each finds what it reads.
  for (size_t round = 0; round < contract.dimensions.size(); ++round)
    for (const ContractDimension &dimension : contract.dimensions) {
      int64_t value = 0;
      if (dimension.equals && !symbols.count(dimension.name) &&
          evaluate(*dimension.equals, symbols, value) == EvalStatus::Ok)
        symbols[dimension.name] = value;
    }
  std::vector<Shape> shapes;
  for (const ContractTensor &tensor : contract.inputs) {
    Shape shape;
    for (const ContractDim &dim : tensor.shape) {
      if (dim.kind == ContractDim::Pack)
        shape.insert(shape.end(), pack.begin(), pack.end());
      else if (dim.kind == ContractDim::Fixed)
        shape.push_back(dim.size);
      else if (auto symbol = symbols.find(dim.name); symbol != symbols.end())
        shape.push_back(symbol->second);
      else
        return std::nullopt;
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

static bool admits(const Contract &contract, const std::vector<Shape> &shapes) {
  std::vector<std::optional<Shape>> inputs(shapes.begin(), shapes.end());
  ShapeBinding binding;
  return bindShapes(contract, inputs, binding).empty();
}

std::vector<TestCase> makeTestCases(const Contract &contract, const TestPlan &plan,
                                    size_t &refused) {
  std::vector<TestCase> cases;
  refused = 0;
  auto add = [&](const std::optional<std::vector<Shape>> &shapes, int64_t size) {
    if (!shapes || !admits(contract, *shapes)) {
      ++refused;
      return;
    }
    unsigned seeds = size <= kManySeeds ? plan.seeds : plan.largeSeeds;
    for (unsigned i = 0; i < seeds; ++i)
      cases.push_back({*shapes, plan.seed + i, false});
    // One tensor of corner cases, two where the attributes differ between even and odd seeds.
    if (size >= 1024 && size <= 100000)
      for (unsigned i = 0; i < (contract.attributes.empty() ? 1u : 2u); ++i)
        cases.push_back({*shapes, plan.seed + i, true});
  };
  for (int64_t size : plan.sizes)
    add(instantiateShapes(contract, {size}, size), size);
  bool hasPack = false;
  for (const ContractTensor &tensor : contract.inputs)
    hasPack |= std::any_of(tensor.shape.begin(), tensor.shape.end(),
                           [](const ContractDim &dim) { return dim.kind == ContractDim::Pack; });
  if (hasPack)
    for (const Shape &pack : {Shape{}, Shape{3, 0, 2}, Shape{5, 33}, Shape{2, 3, 17}})
      add(instantiateShapes(contract, pack, 3), 3);
  for (const ContractTestShape &own : contract.testShapes) {
    std::vector<Shape> shapes;
    for (const std::optional<std::vector<int64_t>> &shape : own.inputs)
      if (shape)
        shapes.push_back(*shape);
    if (shapes.size() == contract.inputs.size())
      add(shapes, 3);
    else
      ++refused;
  }
  return cases;
}

} // namespace opc::tool
