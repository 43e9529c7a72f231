// Computes the shape keys of a contract from its declared shapes.

#include "ops/contract/domain/ShapeKeys.h"

#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/Nests.h"

#include <algorithm>

namespace opc {

/// Up to this number of broadcasting inputs, each set of them that are one element has a key.
static constexpr unsigned kMaxMixedInputs = 3;
/// With that number, these sets of them that are rows have keys: a scale and an offset are rows of an input.
static constexpr unsigned kRowsOfThree[] = {1u << 1, 1u << 2, 1u << 1 | 1u << 2};
/// With more inputs, this many of them have separate keys.
static constexpr unsigned kPureInputs = 4;
/// Maximum number of patterns of a domain with keys; `any` serves the others.
static constexpr size_t kMaxPatterns = 10;

/// Whether a tensor has one of the loops around the inner two.
static bool hasLoopsAround(const Domain &domain, const DomainNest &nest, size_t tensor) {
  auto inner = nest.loops.end() - ptrdiff_t(std::min<size_t>(nest.loops.size(), 2));
  return std::any_of(nest.loops.begin(), inner, [&](const DomainLoop &loop) { return hasLoop(domain, tensor, loop); });
}

/// Whether an input has one element in the inner two loops and several around them.
static bool hasElementsAround(const Contract &contract, const Domain &domain, const DomainNest &nest) {
  auto inner = nest.loops.end() - ptrdiff_t(std::min<size_t>(nest.loops.size(), 2));
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    if (hasLoopsAround(domain, nest, i) &&
        std::none_of(inner, nest.loops.end(), [&](const DomainLoop &loop) { return hasLoop(domain, i, loop); }))
      return true;
  return false;
}

/// Collects the keys of one operator.
class KeyList {
public:
  KeyList(const Contract &contract) : contract(contract) {}

  /// Moves the keys out.
  std::vector<ShapeKey> take() { return std::move(keys); }

  /// Adds a key without operands; the caller fills them in.
  ShapeKey &add(std::string name, ShapeKey::Kind kind, std::vector<bool> reduced) {
    ShapeKey key;
    key.number = static_cast<unsigned>(keys.size());
    key.name = std::move(name);
    key.kind = kind;
    key.loops = static_cast<unsigned>(reduced.size());
    key.reduced = std::move(reduced);
    keys.push_back(std::move(key));
    return keys.back();
  }

  /// Adds an elementwise key: `ways` gives the spread of each input ('f'ull, 's'calar, 'r'ow, 'c'olumn), outputs
  /// are full. The name lists the inputs that are not full.
  void addElementwise(ShapeKey::Kind kind, const std::vector<char> &ways) {
    bool flat = kind == ShapeKey::Flat;
    std::string name = flat ? "flat" : "rows";
    std::vector<ShapeKey::Operand> operands;
    for (size_t i = 0; i < contract.inputs.size() + contract.outputs.size(); ++i) {
      char way = i < ways.size() ? ways[i] : 'f';
      if (way != 'f')
        name += "_" + contract.inputs[i].name + (way == 's' ? "_scalar" : way == 'r' ? "_row" : "_column");
      int outer = way == 'f' || way == 'c' ? 0 : -1;
      int inner = way == 'f' || way == 'r' ? 1 : -1;
      operands.push_back(flat ? ShapeKey::Operand{{outer}} : ShapeKey::Operand{{outer, inner}});
    }
    add(std::move(name), kind, std::vector<bool>(flat ? 1 : 2, false)).operands = std::move(operands);
  }

  /// Adds the key that serves every launch; the launch decides which loops the inputs `moving` have.
  ShapeKey &addAny(const std::vector<size_t> &moving) {
    std::vector<ShapeKey::Operand> operands(contract.inputs.size() + contract.outputs.size(), {{0, 1}});
    for (size_t i = 0; i < contract.inputs.size(); ++i)
      if (contract.inputs[i].broadcast == Broadcast::Scalar)
        operands[i].dims = {-1, -1};
    for (size_t i : moving)
      operands[i].isOfLaunch = true;
    ShapeKey &any = add("any", ShapeKey::Any, {false, false});
    any.operands = std::move(operands);
    return any;
  }

  /// Adds the key whose loops are the inner two of a nest. A gathered tensor has the loops of its indices too.
  void addStrided(const Domain &domain, const DomainNest &nest) {
    ShapeKey &key = domain.sorts            ? add("sorted", ShapeKey::Sorted, {false, false})
                    : domain.scatters       ? add("scattered", ShapeKey::Scattered, {false, false})
                    : domain.computesPlaces ? add("lookup", ShapeKey::Lookup, {false, false})
                    : domain.gathers()      ? add("gather", ShapeKey::Gather, {false, false})
                    : domain.counts()       ? add("counted", ShapeKey::Counted, {false, false})
                    : domain.scans()        ? add("scanned", ShapeKey::Scanned, {false, false})
                                            : add("strided", ShapeKey::Strided, {false, false});
    size_t inner = nest.loops.size() - 1;
    const bool isOfRows =
        key.kind != ShapeKey::Sorted && key.kind != ShapeKey::Scattered && key.kind != ShapeKey::Gather;
    if (domain.scans() || domain.sorts)
      key.scanned = scannedLoop(domain, nest) == 0u ? 1 : 0;
    for (const DomainOperand &operand : operandsOf(contract, domain)) {
      // One element does not even have a loop with one iteration.
      bool isOne =
          operand.tensor < contract.inputs.size() && contract.inputs[operand.tensor].broadcast == Broadcast::Scalar;
      std::optional<size_t> indices;
      if (std::optional<unsigned> gathered = domain.gatheredOf(operand.tensor); gathered && !domain.computesPlaces)
        indices = placesAlong(contract, domain.dims[*gathered].name);
      const bool isSorted = domain.sorts && domain.gatheredOf(operand.tensor);
      auto dimOf = [&](size_t loop, int dim) {
        const std::vector<unsigned> &dims = nest.loops[loop].dims;
        bool has = hasLoop(domain, operand.tensor, nest.loops[loop]) ||
                   (isSorted && !dims.empty() && domain.scanned[dims.front()]) ||
                   (indices && hasLoop(domain, *indices, nest.loops[loop]));
        // A table has no rows where there is one row.
        has &= !dims.empty() || !domain.computesPlaces || !domain.gatheredOf(operand.tensor) ||
               hasLoop(domain, operand.tensor, nest.loops[inner]);
        return !isOne && has ? dim : -1;
      };
      ShapeKey::Operand &own = key.operands.emplace_back();
      own.dims = {dimOf(inner - 1, 0), dimOf(inner, 1)};
      own.tensor = operand.tensor;
      own.name = operand.name;
      own.indices = indices;
      for (unsigned dim : domain.dimsOf(operand.tensor))
        if (domain.computesPlaces && domain.gathered[dim])
          own.places.push_back(dim);
      own.isSorted = isSorted;
      own.isAcross = indices && isAcross(domain, nest, operand.tensor);
      own.isStill = isOfRows && operand.tensor < contract.inputs.size() && !indices && own.places.empty() &&
                    own.dims == std::vector<int>{-1, -1} && (isOne || !hasLoopsAround(domain, nest, operand.tensor));
      own.isLine = !hasLoop(domain, operand.tensor, nest.loops[inner]) && isLastGathered(domain, own) &&
                   (!indices || hasLoop(domain, *indices, nest.loops[inner]));
    }
    const bool isGather = key.kind == ShapeKey::Gather || key.kind == ShapeKey::Lookup;
    if (!isGather || contract.nest ||
        std::none_of(key.operands.begin(), key.operands.end(), [](auto &each) { return each.isLine; }))
      return;
    ShapeKey elements = key;
    elements.number = static_cast<unsigned>(keys.size());
    elements.name += "_elements";
    elements.takesElements = true;
    keys.push_back(std::move(elements));
  }

private:
  /// Whether the last dimension of a tensor is gathered.
  static bool isLastGathered(const Domain &domain, const ShapeKey::Operand &operand) {
    const std::vector<unsigned> &dims = domain.dimsOf(operand.tensor);
    if (dims.empty())
      return false;
    return operand.indices ? domain.gatheredOf(operand.tensor) == dims.back()
                           : !operand.places.empty() && operand.places.back() == dims.back();
  }

  const Contract &contract;
  std::vector<ShapeKey> keys;
};

static std::vector<ShapeKey> elementwiseKeys(const Contract &contract) {
  std::vector<char> base(contract.inputs.size(), 'f');
  std::vector<size_t> broadcasting;
  for (size_t i = 0; i < base.size(); ++i) {
    if (contract.inputs[i].broadcast == Broadcast::Scalar)
      base[i] = 's';
    if (contract.inputs[i].broadcast == Broadcast::Numpy)
      broadcasting.push_back(i);
  }
  auto subset = [&](unsigned members, char way) {
    std::vector<char> ways = base;
    for (size_t i = 0; i < broadcasting.size(); ++i)
      if (members >> i & 1)
        ways[broadcasting[i]] = way;
    return ways;
  };

  KeyList list(contract);
  const unsigned count = unsigned(broadcasting.size()), pure = std::min(count, kPureInputs);
  auto add = [&](ShapeKey::Kind kind, const std::vector<char> &ways) {
    if (std::count(ways.begin(), ways.end(), 'f') > 0)
      list.addElementwise(kind, ways);
  };
  list.addElementwise(ShapeKey::Flat, base);
  for (unsigned members = 1; members < 1u << pure; ++members)
    if (count <= kMaxMixedInputs || (members & (members - 1)) == 0)
      add(ShapeKey::Flat, subset(members, 's'));
  if (count == kMaxMixedInputs)
    for (unsigned members : kRowsOfThree)
      add(ShapeKey::Grid, subset(members, 'r'));
  else
    for (unsigned input = 0; input < pure; ++input)
      add(ShapeKey::Grid, subset(1u << input, 'r'));
  if (!broadcasting.empty())
    list.addAny(broadcasting);
  return list.take();
}

static std::vector<ShapeKey> rowsKeys(const Contract &contract) {
  const std::vector<ContractDim> &whole = *wholeRows(contract);
  std::vector<ShapeKey::Operand> operands;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      operands.push_back({*rowsDims(tensor.shape, whole)});
  KeyList list(contract);
  list.add("rows_short", ShapeKey::Rows, {false, false}).operands = operands;
  ShapeKey &longRows = list.add("rows_long", ShapeKey::Rows, {false, false});
  longRows.operands = operands;
  longRows.isLong = true;
  return list.take();
}

/// Whether a reduction of a body depends on another one.
static bool reducesAgain(const Contract &contract) {
  return std::any_of(contract.bodies.begin(), contract.bodies.end(), [](const ContractBody &body) {
    return std::any_of(body.results.begin(), body.results.end(),
                       [](const ContractBodyResult &result) { return result.reducesAgain; });
  });
}

/// The keys of axes that a launch gives. Kernels with an accumulator for each reduction pass over their input once; if
/// reductions depend on each other, or a result has the reduced dimensions, kernels are those of a nest.
static std::vector<ShapeKey> reductionKeys(const Contract &contract) {
  // An output that keeps all dimensions is indexed as the inputs are.
  bool isKept = false;
  auto operandsOf = [&](const std::vector<int> &whole, const std::vector<int> &reduced) {
    std::vector<ShapeKey::Operand> operands(contract.inputs.size(), {whole});
    for (const ContractTensor &output : contract.outputs) {
      operands.push_back({output.isReduced() ? reduced : whole});
      isKept |= !output.isReduced();
    }
    return operands;
  };
  const std::vector<ShapeKey::Operand> rows = operandsOf({0, 1, 2}, {1}), columns = operandsOf({0, 1, 2}, {2});
  KeyList list(contract);
  if (isKept || reducesAgain(contract)) {
    ShapeKey &split = list.add("split_rows", ShapeKey::SplitRows, {true, false, true});
    split.operands = rows;
    split.isLong = split.isBatched = true;
    ShapeKey &folded = list.add("columns", ShapeKey::Columns, {true, true, false});
    folded.operands = columns;
    folded.isBatched = true;
    list.add("rows_short", ShapeKey::Rows, {false, true}).operands = operandsOf({0, 1}, {0});
    return list.take();
  }
  list.add("reduce_rows_short", ShapeKey::ReduceRows, {true, false, true}).operands = rows;
  ShapeKey &longRows = list.add("reduce_rows_long", ShapeKey::ReduceRows, {true, false, true});
  longRows.operands = rows;
  longRows.isLong = true;
  list.add("reduce_columns", ShapeKey::ReduceColumns, {true, true, false}).operands = columns;
  return list.take();
}

/// The broadcast kind of an input in the outer and inner loop of a pattern: 'f', 's', 'r' or 'c', as in addElementwise.
static char spreadOf(bool outer, bool inner) {
  return outer ? (inner ? 'f' : 'c') : (inner ? 'r' : 's');
}

/// Whether an input of one element in the inner two loops varies in a batch loop. The loops are innermost first.
static bool movesOutside(const std::vector<std::vector<bool>> &loops, const std::vector<char> &ways) {
  for (size_t loop = 2; loop < loops.size(); ++loop)
    for (size_t i = 0; i < ways.size(); ++i)
      if (ways[i] == 's' && loops[loop][i])
        return true;
  return false;
}

/// Whether the value is at most 1, whatever its symbols are.
static bool isAtMostOne(const SizeExpression &value) {
  switch (value.op) {
  case SizeExpression::Const:
    return value.value <= 1;
  case SizeExpression::Lt:
  case SizeExpression::Eq:
    return true;
  case SizeExpression::Select:
    return isAtMostOne(value.operands[1]) && isAtMostOne(value.operands[2]);
  default:
    return false;
  }
}

/// The dimensions of which one at least has size 1: by its equation, the first has other sizes only if the second has
/// size 1, as the number of copies of a dimension that broadcasts.
static std::vector<std::pair<size_t, size_t>> alternatives(const Contract &contract, const Domain &domain) {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t dim = 0; dim < domain.dims.size(); ++dim) {
    const ContractDimension *rule = contract.findDimension(domain.dims[dim].name);
    if (!rule || !rule->equals || rule->equals->op != SizeExpression::Select)
      continue;
    const SizeExpression &condition = rule->equals->operands[0];
    if (condition.op != SizeExpression::Eq || condition.operands[0].op != SizeExpression::Symbol ||
        condition.operands[1].op != SizeExpression::Const || condition.operands[1].value != 1 ||
        !isAtMostOne(rule->equals->operands[2]))
      continue;
    for (size_t other = 0; other < domain.dims.size(); ++other)
      if (domain.dims[other].kind == ContractDim::Symbol && domain.dims[other].name == condition.operands[0].symbol)
        pairs.emplace_back(dim, other);
  }
  return pairs;
}

// The patterns that sizes of 1 can make of the domain: such dimensions are not loops, and their neighbours may then be
// merged. Loops outside of the inner two are batch loops, or too many.
static std::vector<ShapeKey> domainElementwiseKeys(const Contract &contract, const Domain &domain,
                                                   const DomainNest &nest) {
  KeyList list(contract);
  std::vector<size_t> moving;
  for (const std::vector<unsigned> &group : movingInputs(contract))
    moving.insert(moving.end(), group.begin(), group.end());
  // Only these keys have strides in memory.
  if (nest.isPermuted) {
    const bool isStridedAlone = domain.hasParts() || domain.gathers() || domain.counts() || domain.scans();
    if (isStridedAlone || (isStrided(nest) && !hasElementsAround(contract, domain, nest)))
      list.addStrided(domain, nest);
    if (isStridedAlone)
      return list.take();
    ShapeKey &any = list.addAny(moving);
    for (size_t i = 0; i < contract.inputs.size(); ++i)
      any.operands[i].isAcross = isAcross(domain, nest, i);
    return list.take();
  }
  std::vector<char> full(contract.inputs.size(), 'f');
  for (size_t i = 0; i < full.size(); ++i)
    if (contract.inputs[i].broadcast == Broadcast::Scalar)
      full[i] = 's';
  std::vector<std::vector<char>> flat = {full}, grid, outside;
  size_t count = domain.dims.size(), mostLoops = 0;
  const std::vector<std::pair<size_t, size_t>> oneOf = alternatives(contract, domain);
  for (unsigned ones = 0; ones < 1u << count; ++ones) {
    if (std::any_of(oneOf.begin(), oneOf.end(),
                    [&](auto &pair) { return !(ones >> pair.first & 1) && !(ones >> pair.second & 1); }))
      continue;
    // From the last dimension to the first: a loop for each change of the varying inputs.
    std::vector<std::vector<bool>> loops;
    for (size_t dim = count; dim-- > 0;) {
      if (ones >> dim & 1)
        continue;
      std::vector<bool> moves;
      for (size_t i = 0; i < full.size(); ++i)
        moves.push_back(domain.has(i, dim));
      if (loops.empty() || loops.back() != moves)
        loops.push_back(std::move(moves));
    }
    mostLoops = std::max(mostLoops, loops.size());
    if (loops.empty())
      continue;
    bool isFlat = loops.size() == 1;
    std::vector<char> ways;
    for (size_t i = 0; i < full.size(); ++i)
      ways.push_back(isFlat ? (loops[0][i] ? 'f' : 's') : spreadOf(loops[1][i], loops[0][i]));
    if (movesOutside(loops, ways))
      outside.push_back(ways);
    std::vector<std::vector<char>> &known = isFlat ? flat : grid;
    if (std::find(known.begin(), known.end(), ways) == known.end())
      known.push_back(std::move(ways));
  }
  // The kernel of these keys loads one element once, before its batch loops, so none of them has these patterns.
  for (const std::vector<char> &ways : outside)
    grid.erase(std::remove(grid.begin(), grid.end(), ways), grid.end());
  size_t patterns = flat.size() + grid.size();
  flat.resize(std::min(flat.size(), kMaxPatterns));
  grid.resize(std::min(grid.size(), kMaxPatterns - flat.size()));
  for (const std::vector<char> &ways : flat)
    list.addElementwise(ShapeKey::Flat, ways);
  for (const std::vector<char> &ways : grid)
    list.addElementwise(ShapeKey::Grid, ways);
  // A pack of any rank is one loop here, since all its dimensions are alike.
  if (outside.empty() && mostLoops <= kMostLoops && patterns <= kMaxPatterns)
    return list.take();
  list.addAny(moving);
  return list.take();
}

/// The loops of a nest that index a tensor: an entry for each loop, -1 where the tensor lacks its dimensions.
static ShapeKey::Operand nestOperand(const Domain &domain, const DomainNest &nest, size_t tensor) {
  ShapeKey::Operand operand;
  // Along r0 a tensor may have some of its runs.
  auto has = [&](size_t loop) {
    if (loop > 0 || nest.runs.empty())
      return hasLoop(domain, tensor, nest.loops[loop]);
    return std::any_of(nest.runs.begin(), nest.runs.end(),
                       [&](const DomainLoop &run) { return hasLoop(domain, tensor, run); });
  };
  for (size_t loop = 0; loop < nest.loops.size(); ++loop) {
    bool hasOwn = has(loop);
    // A loop without dimensions is treated like the other reduced loops.
    for (size_t other = 0; other < nest.loops.size() && nest.loops[loop].dims.empty() && nest.loops[loop].reduced;
         ++other)
      hasOwn &= !nest.loops[other].reduced || has(other);
    operand.dims.push_back(hasOwn ? int(loop) : -1);
  }
  return operand;
}

/// The operands of a nest.
static std::vector<ShapeKey::Operand> nestOperands(const Contract &contract, const Domain &domain,
                                                   const DomainNest &nest) {
  std::vector<ShapeKey::Operand> operands;
  for (const DomainOperand &each : operandsOf(contract, domain)) {
    operands.push_back(nestOperand(domain, nest, each.tensor));
    operands.back().tensor = each.tensor;
    operands.back().name = each.name;
  }
  return operands;
}

/// The keys of a domain whose bodies reduce.
static std::vector<ShapeKey> domainReductionKeys(const Contract &contract, const Domain &domain,
                                                 const DomainNest &nest) {
  KeyList list(contract);
  auto addOf = [&](const DomainNest &nest, const char *name, ShapeKey::Kind kind, bool isLong) -> ShapeKey & {
    std::vector<bool> reduced;
    for (const DomainLoop &loop : nest.loops)
      reduced.push_back(loop.reduced);
    ShapeKey &key = list.add(name, kind, std::move(reduced));
    key.operands = nestOperands(contract, domain, nest);
    key.isLong = isLong;
    key.isBatched = true;
    key.outerRuns = unsigned(std::max<size_t>(nest.runs.size(), 1));
    key.batchRuns = unsigned(std::max<size_t>(nest.batchRuns.size(), 1));
    key.isOfPairs = domain.isOfPairs;
    return key;
  };
  auto add = [&](const char *name, ShapeKey::Kind kind, bool isLong) { addOf(nest, name, kind, isLong); };
  switch (nest.form) {
  case DomainNest::Elementwise:
    break;
  case DomainNest::Rows:
    add("rows_short", ShapeKey::Rows, false);
    add("rows_long", ShapeKey::Rows, true);
    break;
  case DomainNest::SplitRows:
    add("split_rows", ShapeKey::SplitRows, true);
    if (nest.hasStridedRows()) {
      DomainNest rows = nest;
      rows.loops.erase(rows.loops.begin());
      ShapeKey &key = addOf(rows, "rows_strided", ShapeKey::Rows, false);
      key.isStrided = true;
      // Without loops around the rows, what all of them share is repeated once.
      key.isBatched = !nest.batches[0].dims.empty() || !nest.batches[1].dims.empty();
      auto moves = [&](size_t tensor, const DomainLoop &loop) {
        return std::any_of(loop.dims.begin(), loop.dims.end(), [&](unsigned dim) { return domain.has(tensor, dim); });
      };
      for (ShapeKey::Operand &operand : key.operands)
        operand.isStill =
            key.isBatched && !moves(operand.tensor, nest.batches[0]) && !moves(operand.tensor, nest.batches[1]);
    }
    break;
  case DomainNest::Columns:
    if (domain.windows)
      add("windows", ShapeKey::Windows, false);
    else
      add("columns", ShapeKey::Columns, false);
    break;
  }
  return list.take();
}

/// The key of a nest among several.
static ShapeKey keyOfNest(const LaunchNest &own) {
  std::string reason;
  const Domain domain = *domainOf(own.contract, reason);
  const DomainNest nest = *nestOf(own.contract, domain, reason);
  std::vector<ShapeKey> keys;
  if (nest.form == DomainNest::Elementwise) {
    KeyList list(own.contract);
    list.addStrided(domain, nest);
    keys = list.take();
  } else {
    keys = domainReductionKeys(own.contract, domain, nest);
  }
  ShapeKey key = own.first ? keys.back() : keys.front();
  key.number = *own.contract.nest;
  key.nest = own.contract.nest;
  key.name += key.suffix();
  for (ShapeKey::Operand &operand : key.operands) {
    operand.tensor = own.tensors[operand.tensor];
    if (operand.indices)
      operand.indices = own.tensors[*operand.indices];
  }
  return key;
}

static std::vector<ShapeKey> domainKeys(const Contract &contract) {
  std::string reason;
  if (hasNests(contract)) {
    std::vector<ShapeKey> keys;
    for (const LaunchNest &nest : nestsOf(contract, reason))
      keys.push_back(keyOfNest(nest));
    return keys;
  }
  Domain domain = *domainOf(contract, reason);
  DomainNest nest = *nestOf(contract, domain, reason);
  return nest.form == DomainNest::Elementwise ? domainElementwiseKeys(contract, domain, nest)
                                              : domainReductionKeys(contract, domain, nest);
}

static std::vector<ShapeKey> contractionKeys(const Contract &contract) {
  std::string reason;
  Domain domain = *domainOf(contract, reason);
  Contraction product = *contractionOf(contract, domain, reason);
  std::vector<ShapeKey::Operand> operands;
  for (size_t i = 0; i < domain.tensors.size(); ++i) {
    auto dimOf = [&](const DomainLoop &loop, int dim) {
      bool isOne = i < contract.inputs.size() && contract.inputs[i].broadcast == Broadcast::Scalar;
      return !isOne && hasLoop(domain, i, loop) ? dim : -1;
    };
    if (i == product.left)
      operands.push_back(product.isLeftAlongK ? ShapeKey::Operand{{0, 2}} : ShapeKey::Operand{{2, 0}});
    else if (i == product.right)
      operands.push_back(product.isRightAlongK ? ShapeKey::Operand{{1, 2}} : ShapeKey::Operand{{2, 1}});
    else if (i >= contract.inputs.size() && !hasLoop(domain, i, product.n))
      operands.push_back({{0}}); // an element for each row of the results
    else
      operands.push_back({{dimOf(product.m, 0), dimOf(product.n, 1)}});
  }
  KeyList list(contract);
  ShapeKey &key = list.add("contraction", ShapeKey::Contraction, {false, product.reducesRows, true});
  key.hasWindows = domain.windows.has_value();
  key.operands = operands;
  key.isBatched = true;
  if (product.reducesRows) {
    ShapeKey &resident = list.add("contraction_resident", ShapeKey::Contraction, {false, true, true});
    resident.operands = operands;
    resident.isBatched = resident.hasResidentRight = true;
    // Shorter ones leave room for more rows of them.
    for (const char *name : {"contraction_long_n1024", "contraction_long"}) {
      ShapeKey &longRows = list.add(name, ShapeKey::Contraction, {false, true, true});
      longRows.operands = operands;
      longRows.isBatched = longRows.isLong = true;
    }
  }
  if (domain.windows && !product.m.dims.empty() && product.isLeftAlongK && !product.reducesRows) {
    ShapeKey &wide = list.add("contraction_wide", ShapeKey::Contraction, {false, false, true});
    wide.hasWindows = wide.isWide = wide.isBatched = true;
    wide.operands = operands;
  }
  // Windows of one element, in the order of memory, are a plain matrix; with separate filters for each channel there
  // are no rows to multiply.
  const bool isDense =
      !domain.windows || (!product.m.dims.empty() && product.isLeftAlongK &&
                          std::all_of(domain.windows->axes.begin(), domain.windows->axes.end(),
                                      [](const AxisWindow &axis) { return axis.stride == 1 && axis.padBegin == 0; }));
  // Rows that are reduced are whole in a tile of results.
  if (isDense && !product.reducesRows) {
    // Each has the tile of a launch of about so many rows, the first that of a long k.
    const std::vector<const char *> names =
        domain.windows ? std::vector<const char *>{"resident"}
                       : std::vector<const char *>{"resident", "resident_m256", "resident_m512", "resident_m16"};
    for (const char *name : names) {
      ShapeKey &resident = list.add(name, ShapeKey::Contraction, {false, false, true});
      resident.isResident = true;
      resident.operands = operands;
      resident.isBatched = true;
    }
  }
  std::vector<ShapeKey> keys = list.take();
  for (ShapeKey &each : keys)
    each.isStretched = product.stretched.has_value();
  return keys;
}

const ShapeKey::Operand *ShapeKey::findOperand(size_t tensor) const {
  auto found =
      std::find_if(operands.begin(), operands.end(), [&](const Operand &each) { return each.tensor == tensor; });
  return found == operands.end() ? nullptr : &*found;
}

static std::vector<ShapeKey> keysOf(const Contract &contract, ContractKind kind) {
  switch (kind) {
  case ContractKind::Elementwise:
    return elementwiseKeys(contract);
  case ContractKind::Rows:
    return rowsKeys(contract);
  case ContractKind::Reduction:
    return reductionKeys(contract);
  case ContractKind::Domain:
    return domainKeys(contract);
  case ContractKind::Contraction:
    return contractionKeys(contract);
  }
  return {};
}

std::vector<ShapeKey> shapeKeys(const Contract &contract) {
  std::string reason;
  std::optional<ContractKind> kind = contractKind(contract, reason);
  if (!kind)
    return {};
  std::vector<ShapeKey> keys = keysOf(contract, *kind);
  for (ShapeKey &key : keys)
    for (size_t i = 0; i < key.operands.size() && key.operands[i].name.empty(); ++i) {
      key.operands[i].tensor = i;
      key.operands[i].name = contract.tensorAt(i).name;
    }
  return keys;
}

} // namespace opc
