#include "lowering/import/te/ShapeFixes.h"

#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/Ranges.h"
#include "ops/contract/domain/Reductions.h"
#include "ops/contract/domain/ShapeKeys.h"

#include "llvm/ADT/STLExtras.h"

namespace opc {

/// Whether results combine dimensions of two inputs, each of which lacks one of the other's: an outer product.
static bool combinesAll(const Contract &contract) {
  auto has = [](const ContractTensor &tensor, const ContractDim &dim) {
    return llvm::any_of(tensor.shape, [&](const ContractDim &own) { return own.name == dim.name; });
  };
  auto lacks = [&](const ContractTensor &input, const ContractTensor &other) {
    return llvm::any_of(other.shape, [&](const ContractDim &dim) {
      return dim.kind == ContractDim::Symbol && !has(input, dim) &&
             llvm::any_of(contract.outputs, [&](const ContractTensor &output) { return has(output, dim); });
    });
  };
  return llvm::any_of(contract.inputs, [&](const ContractTensor &input) {
    return llvm::any_of(contract.inputs,
                        [&](const ContractTensor &other) { return lacks(input, other) && lacks(other, input); });
  });
}

/// The last dimension of a tensor along which a body takes parts; empty if there is none.
static std::string lastOfParts(const Contract &contract, const ContractBody &body) {
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      if (std::vector<ContractDim> dims = flatDims(tensor.shape);
          !dims.empty() && dims.back().kind == ContractDim::Symbol && llvm::is_contained(body.parts, dims.back().name))
        return dims.back().name;
  return {};
}

/// A number of a list attribute that an equation needs, and that the list lacks.
static std::string fixOfLists(const Contract &contract) {
  for (const ContractDimension &dimension : contract.dimensions)
    if (const std::string missing = missingElementOf(contract, dimension); !missing.empty()) {
      const auto [list, place] = llvm::StringRef(missing).split('[');
      size_t number = 0;
      (void)place.drop_back().getAsInteger(10, number);
      return "at least " + std::to_string(number + 1) + " numbers in '" + list.str() + "'";
    }
  return {};
}

/// An input of whole numbers may hold indices. Then `along` names a dimension of another input that no result has.
static std::string fixOfIndices(const Contract &contract) {
  for (const ContractBody &body : contract.bodies)
    for (const ContractTensor &input : contract.inputs)
      if (!input.values && (input.types.front() == ElementType::Int32 || input.types.front() == ElementType::Int64))
        for (const ContractTensor &other : contract.inputs)
          for (const ContractDim &dim : other.shape)
            if (&other != &input && dim.kind == ContractDim::Symbol && llvm::is_contained(body.gathers, dim.name))
              return "if '" + input.name + "' has indices for te.gather, 'values: {along: " + dim.name +
                     "}' below it says so";
  return {};
}

/// An input that no result is computed from, where results reduce different dimensions.
static std::string fixOfUnused(const Contract &contract) {
  if (reducesApart(contract))
    for (auto [number, input] : llvm::enumerate(contract.inputs))
      if (llvm::none_of(contract.bodies, [argument = unsigned(number)](const ContractBody &body) {
            return llvm::any_of(body.results, [&](const ContractBodyResult &result) {
              return llvm::is_contained(result.arguments, argument);
            });
          }))
        return "compute a result from '" + input.name + "', or leave it out";
  return {};
}

/// Bodies that sort, scatter, gather, count or scan beside what no kernel has with it.
static std::string fixOfPlaces(const Contract &contract) {
  if (llvm::any_of(contract.bodies, [](const ContractBody &body) {
        return llvm::any_of(body.scans, [](auto &scan) { return bool(sortOf(scan)); });
      }))
    return "an operator that sorts, and another one for products, scatters and ranges; sorts are along one "
           "of the two innermost loops: docs/reference/scope.md, under 'Sorts and scatters', lists the nearest forms";
  for (const ContractTensor &output : contract.outputs)
    for (const ContractDim &dim : output.shape)
      if (dim.kind == ContractDim::Symbol && placesAlong(contract, dim.name))
        return "an operator that scatters into one result, and another one for the rest; docs/reference/scope.md, "
               "under 'Sorts and scatters', lists the nearest forms";
  if (llvm::any_of(contract.inputs, [](const ContractTensor &input) { return bool(input.values); }) ||
      llvm::any_of(contract.bodies, [](const ContractBody &body) { return !body.gathers.empty(); }))
    return "an operator for each gather, and another one for products and ranges; "
           "docs/reference/scope.md, under 'Gathers', lists the nearest forms";
  if (llvm::any_of(contract.bodies, [](const ContractBody &body) { return !body.counts.empty(); }))
    return "an operator that counts, and another one for products, windows and ranges; positions are along "
           "the two innermost loops: docs/reference/scope.md, under 'Shapes', lists the nearest forms";
  if (llvm::any_of(contract.bodies, [](const ContractBody &body) { return !body.scans.empty(); }))
    return "an operator that scans, and another one for products and ranges; scans are along one "
           "of the two innermost loops: docs/reference/scope.md, under 'Scans', lists the nearest forms";
  return {};
}

/// Windows, products, and reductions over axes of a launch.
static std::string fixOfReductions(const Contract &contract) {
  for (const ContractTensor &input : contract.inputs)
    if (!input.required)
      return "'present' and 'absent' of '" + input.name + "' in the place of 'required: false'";
  if (llvm::any_of(contract.dimensions, [](const ContractDimension &dimension) { return bool(dimension.window); }))
    return "windows are over the last dimensions of one input, [N, C, H, W], a body reduces all their positions, "
           "[KH, KW], or sums over them in a product, [C, KH, KW], and their places end the results: "
           "docs/reference/scope.md, under 'Windows', lists the nearest forms";
  if (multiplies(contract))
    return "one product, of shapes such as [...S, M, K] times [K, N] or [N, K] to [...S, M, N], and 'axes [K]': "
           "docs/reference/te.md, under 'te.matmul', has them; an operator of its own for each other one";
  if (llvm::any_of(contract.outputs, [](const ContractTensor &output) { return bool(output.reduces); }))
    return "with 'reduces' every input has one shape, and every output reduces the same axes: "
           "another "
           "operator for what differs";
  for (const ContractBody &body : contract.bodies)
    if (!body.parts.empty() && !body.axes.empty())
      return "each result reduces one set of dimensions, and a range of it its own term; inputs end with the last "
             "dimension of the results; an operator for each other reduction";
  return {};
}

static std::string fixOfBroadcasts(const Contract &contract) {
  auto stretches = [](const ContractTensor &input) { return input.broadcast != Broadcast::None; };
  if (llvm::all_of(contract.inputs, [](const ContractTensor &input) {
        return input.shape.size() == 1 && input.shape.front().kind == ContractDim::Pack;
      }))
    return "fewer inputs with 'broadcast: numpy': two operators, or inputs that are written out";
  if (llvm::any_of(contract.inputs, stretches))
    return "'broadcast' is for shapes [...S] alone: leave it out, since dimensions with names meet by name, and a "
           "number is "
           "an attribute";
  return {};
}

static std::string fixOfParts(const Contract &contract) {
  for (const ContractBody &body : contract.bodies)
    if (splitsSums(contract))
      return "each input, or a range of it, has dimensions of one range of a result: two operators, or fewer terms; "
             "docs/reference/scope.md, under 'Shapes', lists the nearest forms";
    else if (!body.parts.empty() && combinesAll(contract))
      return "parts are of inputs that stand beside a whole one: here an input for each part, a0 [N] and b0 [M] in the "
             "place of a [N, P] and b [M, P]; docs/reference/scope.md, under 'Shapes', lists the nearest forms";
    else if (std::string last = lastOfParts(contract, body); !last.empty())
      return "'te.gather' along '" + last +
             "', with 'te.constant 0 : i32' as the place, reads elements of a part one by one; a result of parts is "
             "several results, or has '" +
             last + "' before another dimension; docs/reference/scope.md, under 'Shapes', lists the nearest forms";
    else if (!body.parts.empty())
      return "parts are equal and each lies in one piece: x [N, P*D], an equation for P, and 'te.slice %x along P at "
             "0'; docs/reference/scope.md, under 'Shapes', lists the nearest forms";
  return {};
}

std::string fixOfShapes(const Contract &contract) {
  for (auto fixOf : {fixOfLists, fixOfIndices, fixOfUnused, fixOfPlaces, fixOfReductions, fixOfBroadcasts, fixOfParts})
    if (std::string fix = fixOf(contract); !fix.empty())
      return fix;
  std::string reason;
  if (reducesApart(contract))
    return "results that reduce different dimensions are a kernel each, and a result may be computed from others: "
           "return the reduction that it depends on as a result too, or write an operator of its own for it";
  if (domainOf(contract, reason))
    return "an operator for each group of dimensions, or other shapes: inputs end with the last dimension of the "
           "results or with one other, beside a reduction with the last one; a result that lacks what is reduced keeps "
           "the order of the inputs; results have all reduced dimensions or none";
  return "shapes are parts of one list of dimensions: x [N, C, ...S] and gamma [C]; "
         "docs/reference/scope.md, under 'Shapes', lists the nearest forms";
}

} // namespace opc
