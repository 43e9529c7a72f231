#include "ops/contract/check/Devices.h"

#include "ops/contract/domain/Contraction.h"
#include "runtime/target/ElementKind.h"
#include "runtime/target/toolkit/KernelCalls.h"

#include <algorithm>

namespace opc {

bool gathersRows(const Contract &contract, const Domain &domain, const DomainNest &nest) {
  if (!domain.gathers())
    return false;
  const DomainLoop &inner = nest.loops.back();
  const DomainLoop *rows = nest.loops.size() > 1 ? &nest.loops[nest.loops.size() - 2] : nullptr;
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    // A loop without dimensions has one iteration, and every tensor has it.
    auto has = [&](const DomainLoop *loop) { return loop && !loop->dims.empty() && hasLoop(domain, i, *loop); };
    const bool hasInner = hasLoop(domain, i, inner), hasRows = has(rows);
    if (domain.gatheredOf(i) && isAcross(domain, nest, i))
      return false;
    if (contract.inputs[i].values) {
      const bool followEachOther = !hasRows || domain.dimsOf(i).back() == rows->dims.back();
      if (hasInner || !followEachOther || contract.inputs[i].broadcast != Broadcast::None)
        return false;
      continue;
    }
    // One element in the inner two loops that differs between batches would be loaded again each time.
    const bool movesOutside = std::any_of(nest.loops.begin(), nest.loops.end(), [&](const DomainLoop &loop) {
      return &loop != &inner && &loop != rows && has(&loop);
    });
    if (!domain.gatheredOf(i) && !hasInner && !hasRows && movesOutside)
      return false;
  }
  return true;
}

bool gathersElements(const Contract &contract, const Domain &domain, const DomainNest &nest) {
  if (!domain.gathers() || domain.computesPlaces || domain.sorts || domain.scatters)
    return false;
  const bool areWhole = std::all_of(contract.inputs.begin(), contract.inputs.end(), [](const ContractTensor &input) {
    return !input.values || input.broadcast == Broadcast::None;
  });
  return areWhole && !gathersRows(contract, domain, nest);
}

bool scattersElements(const Contract &contract, const Domain &domain, const DomainNest &nest) {
  const DomainLoop &inner = nest.loops.back();
  const DomainLoop *rows = nest.loops.size() > 1 ? &nest.loops[nest.loops.size() - 2] : nullptr;
  auto has = [&](size_t input, const DomainLoop &loop) { return !loop.dims.empty() && hasLoop(domain, input, loop); };
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    if (contract.inputs[i].values && (contract.inputs[i].broadcast != Broadcast::None || !has(i, inner)))
      return false;
    if (domain.gatheredOf(i))
      continue;
    // Rows of one element are adjacent, and one element in the inner two loops is the same in all batches.
    const bool movesOutside = std::any_of(nest.loops.begin(), nest.loops.end(), [&](const DomainLoop &loop) {
      return &loop != &inner && &loop != rows && has(i, loop);
    });
    if (isAcross(domain, nest, i) || (!has(i, inner) && !(rows && has(i, *rows)) && movesOutside))
      return false;
  }
  return true;
}

/// Whether an input that is not sorted has one element in the inner two loops, which differs between batches.
static bool movesAroundAlone(const Contract &contract, const Domain &domain, const DomainNest &nest) {
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    bool isInside = false, isAround = false;
    for (size_t loop = 0; loop < nest.loops.size(); ++loop)
      if (!nest.loops[loop].dims.empty() && hasLoop(domain, i, nest.loops[loop]))
        (loop + 2 >= nest.loops.size() ? isInside : isAround) = true;
    if (!domain.gatheredOf(i) && isAround && !isInside)
      return true;
  }
  return false;
}

/// A type of a row that the vector unit does not support; nullopt if there is none. Indices of 64 bits are read as
/// words, those too from which a body gathers places.
static std::optional<ElementType> wideTypeOf(const Contract &contract, const ContractBody &body, unsigned typeRow) {
  std::string reason;
  const std::optional<Domain> domain = body.gathers.empty() ? std::nullopt : domainOf(contract, reason);
  auto isGathered = [&](size_t i) {
    return i < contract.inputs.size() && domain && domain->computesPlaces && domain->gatheredOf(i) &&
           contract.inputs[i].types[typeRow] == ElementType::Int64;
  };
  for (size_t i = 0; i < contract.inputs.size() + contract.outputs.size(); ++i) {
    const ContractTensor &tensor = contract.tensorAt(i);
    if (!tensor.values && !vectorUnitTakes(tensor.types[typeRow]) && !isGathered(i))
      return tensor.types[typeRow];
  }
  return std::nullopt;
}

/// The type of the matrices that a product multiplies. A body computes one of integers from an input beside one of
/// floats, and it then has the type of the floats.
static ElementType typeOfProduct(const Contract &contract, const Contraction &product, unsigned typeRow) {
  const ElementType left = contract.inputs[product.left].types[typeRow];
  const ElementType right = contract.inputs[product.right].types[typeRow];
  return !isFloat(left) && isFloat(right) ? right : left;
}

/// Whether both matrices of a product have one type, or the body makes one of integers into floats.
static bool hasOneType(const Contract &contract, const Contraction &product, unsigned typeRow) {
  const ElementType left = contract.inputs[product.left].types[typeRow];
  const ElementType right = contract.inputs[product.right].types[typeRow];
  return left == right || isFloat(left) != isFloat(right);
}

std::string whyCpuAlone(const Contract &contract, const ContractBody &body, unsigned typeRow) {
  if (body.devicesOf(typeRow) == BodyDevices::Cpu)
    return "'devices: cpu'";
  // A contract without other rows must say `devices: cpu`.
  if (std::optional<ElementType> wide = wideTypeOf(contract, body, typeRow); wide && body.level == BodyLevel::Te)
    for (unsigned other : contract.rowsOf(body))
      if (!wideTypeOf(contract, body, other))
        return "elements of " + std::string(elementTypeName(*wide)) + ", on which the AI Core does not work";
  const bool gathers = body.level == BodyLevel::Te && std::any_of(contract.inputs.begin(), contract.inputs.end(),
                                                                  [](auto &input) { return bool(input.values); });
  const bool scans = body.level == BodyLevel::Te && !body.scans.empty();
  if (!gathers && !scans && !body.multiplies && body.gathers.empty())
    return {};
  std::string reason;
  std::optional<Domain> domain = domainOf(contract, reason);
  if (domain && domain->computesPlaces)
    return wideTypeOf(contract, body, typeRow) ? "places that are computed beside elements of 64 bits" : "";
  if (domain && domain->sorts) {
    std::optional<DomainNest> nest = nestOf(contract, *domain, reason);
    return nest && movesAroundAlone(contract, *domain, *nest)
               ? "a sort beside an input with one element for each of the lines around the two innermost loops"
               : "";
  }
  if (domain && domain->scatters) {
    std::optional<DomainNest> nest = nestOf(contract, *domain, reason);
    return nest && !gathersRows(contract, *domain, *nest) && !scattersElements(contract, *domain, *nest)
               ? "a scatter at indices that broadcast"
               : "";
  }
  if (domain && scans)
    return {};
  if (domain && gathers) {
    std::optional<DomainNest> nest = nestOf(contract, *domain, reason);
    return nest && domain->gathers() && !gathersRows(contract, *domain, *nest) &&
                   !gathersElements(contract, *domain, *nest)
               ? "a gather at indices that broadcast"
               : "";
  }
  std::optional<Contraction> product = domain ? contractionOf(contract, *domain, reason) : std::nullopt;
  if (!product)
    return {};
  // The vector unit multiplies windows by contiguous filters.
  if (domain->windows)
    return product->isLeftAlongK ? "" : "filters whose elements do not follow each other";
  const ElementType left = typeOfProduct(contract, *product, typeRow);
  if (!cubeMultiplies(left))
    return "matrices of a type that the cube does not multiply";
  if (!hasOneType(contract, *product, typeRow))
    return "matrices of two types, which the cube does not multiply";
  if (!product->isLeftAlongK && !cubeTransposesLeft(left))
    return "a left matrix of int8 that does not lie along k, as [M, K] does: its fractals of bytes are not transposed";
  return product->isRightAlongK || cubeTransposesRight(left) ? "" : "a right matrix of int8 that does not lie along k";
}

/// The type of both matrices of a product; nullopt if they differ, or if each filter has its own windows.
static std::optional<ElementType> typeOfMatrices(const Contract &contract, unsigned typeRow) {
  std::string reason;
  std::optional<Domain> domain = domainOf(contract, reason);
  std::optional<Contraction> product = domain ? contractionOf(contract, *domain, reason) : std::nullopt;
  if (!product || (domain->windows && product->m.dims.empty()))
    return std::nullopt;
  return hasOneType(contract, *product, typeRow) ? std::optional(typeOfProduct(contract, *product, typeRow))
                                                 : std::nullopt;
}

bool convolvesOnCube(const Contract &contract, unsigned typeRow) {
  std::optional<ElementType> type = typeOfMatrices(contract, typeRow);
  return type && cubeConvolves(*type);
}

bool hasKeyOnAicore(const Contract &contract, const ShapeKey &key, unsigned typeRow) {
  if (key.isWide)
    return convolvesOnCube(contract, typeRow) && !contract.packedInput(typeRow);
  if (!key.isResident)
    return true;
  std::optional<ElementType> type = typeOfMatrices(contract, typeRow);
  return type && cubeMultiplies(*type);
}

/// Whether the last two dimensions of the right operand are k and n in some order, and all before them are batches.
static bool hasMatricesLast(const Domain &domain, const Contraction &product, const ContractTensor &input) {
  const std::vector<unsigned> dims = domain.dimsOf(product.right);
  const size_t rank = dims.size();
  if (rank < 2 || rank != input.shape.size() || product.k.dims.size() != 1 || product.n.dims.size() != 1)
    return false;
  for (size_t i = 0; i < rank; ++i) {
    const ContractDim::Kind kind = input.shape[i].kind;
    const auto isOf = [&](const DomainLoop &loop) {
      return std::find(loop.dims.begin(), loop.dims.end(), dims[i]) != loop.dims.end();
    };
    const bool isInMatrix = (isOf(product.k) || isOf(product.n)) && kind != ContractDim::Pack;
    if (i + 2 < rank ? !isOf(product.batches[0]) && !isOf(product.batches[1]) : !isInMatrix)
      return false;
  }
  return true;
}

/// Whether the left operand has a row for each filter in its first size, those of a group one after another, with all
/// dimensions of k behind it in order.
static bool hasFilterRows(const Domain &domain, const Contraction &product, const ContractTensor &input) {
  const std::vector<unsigned> dims = domain.dimsOf(product.left);
  std::vector<unsigned> last = product.m.dims;
  last.insert(last.end(), product.k.dims.begin(), product.k.dims.end());
  return product.isLeftAlongK && input.shape.size() == product.k.dims.size() + 1 &&
         input.shape.front().kind != ContractDim::Pack && dims.size() >= last.size() &&
         std::equal(last.begin(), last.end(), dims.end() - ptrdiff_t(last.size()));
}

/// The same for filters of windows.
static std::string whyNotFilters(const Contract &contract, const Domain &domain, const Contraction &product,
                                 unsigned typeRow) {
  const size_t packed = *contract.packedInput(typeRow);
  const std::string name = "'" + contract.inputs[packed].name + "'";
  if (!domain.windows)
    return "a product without windows, whose packed format is FRACTAL_NZ";
  if (product.left != packed)
    return name + ", which is not the filters";
  if (!convolvesOnCube(contract, typeRow))
    return "a convolution that the vector unit makes, which reads filters row by row";
  return hasFilterRows(domain, product, contract.inputs[packed])
             ? ""
             : name +
                   " with other than filters first, those of a group one after another, and the dimensions of k behind "
                   "them";
}

std::string whyNotPacked(const Contract &contract, const ContractBody &body, unsigned typeRow) {
  const size_t packed = *contract.packedInput(typeRow);
  const ContractTensor &input = contract.inputs[packed];
  if (std::string why = whyCpuAlone(contract, body, typeRow); !why.empty())
    return "a row for the CPU alone: " + why;
  std::string reason;
  std::optional<Domain> domain = domainOf(contract, reason);
  std::optional<Contraction> product =
      domain && body.multiplies ? contractionOf(contract, *domain, reason) : std::nullopt;
  if (!product)
    return "a body without a product";
  if (input.packedForm(typeRow) == PackedForm::Filters)
    return whyNotFilters(contract, *domain, *product, typeRow);
  if (domain->windows)
    return "a product with windows, whose packed format is FILTERS_NZ";
  if (product->right != packed)
    return "'" + input.name + "', which is not on the right";
  return hasMatricesLast(*domain, *product, input) ? ""
                                                   : "'" + input.name + "' with other than k and n as last dimensions";
}

bool isForCpuAlone(const Contract &contract, const ContractBody &body, unsigned typeRow) {
  return !whyCpuAlone(contract, body, typeRow).empty();
}

std::vector<unsigned> aicoreRowsOf(const Contract &contract, const ContractBody &body) {
  std::vector<unsigned> rows = contract.rowsOf(body);
  rows.erase(std::remove_if(rows.begin(), rows.end(), [&](unsigned row) { return isForCpuAlone(contract, body, row); }),
             rows.end());
  return rows;
}

} // namespace opc
