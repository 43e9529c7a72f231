// The loops of a domain and their nest: merges dimensions, and reports what no kernel's nest supports.

#include "ops/contract/domain/Domain.h"

#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Workspace.h"

#include <algorithm>

namespace opc {

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Maximum number of operands of a kernel.
static constexpr size_t kMostOperands = 32;

/// The size of a dimension along which parts are taken; nullopt if it is not known at compile time.
static std::optional<int64_t> partsAlong(const std::vector<SizeEquation> &equations, const ContractDim &dim) {
  for (const SizeEquation &equation : equations)
    if (equation.name == dim.name && equation.value.op == SizeExpression::Const)
      return equation.value.value;
  return std::nullopt;
}

std::vector<DomainOperand> operandsOf(const Contract &contract, const Domain &domain) {
  std::vector<DomainOperand> operands;
  const std::vector<SizeEquation> equations = equationsOf(contract);
  std::vector<const ContractTensor *> tensors = tensorsOf(contract);
  for (size_t tensor = 0; tensor < tensors.size(); ++tensor) {
    std::vector<DomainOperand> parts = {{tensor, tensors[tensor]->name, {}}};
    const bool isRange = contract.nest && tensors[tensor]->broadcast != Broadcast::Scalar;
    if (isRange)
      parts[0].name += "__n" + std::to_string(*contract.nest);
    for (unsigned dim : domain.dimsOf(tensor)) {
      if (!domain.parted[dim])
        continue;
      std::vector<DomainOperand> finer;
      for (const DomainOperand &part : parts)
        for (int64_t index = 0; index < *partsAlong(equations, domain.dims[dim]); ++index) {
          finer.push_back(part);
          finer.back().index.emplace_back(dim, index);
          finer.back().name += (part.index.empty() && !isRange ? "__" : "_") + std::to_string(index);
        }
      parts = std::move(finer);
    }
    operands.insert(operands.end(), parts.begin(), parts.end());
  }
  return operands;
}

/// Whether tensors can be taken in parts. Returns why not.
static std::string checkParts(const Contract &contract, const Domain &domain) {
  const std::vector<SizeEquation> equations = equationsOf(contract);
  std::vector<const ContractTensor *> tensors = tensorsOf(contract);
  size_t operands = 0;
  for (size_t dim = 0; dim < domain.dims.size(); ++dim) {
    if (!domain.parted[dim])
      continue;
    const std::string &name = domain.dims[dim].name;
    std::optional<int64_t> size = partsAlong(equations, domain.dims[dim]);
    if (!size || *size < 1 || *size > int64_t(kMostOperands))
      return "'" + name + "', along which a body takes parts, has no size from 1 to " + std::to_string(kMostOperands) +
             " that is known when compiling";
    if (domain.reduced[dim])
      return "bodies reduce '" + name + "' and take parts along it";
  }
  for (size_t tensor = 0; tensor < tensors.size(); ++tensor) {
    size_t parts = 1;
    std::vector<unsigned> own = domain.dimsOf(tensor);
    for (unsigned dim : own)
      if (domain.parted[dim])
        parts = std::min(parts * size_t(*partsAlong(equations, domain.dims[dim])), kMostOperands + 1);
    operands += parts;
    if (!own.empty() && domain.parted[own.back()])
      return "'" + domain.dims[own.back()].name + "', along which a body takes parts, is the last dimension of " +
             toldName(*tensors[tensor]) + ": the elements of a part are neighbours";
  }
  if (operands > kMostOperands)
    return "tensors and their parts are " + std::to_string(operands) + ", more than the " +
           std::to_string(kMostOperands) + " that a kernel has";
  return {};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::string loopText(const Domain &domain, const DomainLoop &loop) {
  std::string text;
  for (unsigned dim : loop.dims)
    text += (text.empty() ? "" : ", ") + printDim(domain.dims[dim]);
  return "'" + text + "'";
}

std::vector<DomainLoop> loopsOf(const Domain &domain) {
  std::vector<DomainLoop> loops;
  auto isAlone = [&](unsigned dim) { return domain.counted[dim] || domain.scanned[dim] || domain.stretched == dim; };
  auto joins = [&](unsigned dim) {
    if (loops.empty() || loops.back().dims.back() + 1 != dim || domain.reduced[dim] != domain.reduced[dim - 1] ||
        isAlone(dim) || isAlone(dim - 1))
      return false;
    for (size_t tensor = 0; tensor < domain.tensors.size(); ++tensor) {
      std::vector<unsigned> own = domain.dimsOf(tensor);
      auto place = std::find(own.begin(), own.end(), dim), before = std::find(own.begin(), own.end(), dim - 1);
      if (place == own.end() ? before != own.end() : before == own.end() || before + 1 != place)
        return false;
      // Other elements follow a range of a sum.
      const std::vector<int> &places = domain.tensors[tensor];
      auto outer = std::find(places.begin(), places.end(), int(dim - 1)),
           inner = std::find(outer, places.end(), int(dim));
      for (auto at = outer; at != inner; ++at)
        if (!domain.shapes[tensor][size_t(at + 1 - places.begin())].sum.empty())
          return false;
    }
    return true;
  };
  for (unsigned dim = 0; dim < domain.dims.size(); ++dim) {
    if (domain.parted[dim] || domain.gathered[dim])
      continue;
    if (!joins(dim))
      loops.push_back({{}, domain.reduced[dim]});
    loops.back().dims.push_back(dim);
  }
  return loops;
}

/// Whether each output has all kept dimensions, and all or none of the reduced ones.
static std::string checkOutputs(const Contract &contract, const Domain &domain) {
  for (size_t i = 0; i < contract.outputs.size(); ++i) {
    size_t tensor = contract.inputs.size() + i;
    const std::string who = toldName(contract.outputs[i], "output");
    std::optional<bool> hasReduced;
    for (size_t dim = 0; dim < domain.dims.size(); ++dim) {
      bool has = domain.has(tensor, dim);
      std::string text = printDim(domain.dims[dim]);
      std::optional<size_t> places = placesAlong(contract, text);
      if (has && domain.gathered[dim] && !(domain.scatters && places))
        return who + " has '" + text + "', along which " +
               (places         ? "the values of '" + contract.inputs[*places].name + "' are places"
                : domain.sorts ? "bodies sort"
                               : "a body gathers: its places are along another dimension");
      if (domain.scatters)
        continue;
      if (!has && !domain.reduced[dim] && !domain.parted[dim] && !domain.gathered[dim])
        return who + " has no '" + text + "', which no body reduces";
      if (domain.reduced[dim] && hasReduced.value_or(has) != has)
        return who + " has a part of the dimensions that bodies reduce";
      if (domain.reduced[dim])
        hasReduced = has;
    }
  }
  return {};
}

/// Whether a contract is that of a nest of ranges.
static bool isOfRanges(const Contract &contract) {
  return contract.nest && std::any_of(contract.bodies.begin(), contract.bodies.end(), [&](const ContractBody &body) {
           return body.writtenParts.size() > body.parts.size();
         });
}

/// Whether tensors can be gathered from. Returns why not.
static std::string checkGathered(const Contract &contract, const Domain &domain) {
  if (domain.multiplies || domain.hasParts() || isOfRanges(contract) ||
      std::find(domain.reduced.begin(), domain.reduced.end(), true) != domain.reduced.end())
    return std::string("bodies ") + (domain.sorts ? "sort" : "gather") +
           " along a dimension, and reduce others, multiply matrices or take parts";
  if (domain.computesPlaces) {
    for (const ContractTensor &input : contract.inputs)
      if (input.values)
        return "bodies gather at places that they compute, and at those that '" + input.name + "' has";
    for (size_t dim = 0; dim < domain.dims.size(); ++dim)
      if (domain.gathered[dim] && (domain.counted[dim] || domain.scanned[dim]))
        return "bodies gather along '" + domain.dims[dim].name + "', and count or scan along it";
    return {};
  }
  for (size_t tensor = 0; tensor < domain.tensors.size(); ++tensor) {
    std::vector<unsigned> own = domain.dimsOf(tensor);
    if (std::count_if(own.begin(), own.end(), [&](unsigned dim) { return domain.gathered[dim]; }) > 1)
      return "input '" + contract.tensorAt(tensor).name + "' has two dimensions along which inputs have places";
  }
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (contract.inputs[i].values && contract.inputs[j].values &&
          contract.inputs[i].values->along == contract.inputs[j].values->along)
        return "inputs '" + contract.inputs[j].name + "' and '" + contract.inputs[i].name + "' have places along '" +
               contract.inputs[i].values->along + "', and one has them";
  return {};
}

/// Whether a kernel can sort along a dimension. Returns why not.
static std::string checkSorted(const Contract &contract, const Domain &domain) {
  if (domain.counts() || domain.scatters || domain.computesPlaces ||
      std::any_of(contract.bodies.begin(), contract.bodies.end(),
                  [](const ContractBody &body) {
                    return std::any_of(body.scans.begin(), body.scans.end(),
                                       [](const std::string &scan) { return !sortOf(scan); });
                  }) ||
      std::any_of(contract.inputs.begin(), contract.inputs.end(), [](auto &input) { return bool(input.values); }))
    return "bodies sort along a dimension, and gather, scatter, count or scan";
  if (std::count(domain.gathered.begin(), domain.gathered.end(), true) > 1 ||
      std::count(domain.scanned.begin(), domain.scanned.end(), true) > 1)
    return "bodies sort along two dimensions, where a kernel sorts along one";
  const auto found = std::find(domain.scanned.begin(), domain.scanned.end(), true);
  if (found == domain.scanned.end())
    return "bodies sort, and results have no dimension of the name after 'to'";
  const std::string name = printDim(domain.dims[size_t(found - domain.scanned.begin())]);
  for (size_t tensor = 0; tensor < contract.inputs.size(); ++tensor)
    if (domain.gatheredOf(tensor) && domain.has(tensor, size_t(found - domain.scanned.begin())))
      return "input '" + contract.inputs[tensor].name + "', which bodies sort, has '" + name + "' too";
  const std::vector<DomainLoop> loops = loopsOf(domain);
  for (size_t loop = 0; loop + 2 < loops.size(); ++loop)
    if (domain.scanned[loops[loop].dims.front()])
      return "'" + name +
             "', which results have in the place of a sorted dimension, is none of the two innermost "
             "loops: dimensions after it that all tensors treat alike are one loop";
  return {};
}

/// Whether a kernel can scatter. Returns why not.
static std::string checkScattered(const Contract &contract, const Domain &domain) {
  if (domain.sorts || domain.counts() || domain.scans())
    return "bodies scatter along a dimension, and sort, count or scan";
  if (contract.outputs.size() != 1)
    return "bodies scatter, and have " + std::to_string(contract.outputs.size()) +
           " results, where a scatter is the one";
  const size_t result = contract.inputs.size();
  if (domain.whole == result)
    return "bodies scatter, and no input has the dimensions of what is scattered";
  if (!domain.gatheredOf(result))
    return "bodies scatter, and output '" + contract.outputs.front().name +
           "' has no dimension along which the values of an input are places";
  // After the dimensions of the updates, those of the indices may replace the result's.
  const size_t places = *placesAlong(contract, domain.dims[*domain.gatheredOf(result)].name);
  for (size_t dim = 0; dim < domain.dims.size(); ++dim)
    if (!domain.gathered[dim] && !domain.has(result, dim) && !domain.has(places, dim))
      return "'" + printDim(domain.dims[dim]) + "' is a dimension of updates, and of neither '" +
             contract.inputs[places].name + "' nor '" + contract.outputs.front().name + "'";
  return {};
}

/// Whether a kernel supports positions along dimensions. Returns the reason if not.
static std::string checkCounted(const Contract &contract, const Domain &domain) {
  if (domain.multiplies || domain.windows || domain.hasParts() || (domain.gathers() && !domain.computesPlaces) ||
      isOfRanges(contract))
    return "bodies count along a dimension, and reduce windows, multiply matrices, gather or take parts";
  // With reductions, the nest determines the innermost loops (checkCountedIn).
  const bool reduces = std::find(domain.reduced.begin(), domain.reduced.end(), true) != domain.reduced.end();
  const std::vector<DomainLoop> loops = loopsOf(domain);
  for (size_t loop = 0; !reduces && loop + 2 < loops.size(); ++loop)
    if (domain.counted[loops[loop].dims.front()])
      return "bodies count along " + loopText(domain, loops[loop]) +
             ", which is none of the two innermost loops: dimensions after it that all tensors treat alike, and along "
             "which nothing counts, are one loop";
  return {};
}

/// Whether a kernel can scan along a dimension. Returns why not.
static std::string checkScanned(const Contract &contract, const Domain &domain) {
  if (domain.multiplies || domain.windows || domain.hasParts() || domain.gathers() || domain.counts() ||
      isOfRanges(contract) || std::find(domain.reduced.begin(), domain.reduced.end(), true) != domain.reduced.end())
    return "bodies scan along a dimension, and reduce others, multiply matrices, gather, count or take parts";
  if (std::count(domain.scanned.begin(), domain.scanned.end(), true) > 1)
    return "bodies scan along two dimensions, where a kernel scans along one";
  const std::vector<DomainLoop> loops = loopsOf(domain);
  for (size_t loop = 0; loop + 2 < loops.size(); ++loop)
    if (domain.scanned[loops[loop].dims.front()])
      return "bodies scan along " + loopText(domain, loops[loop]) +
             ", which is none of the two innermost loops: dimensions after it that all tensors treat alike are one "
             "loop";
  return {};
}

std::optional<unsigned> scannedLoop(const Domain &domain, const DomainNest &nest) {
  for (unsigned back = 0; back < nest.loops.size(); ++back) {
    const std::vector<unsigned> &dims = nest.loops[nest.loops.size() - 1 - back].dims;
    if (dims.size() == 1 && domain.scanned[dims.front()])
      return back;
  }
  return std::nullopt;
}

/// The loop along which a tensor is contiguous; nullopt for one element.
static std::optional<unsigned> neighboursOf(const Domain &domain, const std::vector<DomainLoop> &loops, size_t tensor) {
  std::vector<unsigned> own = domain.dimsOf(tensor);
  for (unsigned loop = 0; loop < loops.size() && !own.empty(); ++loop)
    if (std::find(loops[loop].dims.begin(), loops[loop].dims.end(), own.back()) != loops[loop].dims.end())
      return loop;
  return std::nullopt;
}

bool isAcross(const Domain &domain, const DomainNest &nest, size_t tensor) {
  const std::vector<unsigned> &last = nest.loops.back().dims;
  return !last.empty() && hasLoop(domain, tensor, nest.loops.back()) && domain.dimsOf(tensor).back() != last.back();
}

/// Finds the loop along which inputs that are read across are contiguous. Returns the reason if there is no kernel.
static std::string checkPermuted(const Contract &contract, const Domain &domain, DomainNest &nest) {
  size_t first = 0;
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    // Then tensors are gathered element by element.
    if (!isAcross(domain, nest, i) || domain.gatheredOf(i))
      continue;
    std::optional<unsigned> loop = neighboursOf(domain, nest.loops, i);
    if (nest.across && nest.across != loop)
      return "inputs '" + contract.inputs[first].name + "' and '" + contract.inputs[i].name +
             "' end with different dimensions, neither of which is the last of '" + contract.outputs.front().name + "'";
    if (!nest.across)
      first = i;
    nest.across = loop;
  }
  return {};
}

/// Whether a kernel with reductions supports positions along dimensions. Returns the reason if not.
static std::string checkCountedIn(const Domain &domain, const DomainNest &nest) {
  for (unsigned dim = 0; dim < domain.dims.size(); ++dim) {
    auto isHere = [&](const DomainLoop &loop) { return loop.dims == std::vector<unsigned>{dim}; };
    if (domain.counted[dim] && std::none_of(nest.loops.end() - 2, nest.loops.end(), isHere))
      return "bodies count along '" + printDim(domain.dims[dim]) +
             "', which is none of the two innermost loops of a kernel that reduces others";
  }
  return {};
}

/// Takes the loop of the rows of a tile of columns out of the reduced ones, of which the first is the innermost. Each
/// input that has another one of them has this one, since a copy steps through the rows of a tile. If there is no such
/// loop, a tile has one row.
static DomainLoop takeRows(const Contract &contract, const Domain &domain, std::vector<DomainLoop> &reduced) {
  auto hasAny = [&](size_t input) {
    return std::any_of(reduced.begin(), reduced.end(),
                       [&](const DomainLoop &loop) { return hasLoop(domain, input, loop); });
  };
  for (auto loop = reduced.begin(); loop != reduced.end(); ++loop) {
    bool isOfAll = true;
    for (size_t input = 0; input < contract.inputs.size(); ++input)
      isOfAll &= hasLoop(domain, input, *loop) || !hasAny(input);
    if (!isOfAll)
      continue;
    DomainLoop rows = std::move(*loop);
    reduced.erase(loop);
    return rows;
  }
  return {{}, true};
}

/// The first input of a nest that reduces whose elements along the innermost loop are not neighbours; nullopt if there
/// is none. Rows and tiles of columns may be any distance apart.
static std::optional<size_t> firstAcross(const Contract &contract, const Domain &domain, const DomainNest &nest) {
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    if (domain.isPermuted(i) && isAcross(domain, nest, i))
      return i;
  return std::nullopt;
}

std::optional<DomainNest> nestOf(const Contract &contract, const Domain &domain, std::string &reason) {
  reason = checkOutputs(contract, domain);
  if (reason.empty() && (domain.hasParts() || contract.nest))
    reason = checkParts(contract, domain);
  if (reason.empty() && domain.gathers())
    reason = checkGathered(contract, domain);
  if (reason.empty() && domain.sorts)
    reason = checkSorted(contract, domain);
  if (reason.empty() && domain.scatters)
    reason = checkScattered(contract, domain);
  if (reason.empty() && domain.counts())
    reason = checkCounted(contract, domain);
  if (reason.empty() && domain.scans())
    reason = checkScanned(contract, domain);
  if (!reason.empty())
    return std::nullopt;
  std::vector<DomainLoop> loops = loopsOf(domain);
  DomainNest nest;
  const bool reduces = std::any_of(loops.begin(), loops.end(), [](const DomainLoop &loop) { return loop.reduced; });
  nest.isPermuted = !reduces && (domain.hasParts() || domain.gathers() || domain.scans() || contract.nest);
  bool isStrided = domain.hasParts() || isOfRanges(contract);
  for (size_t i = 0; i < domain.tensors.size(); ++i) {
    if (!domain.isPermuted(i))
      continue;
    bool isOutput = i >= contract.inputs.size();
    const std::string &name = (isOutput ? contract.outputs[i - contract.inputs.size()] : contract.inputs[i]).name;
    if (isOutput)
      return reason = toldName(contract.outputs[i - contract.inputs.size()], "output") +
                      " has its dimensions in another order than " +
                      (domain.scatters ? "input '" + contract.tensorAt(domain.whole).name + "', the updates"
                       : name == contract.outputs.front().name ? printShape(domain.dims) + ", that of the loops"
                                                               : "output '" + contract.outputs.front().name + "'"),
             std::nullopt;
    nest.isPermuted = !reduces;
    isStrided = true;
  }
  if (!reduces) {
    nest.isPermuted |= domain.counts();
    // Strided rows are a loop even if there is only one.
    if (nest.isPermuted && loops.size() < 2)
      loops.insert(loops.begin(), 2 - loops.size(), DomainLoop());
    nest.loops = std::move(loops);
    if (nest.isPermuted)
      reason = checkPermuted(contract, domain, nest);
    if (!reason.empty())
      return std::nullopt;
    return nest;
  }
  // From the innermost loop outwards, each takes the next slot of its kind.
  DomainLoop inner = loops.back();
  loops.pop_back();
  std::vector<DomainLoop> kept, reduced;
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop)
    (loop->reduced ? reduced : kept).push_back(*loop);
  // The rows of a tile are a kept loop beside a reduced one, and the other way round. Windows have no batches of
  // several runs.
  const std::vector<DomainLoop> allReduced = reduced;
  const DomainLoop rows = inner.reduced ? DomainLoop() : takeRows(contract, domain, reduced);
  const size_t mostReduced = kMostRuns + size_t(!rows.dims.empty()),
               mostKept = (domain.windows ? 2 : kMostRuns + 1) + size_t(inner.reduced);
  auto tooMany = [&](const char *what, const std::vector<DomainLoop> &found, size_t most) {
    return std::string("the ") + what + " dimensions form more loops than the " + std::to_string(most) +
           " that a kernel has beside " + loopText(domain, inner) + ": " + loopText(domain, found[most]) +
           " is one too many";
  };
  if (allReduced.size() > mostReduced)
    return reason = tooMany("reduced", allReduced, mostReduced), std::nullopt;
  if (kept.size() > mostKept)
    return reason = tooMany("kept", kept, mostKept), std::nullopt;
  auto take = [](std::vector<DomainLoop> &from, bool isReduced) {
    DomainLoop loop;
    loop.reduced = isReduced;
    if (from.empty())
      return loop;
    loop = from.front();
    from.erase(from.begin());
    return loop;
  };
  auto takeRuns = [&](std::vector<DomainLoop> &from, std::vector<DomainLoop> &runs, bool isReduced) {
    DomainLoop all{{}, isReduced};
    for (; !from.empty(); runs.insert(runs.begin(), take(from, isReduced)))
      all.dims.insert(all.dims.begin(), from.front().dims.begin(), from.front().dims.end());
    return all;
  };
  if (inner.reduced) {
    // Rows of one piece each, if they do not follow each other in memory.
    nest.form = reduced.empty() && !isStrided ? DomainNest::Rows : DomainNest::SplitRows;
    if (nest.form == DomainNest::SplitRows)
      nest.loops.push_back(takeRuns(reduced, nest.runs, true));
    nest.loops.push_back(take(kept, false));
  } else {
    nest.form = DomainNest::Columns;
    nest.loops = {takeRuns(reduced, nest.runs, true), rows};
  }
  nest.loops.push_back(inner);
  nest.batches[1] = take(kept, false);
  nest.batches[0] = takeRuns(kept, nest.batchRuns, false);
  if (nest.batchRuns.size() < 2)
    nest.batchRuns.clear();
  if (reason = checkCountedIn(domain, nest); !reason.empty())
    return std::nullopt;
  if (std::optional<size_t> input = firstAcross(contract, domain, nest))
    return reason = toldName(contract.inputs[*input], "input") + " has its dimensions in another order than " +
                    printShape(domain.dims) + ", of which a body reduces some, and ends with another one than " +
                    loopText(domain, inner),
           std::nullopt;
  return nest;
}

} // namespace opc
