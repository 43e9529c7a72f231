#include "ops/contract/domain/Reductions.h"

#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Domain.h"
#include "ops/contract/domain/Ranges.h"
#include "ops/contract/domain/ShapeKeys.h"
#include "ops/contract/domain/Workspace.h"

#include <algorithm>
#include <set>

namespace opc {

using DimSet = std::vector<bool>; ///< for each dimension of the domain

bool NestWay::reduces() const {
  return std::find(reduced.begin(), reduced.end(), true) != reduced.end();
}

bool NestWay::isAny() const {
  return !apart.empty() || reduces();
}

NestWay nestWayOf(const Contract &contract, const Domain &domain, const std::vector<std::string> &axes) {
  const bool isApart = axes.size() == 1 && (axes[0].rfind(kScans, 0) == 0 || axes[0].rfind(kSorts, 0) == 0 ||
                                            axes[0] == kGathers || axes[0] == kTakesParts || axes[0] == kComputes);
  return {dimsOfAxes(contract, domain, axes), isApart ? axes.front() : ""};
}

/// Of the way of a scan or a sort: its dimensions, as ContractBody::scans has them; empty for other ways.
static std::string scanOf(const NestWay &way) {
  for (const auto &[word, behind] : {std::pair<std::string, const char *>(kScans, " "), {kSorts, " of "}})
    if (way.apart.rfind(word, 0) == 0)
      return way.apart.substr(word.size(), way.apart.find(behind, word.size()) - word.size());
  return {};
}

DimSet dimsLeftBy(const Contract &contract, const Domain &domain, const std::vector<std::string> &axes, DimSet dims) {
  const NestWay way = nestWayOf(contract, domain, axes);
  const auto sort = sortOf(scanOf(way));
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    const std::string name = printDim(domain.dims[dim]);
    if (way.reduced[dim] || (sort && name == sort->first) || (way.apart == kTakesParts && domain.parted[dim]) ||
        (way.apart == kGathers && domain.gathered[dim]))
      dims[dim] = false;
    else if (sort && name == sort->second)
      dims[dim] = true;
  }
  return dims;
}

bool canDivide(const Contract &contract) {
  return !splitsSums(contract) && !isScattered(contract) && !multiplies(contract) &&
         std::none_of(contract.outputs.begin(), contract.outputs.end(),
                      [](const ContractTensor &output) { return bool(output.reduces); }) &&
         std::all_of(contract.inputs.begin(), contract.inputs.end(),
                     [](const ContractTensor &input) { return input.required && input.broadcast != Broadcast::Numpy; });
}

/// The results of nests: outputs, then the workspace.
static size_t numResults(const Contract &contract) {
  return contract.outputs.size() + contract.workspace.size();
}

/// For each result what its reductions, and ops with loops of their own, do.
static std::vector<std::set<NestWay>> waysOf(const Contract &contract, const Domain &domain) {
  std::vector<std::set<NestWay>> ways(numResults(contract));
  for (const ContractBody &body : contract.bodies)
    for (size_t i = 0; i < std::min(ways.size(), body.results.size()); ++i)
      for (const std::vector<std::string> &axes : body.results[i].axes)
        if (NestWay way = nestWayOf(contract, domain, axes); way.isAny())
          ways[i].insert(std::move(way));
  return ways;
}

/// Whether an output lacks a dimension that other tensors have and that no body reduces. A kernel leaves the same
/// dimensions in all outputs that reduce.
static bool leavesApart(const Contract &contract, const Domain &domain, const DimSet &reduced) {
  for (size_t tensor = contract.inputs.size(); tensor < domain.tensors.size(); ++tensor)
    for (size_t dim = 0; dim < domain.dims.size(); ++dim)
      if (!reduced[dim] && !domain.has(tensor, dim))
        return true;
  return false;
}

/// Whether a body that takes parts reduces them all along the same dimensions, in one kernel.
static bool reducesParts(const Contract &contract, const Domain &domain) {
  if (!domain.hasParts())
    return false;
  std::set<DimSet> sets;
  for (const ContractBody &body : contract.bodies)
    for (const ContractBodyResult &result : body.flow.results)
      for (const std::vector<std::string> &axes : result.axes)
        if (const NestWay way = nestWayOf(contract, domain, axes); way.reduces())
          sets.insert(way.reduced);
  // A scan or a gather beside them has no nest.
  std::string reason;
  return sets.size() == 1 && nestOf(contract, domain, reason);
}

bool isOneKernel(const Contract &contract) {
  std::string reason;
  const std::optional<Domain> domain = domainOf(contract, reason);
  return domain && reducesParts(contract, *domain);
}

bool reducesApart(const Contract &contract) {
  // Most bodies have one list of axes, or none.
  std::set<std::vector<std::string>> lists;
  for (const ContractBody &body : contract.bodies)
    for (const ContractBodyResult &result : body.results)
      lists.insert(result.axes.begin(), result.axes.end());
  if (contract.nest || numResults(contract) < 2 || lists.empty() || !canDivide(contract))
    return false;
  std::string reason;
  std::optional<Domain> domain = domainOf(contract, reason);
  if (!domain || reducesParts(contract, *domain))
    return false;
  std::set<NestWay> all;
  for (const std::set<NestWay> &own : waysOf(contract, *domain))
    all.insert(own.begin(), own.end());
  // One op that has loops of its own is one kernel, as windows are.
  const bool isPlain = all.size() == 1 && all.begin()->apart.empty() && !domain->windows;
  return all.size() > 1 || !contract.workspace.empty() ||
         (isPlain && leavesApart(contract, *domain, all.begin()->reduced));
}

std::vector<int> dimsInDomain(const Contract &contract, size_t tensor) {
  std::string reason;
  const std::optional<Domain> domain = domainOf(contract, reason);
  std::vector<int> dims;
  if (!domain)
    return dims;
  const std::vector<ContractDim> &shape = contract.tensorAt(tensor).shape;
  // The domain is that of the contract's tensors; those of the workspace have its dimensions.
  auto has = [&](size_t dim) {
    return tensor < domain->tensors.size()
               ? domain->has(tensor, dim)
               : std::any_of(
                     shape.begin(), shape.end(),
                     [&](const ContractDim &own) { return printDim(own) == printDim(domain->dims[dim]); });
  };
  for (size_t dim = 0; dim < domain->dims.size(); ++dim)
    dims.push_back(has(dim) ? int(dim) : -1);
  return dims;
}

namespace {

/// Finds the nests of a contract.
class ReductionNests {
public:
  explicit ReductionNests(const Contract &contract) : contract(contract) {}
  std::vector<LaunchNest> find(std::string &reason);

private:
  struct Group {
    NestWay way;
    std::vector<size_t> outputs;
  };
  using Groups = std::vector<Group>; // each after those whose results it reads
  std::string textOf(const NestWay &way) const;
  std::vector<std::string> axesOf(const DimSet &dims, const Contract &nest) const;
  std::set<size_t> inputsOf(const std::vector<size_t> &outputs) const;
  std::set<size_t> readBy(const std::vector<size_t> &outputs) const;
  LaunchNest nestOf(const Group &group, size_t number) const;
  bool hasKernel(const Group &group) const;
  std::string makeGroups(Groups &groups) const;
  void addReducing(Groups &groups, size_t output, const NestWay &way) const;
  void addWithout(Groups &groups, size_t output) const;
  bool addReading(Groups &groups, size_t output, const NestWay &way) const;
  NestWay noWay() const { return {DimSet(domain->dims.size()), ""}; }

  const Contract &contract;
  std::optional<Domain> domain;
};

} // namespace

/// "reductions over [C, S]", "te.scan along 'S'"
std::string ReductionNests::textOf(const NestWay &way) const {
  if (const std::string scan = scanOf(way); !scan.empty())
    return (sortOf(scan) ? "te.sort along '" + sortOf(scan)->first : "te.scan along '" + scan) + "'";
  if (way.apart == kComputes)
    return "what te.sort or te.gather takes";
  if (!way.apart.empty())
    return way.apart;
  std::vector<ContractDim> named;
  for (size_t dim = 0; dim < way.reduced.size(); ++dim)
    if (way.reduced[dim])
      named.push_back(domain->dims[dim]);
  return "reductions over " + printShape(named);
}

/// Axes in the notation of the nest's text: fixed sizes have no name, and are numbers in the domain of the nest.
std::vector<std::string> ReductionNests::axesOf(const DimSet &dims, const Contract &nest) const {
  std::string reason;
  std::optional<Domain> own = domainOf(nest, reason);
  std::vector<std::string> axes;
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    if (!dims[dim])
      continue;
    const ContractDim &named = domain->dims[dim];
    if (named.kind != ContractDim::Fixed) {
      axes.push_back(named.name);
      continue;
    }
    for (size_t place = 0; own && place < own->dims.size(); ++place) {
      if (own->dims[place].kind != ContractDim::Fixed || own->dims[place].size != named.size)
        continue;
      const bool isBehindPack = std::any_of(own->dims.begin(), own->dims.begin() + ptrdiff_t(place),
                                            [](auto &each) { return each.kind == ContractDim::Pack; });
      axes.push_back(std::to_string(int64_t(place) - (isBehindPack ? int64_t(own->dims.size()) : 0)));
    }
  }
  return axes;
}

/// The inputs from which results are computed.
std::set<size_t> ReductionNests::inputsOf(const std::vector<size_t> &outputs) const {
  std::set<unsigned> arguments;
  for (const ContractBody &body : contract.bodies)
    for (size_t output : outputs)
      if (output < body.results.size())
        arguments.insert(body.results[output].arguments.begin(), body.results[output].arguments.end());
  std::set<size_t> inputs;
  for (unsigned argument : arguments)
    for (size_t input : inputsOfArgument(contract, argument))
      inputs.insert(input);
  return inputs;
}

/// The results of other nests from which results are computed.
std::set<size_t> ReductionNests::readBy(const std::vector<size_t> &outputs) const {
  std::set<size_t> read;
  for (const ContractBody &body : contract.bodies)
    for (size_t output : outputs)
      if (output < body.results.size())
        for (unsigned argument : body.results[output].arguments)
          if (argument >= kFirstReturned && argument < kFirstShaped)
            read.insert(argument - kFirstReturned);
  for (size_t output : outputs)
    read.erase(output);
  return read;
}

/// The dimensions along which results have positions: of the others a nest may make loops with their neighbours.
static std::vector<std::string> countedBy(const ContractBody &body, const std::vector<size_t> &outputs) {
  std::set<unsigned> numbers;
  for (size_t output : outputs)
    if (output < body.results.size())
      numbers.insert(body.results[output].arguments.begin(), body.results[output].arguments.end());
  std::vector<std::string> counts;
  for (size_t i = 0; i < body.counts.size(); ++i)
    if (numbers.count(unsigned(kFirstCounted + i)))
      counts.push_back(body.counts[i]);
  return counts;
}

LaunchNest ReductionNests::nestOf(const Group &group, size_t number) const {
  const std::set<size_t> inputs = inputsOf(group.outputs);
  LaunchNest nest;
  nest.contract = contract;
  nest.contract.nest = unsigned(number);
  nest.contract.nestTakesUnits = domain->isOfAll;
  nest.contract.inputs.clear();
  nest.contract.outputs.clear();
  nest.contract.workspace.clear();
  for (size_t input : inputs) {
    nest.contract.inputs.push_back(contract.inputs[input]);
    nest.tensors.push_back(input);
  }
  for (size_t output : readBy(group.outputs)) {
    nest.contract.inputs.push_back(contract.tensorAt(contract.inputs.size() + output));
    nest.tensors.push_back(contract.inputs.size() + output);
    ++nest.contract.nestReads;
  }
  for (size_t output : group.outputs) {
    nest.contract.outputs.push_back(contract.tensorAt(contract.inputs.size() + output));
    nest.tensors.push_back(contract.inputs.size() + output);
  }
  const std::string &apart = group.way.apart;
  for (ContractBody &body : nest.contract.bodies) {
    body.axes.clear();
    body.counts = countedBy(body, group.outputs);
    body.scans.clear();
    if (const std::string scan = scanOf(group.way); !scan.empty())
      body.scans = {scan};
    if (apart != kGathers)
      body.gathers.clear();
    if (apart != kTakesParts) {
      body.parts.clear();
      body.writtenParts.clear();
    }
  }
  // What is an index in one nest may be a number in another.
  for (ContractTensor &input : nest.contract.inputs)
    if (apart != kGathers)
      input.values.reset();
  const std::vector<std::string> axes = axesOf(group.way.reduced, nest.contract);
  for (ContractBody &body : nest.contract.bodies) {
    body.axes = axes;
    body.results.clear();
  }
  return nest;
}

bool ReductionNests::hasKernel(const Group &group) const {
  const LaunchNest nest = nestOf(group, 0);
  return whyNoDomainKernel(nest.contract).empty();
}

/// Adds a result that reduces and reads no others: to the first group over the same dimensions of which a kernel leaves
/// what this result has too.
void ReductionNests::addReducing(Groups &groups, size_t output, const NestWay &way) const {
  for (Group &group : groups) {
    if (group.way != way)
      continue;
    Group with = group;
    with.outputs.push_back(output);
    if (!hasKernel(with))
      continue;
    group = std::move(with);
    return;
  }
  groups.push_back({way, {output}});
}

/// Adds a result without a reduction.
void ReductionNests::addWithout(Groups &groups, size_t output) const {
  for (Group &group : groups) {
    Group with = group;
    with.outputs.insert(std::lower_bound(with.outputs.begin(), with.outputs.end(), output), output);
    if (!hasKernel(with))
      continue;
    group = std::move(with);
    return;
  }
  groups.push_back({noWay(), {output}});
}

/// Adds a result that reads others, if all of these are in groups. It is in the last of their groups if that reduces
/// the same dimensions, or if it reduces none; otherwise in one after them.
bool ReductionNests::addReading(Groups &groups, size_t output, const NestWay &way) const {
  size_t next = 0; // the first group that may read all of them
  for (size_t other : readBy({output})) {
    auto isIn = [&](const Group &group) {
      return std::find(group.outputs.begin(), group.outputs.end(), other) != group.outputs.end();
    };
    const auto found = std::find_if(groups.begin(), groups.end(), isIn);
    if (found == groups.end())
      return false;
    next = std::max(next, size_t(found - groups.begin()) + 1);
  }
  const bool reduces = way.isAny();
  // One that reduces the same dimensions may move behind those that this result reads, if they do not read it.
  auto reads = [&](const Group &group, const Group &other) {
    const std::set<size_t> read = readBy(group.outputs);
    return std::any_of(other.outputs.begin(), other.outputs.end(), [&](size_t each) { return read.count(each) > 0; });
  };
  for (size_t i = 0; reduces && i + 1 < next; ++i) {
    auto own = groups.begin() + ptrdiff_t(i), end = groups.begin() + ptrdiff_t(next);
    if (own->way != way || std::any_of(own + 1, end, [&](const Group &group) { return reads(group, *own); }))
      continue;
    std::rotate(own, own + 1, end);
    break;
  }
  for (size_t i = next - 1; i < groups.size(); ++i) {
    if (reduces ? groups[i].way != way : i >= next)
      continue;
    Group with = groups[i];
    with.outputs.insert(std::lower_bound(with.outputs.begin(), with.outputs.end(), output), output);
    if (!hasKernel(with))
      continue;
    groups[i] = std::move(with);
    return true;
  }
  groups.push_back({way, {output}});
  return true;
}

/// Returns the reason if a result is in no group.
std::string ReductionNests::makeGroups(Groups &groups) const {
  const std::vector<std::set<NestWay>> ways = waysOf(contract, *domain);
  std::vector<size_t> reading;
  for (size_t i = 0; i < ways.size(); ++i) {
    if (ways[i].size() > 1)
      return toldName(contract.tensorAt(contract.inputs.size() + i), "output") + " depends on " +
             textOf(*ways[i].begin()) + " and " + textOf(*std::next(ways[i].begin())) +
             ", where a result has one of both, or they are results themselves";
    if (!readBy({i}).empty())
      reading.push_back(i);
    if (!ways[i].empty() && readBy({i}).empty())
      addReducing(groups, i, *ways[i].begin());
  }
  for (size_t i = 0; i < ways.size(); ++i)
    if (ways[i].empty() && readBy({i}).empty())
      addWithout(groups, i);
  // Those that read others, from the first that others do not wait for.
  while (!reading.empty()) {
    auto add = [&](size_t i) { return addReading(groups, i, ways[i].empty() ? noWay() : *ways[i].begin()); };
    const auto added = std::find_if(reading.begin(), reading.end(), add);
    if (added == reading.end())
      return toldName(contract.tensorAt(contract.inputs.size() + reading.front()), "output") +
             " is computed from itself";
    reading.erase(added);
  }
  return {};
}

std::vector<LaunchNest> ReductionNests::find(std::string &reason) {
  domain = domainOf(contract, reason);
  if (!domain)
    return {};
  Groups groups;
  if (reason = makeGroups(groups); !reason.empty())
    return {};
  std::vector<LaunchNest> nests;
  std::set<size_t> seen;
  for (const Group &group : groups) {
    nests.push_back(nestOf(group, nests.size()));
    seen.insert(nests.back().tensors.begin(), nests.back().tensors.end());
  }
  addSecondForms(nests);
  if (nests.size() > kMostNests)
    return reason = "results reduce more different dimensions than the " + std::to_string(kMostNests) +
                    " kernels of a launch do",
           std::vector<LaunchNest>();
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    if (!seen.count(i))
      return reason = "no result is computed from input '" + contract.inputs[i].name + "'", std::vector<LaunchNest>();
  return nests;
}

std::vector<LaunchNest> reductionNestsOf(const Contract &contract, std::string &reason) {
  return ReductionNests(contract).find(reason);
}

bool readsResults(const Contract &contract) {
  if (!reducesApart(contract))
    return false;
  std::string reason;
  for (const LaunchNest &nest : reductionNestsOf(contract, reason))
    for (size_t i = 0; i < nest.contract.inputs.size(); ++i)
      if (nest.tensors[i] >= contract.inputs.size())
        return true;
  return false;
}

} // namespace opc
