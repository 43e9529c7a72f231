// Tiling functions of contracts with a domain: the loops are known from the contract, so nothing is coalesced. Covers
// permutations and gathers, nests, reductions, windows and matrix products.

#include "lowering/schedule/tiling/TilingBuilder.h"

#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/Reductions.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using opc::aicore::SizeKind;

namespace opc {

/// The most distances between windows and the input for which a launch looks for one that is 0 or more.
static constexpr int64_t kMostDistances = 16;

/// 1 if a window along this dimension has an element of the input: x[p * stride + k * dilation - pad] for some p and k.
/// 0 if all windows are padding, beside the input or, if dilated, around it.
///
/// For an element k that begins in the padding, the first position that brings it to the input is the best one, and its
/// distance from the beginning of the input depends on k only modulo the stride. So of these k, the last ones are
/// enough, as many as there are such distances; and the first k that begins in the input, at position 0. Where there
/// are many distances, a window counts as one with an element: then a kernel loads something for nothing.
Value TilingBuilder::reachesInput(const AxisWindow &axis) {
  Value zero = math.constant(0), one = math.constant(1);
  Value over = sizeNamed(axis.over.name), size = sizeNamed(axis.size.name), places = sizeNamed(axis.places.name);
  auto both = [&](Value isFirst, Value isSecond) { return math.mul(isFirst, isSecond); };
  auto isLess = [&](Value small, Value large) { return math.selectLess(small, large, one, zero); };
  const int64_t inside = (axis.padBegin + axis.dilation - 1) / axis.dilation;
  Value isReached = both(both(isLess(zero, places), isLess(math.constant(inside), size)),
                         isLess(math.constant(inside * axis.dilation - axis.padBegin), over));
  Value behind = math.min(math.constant(inside), size);
  // Windows without gaps: those of the first position that reaches the input have all elements up to their last one.
  const bool isDense = axis.dilation == 1;
  const int64_t distances = isDense ? 1 : axis.stride / std::gcd(axis.stride, axis.dilation);
  for (int64_t back = 1; back <= std::min({distances, inside, kMostDistances}); ++back) {
    Value k = math.sub(behind, math.constant(back));
    Value before = math.sub(math.constant(axis.padBegin), math.mul(k, math.constant(axis.dilation)));
    Value place = math.ceilDiv(before, math.constant(axis.stride));
    Value element = math.sub(math.mul(place, math.constant(axis.stride)), before);
    if (isDense)
      element = math.max(math.sub(element, k), zero);
    Value isThere = both(isLess(math.constant(back - 1), behind), both(isLess(place, places), isLess(element, over)));
    isReached = math.max(isReached, isThere);
  }
  if (std::min(distances, inside) > kMostDistances)
    isReached = both(isLess(zero, places), isLess(zero, math.min(over, size)));
  return isReached;
}

/// The fields of windows: the sizes of the dimensions over which they move, of windows, and of results. There are two
/// dimensions or three, the outer one of size 1 if windows move over one. And whether any window has an element.
void TilingBuilder::addWindows(const Domain &domain) {
  if (!domain.windows)
    return;
  const std::vector<AxisWindow> &axes = domain.windows->axes;
  for (auto [which, dim] :
       {std::pair("in", &AxisWindow::over), std::pair("of", &AxisWindow::size), std::pair("out", &AxisWindow::places)})
    for (size_t axis = 0, missing = axes.size() == 1; axis < axes.size() + missing; ++axis)
      addResult(std::string("window_") + which + std::to_string(axis) + suffix,
                axis < missing ? math.constant(1) : sizeNamed((axes[axis - missing].*dim).name));
  Value isReached = math.constant(1);
  for (const AxisWindow &axis : axes)
    isReached = math.mul(isReached, reachesInput(axis));
  addResult("window_reached" + suffix, isReached);
  windows.emplace();
  windows->hasDepth = axes.size() == 3;
  windows->overDepth = windows->hasDepth ? sizeNamed(axes.front().over.name) : math.constant(1);
  windows->sizeDepth = windows->hasDepth ? sizeNamed(axes.front().size.name) : math.constant(1);
  windows->placesDepth = windows->hasDepth ? sizeNamed(axes.front().places.name) : math.constant(1);
  for (size_t axis = 0; axis < 2; ++axis) {
    const AxisWindow *own = axis + axes.size() < 2 ? nullptr : &axes[axis + axes.size() - 2];
    windows->over[axis] = own ? sizeNamed(own->over.name) : math.constant(1);
    windows->size[axis] = own ? sizeNamed(own->size.name) : math.constant(1);
    windows->places[axis] = own ? sizeNamed(own->places.name) : math.constant(1);
    windows->stride[axis] = own ? own->stride : 1;
    windows->dilation[axis] = own ? own->dilation : 1;
  }
}

Value TilingPolicy::longestOf(TilingMath &math, const ShapeKey &, const LaunchWindows &, int64_t longest) const {
  return math.constant(longest);
}

Value TilingPolicy::reachOf(TilingMath &math, const ShapeKey &, const LaunchWindows &windows) const {
  Value others = math.max(math.sub(windows.size[1], math.constant(1)), math.constant(0));
  return math.mul(others, math.constant(windows.dilation[1]));
}

/// `number`, or `others` if a window of the launch covers more elements of a row than the policy allows.
Value TilingBuilder::unlessTooLong(const ShapeKey &key, Value number, Value others) {
  std::optional<int64_t> longest = windows ? policy.longestWindow(key) : std::nullopt;
  if (!longest)
    return number;
  return math.selectLess(policy.reachOf(math, key, *windows), policy.longestOf(math, key, *windows, *longest), number,
                         others);
}

/// Shorter rows are not copied separately: `any` packs them (CPU), or is not slower (AI Core).
static constexpr int64_t kLeastStrided = 64;

/// No kernel serves a launch with elements whose gathered dimension is empty: the dimension has no valid address.
void TilingBuilder::requirePlaces(PermutedLaunch &launch, unsigned dim) {
  Value zero = math.constant(0);
  Value none = math.selectEqual(productOf(launch.domain, dim), zero, math.constant(1), zero);
  launch.unserved = math.max(launch.unserved, math.selectEqual(launch.elements, zero, zero, none));
}

/// Sets `is` to 1 if a length exceeds the longest.
void TilingBuilder::setIfLonger(Value &is, int64_t longest, Value length) {
  is = math.max(is, math.selectLess(math.constant(longest), length, math.constant(1), math.constant(0)));
}

/// The fields of one operand: where it starts, and how it moves along the loops.
void TilingBuilder::addPermuted(PermutedLaunch &launch, const DomainOperand &operand, const ShapeKey::Operand &ofKey) {
  const Domain &domain = launch.domain;
  const size_t tensor = operand.tensor;
  const std::string &name = operand.name;
  Value zero = math.constant(0), one = math.constant(1);
  const bool isScattered = launch.strided && launch.strided->kind == ShapeKey::Scattered;
  if (!operand.index.empty() || of->nest)
    addResult(name + "_at", math.selectEqual(launch.elements, zero, zero, startOf(domain, operand)));
  SmallVector<Value, kMaxLoops> strides;
  for (const DomainLoop &loop : launch.loops)
    strides.push_back(strideOf(domain, tensor, loop));
  addBatchStrides(name, strides);
  if (ofKey.isOfLaunch) {
    auto along = [&](unsigned loop) { return math.constant(int64_t(hasLoop(domain, tensor, launch.loops[loop]))); };
    addResult(name + "_along_m", along(1));
    addResult(name + "_along_n", along(0));
  }
  // A gathered or sorted tensor may broadcast along the loops of its indices.
  if (ofKey.indices || ofKey.isSorted) {
    const unsigned gathered = *domain.gatheredOf(tensor);
    addResult(name + "_m", strides[1]);
    addResult(name + "_n", strides[0]);
    addResult(name + "_step", strideOf(domain, tensor, {{gathered}, false}));
    addResult(name + "_count", productOf(domain, gathered));
    if (launch.strided->kind == ShapeKey::Gather || isScattered)
      requirePlaces(launch, gathered);
    if (isScattered && tensor >= of->inputs.size())
      addResult(name + "_elements", input(SizeKind::NumElements, 0, name));
    if (std::optional<int64_t> longest = ofKey.isSorted ? policy.longestSorted() : policy.longestLine(name))
      setIfLonger(ofKey.isSorted ? launch.unserved : launch.isLong, *longest, productOf(domain, gathered));
  } else if (!ofKey.places.empty()) {
    // Offsets of indices are 32-bit numbers.
    launch.unserved =
        math.max(launch.unserved, math.selectLess(input(SizeKind::NumElements, 0, of->tensorAt(tensor).name),
                                                  math.constant(int64_t(1) << 31), zero, one));
    addResult(name + "_m", strides[1]);
    addResult(name + "_n", strides[0]);
    for (auto [number, dim] : llvm::enumerate(ofKey.places)) {
      addResult(name + "_step" + std::to_string(number), strideOf(domain, tensor, {{dim}, false}));
      addResult(name + "_count" + std::to_string(number), productOf(domain, dim));
      requirePlaces(launch, dim);
    }
    if (std::optional<int64_t> longest = policy.longestLine(name))
      setIfLonger(launch.isLong, *longest, productOf(domain, ofKey.places.back()));
  } else if (ofKey.isOfLaunch || launch.movesRows || launch.strided) {
    addResult(name + "_m", math.max(strides[1], one));
  }
  if (ofKey.isAcross && !ofKey.indices)
    addResult(name + "_n", math.max(strides[0], one));
}

// The loops are known at compile time. Rows are the loop along which inputs that are read across are contiguous, if the
// policy requires it; else all loops are in the order of the outputs.
void TilingBuilder::permuted(const Domain &domain, const DomainNest &nest, ArrayRef<ShapeKey> keys) {
  unsigned last = unsigned(nest.loops.size()) - 1, rows = last - 1;
  bool movesRows = nest.across && policy.takesRowsAcross();
  if (movesRows)
    rows = *nest.across;
  SmallVector<DomainLoop, kMaxLoops> loops = {nest.loops[last], nest.loops[rows]}; // innermost first
  for (unsigned loop = last; loop-- > 0;)
    if (loop != rows)
      loops.push_back(nest.loops[loop]);
  // The key that takes elements of long lines one by one has the same loops and operands.
  const ShapeKey *elementwise = llvm::find_if(keys, [](const ShapeKey &key) { return key.takesElements; });
  const ShapeKey &own = elementwise == keys.end() ? keys.back() : *std::prev(elementwise);
  loops.resize(own.kind == ShapeKey::Any ? kMaxLoops : kMostLoops);

  const ShapeKey *strided = llvm::find_if(keys, [](const ShapeKey &key) {
    return key.kind == ShapeKey::Strided || key.kind == ShapeKey::Counted || key.kind == ShapeKey::Scanned ||
           key.kind == ShapeKey::Gather || key.kind == ShapeKey::Lookup || key.kind == ShapeKey::Sorted ||
           key.kind == ShapeKey::Scattered;
  });
  Value zero = math.constant(0), one = math.constant(1);
  Value elements = one;
  // A range may be empty where its tensor is not.
  for (const DomainLoop &loop : loops)
    if (of->nest)
      elements = math.selectEqual(productOf(domain, loop.dims), zero, zero, elements);
  if (!of->nest)
    elements = input(SizeKind::NumElements, 0, contract.tensorAt(domain.whole).name);
  // In a launch without elements both inner loops are empty, which keeps products small.
  SmallVector<Value, kMaxLoops> sizes;
  for (auto [number, loop] : llvm::enumerate(loops))
    sizes.push_back(math.selectEqual(elements, zero, number < 2 ? zero : one, productOf(domain, loop.dims)));
  addLaunchSizes(sizes);
  PermutedLaunch launch{domain, loops, elements, strided == keys.end() ? nullptr : strided, movesRows, zero, zero};
  for (auto [operand, ofKey] : llvm::zip_equal(operandsOf(*of, domain), own.operands))
    if (of->tensorAt(operand.tensor).broadcast != Broadcast::Scalar)
      addPermuted(launch, operand, ofKey);
  Value unserved = launch.unserved, isLong = launch.isLong;
  number = math.constant(own.number);
  if (strided == keys.end())
    return;
  sizesOfKind(strided->kind) = {{sizes[1], sizes[0]}, sizes[3], sizes[2]};
  if (strided->kind != ShapeKey::Lookup)
    number = math.selectLess(sizes[0], math.constant(kLeastStrided), number, math.constant(strided->number));
  if (elementwise != keys.end())
    number = math.selectEqual(isLong, zero, number, math.constant(elementwise->number));
  else
    unserved = math.max(unserved, isLong);
  if (strided->kind == ShapeKey::Lookup) {
    number = math.selectEqual(unserved, zero, number, math.constant(kMaxShapeKeys));
    return;
  }
  const bool takesApart =
      strided->kind == ShapeKey::Gather || strided->kind == ShapeKey::Scattered || strided->kind == ShapeKey::Sorted;
  if (takesApart && unserved != zero)
    number = math.selectEqual(unserved, zero, number, math.constant(kMaxShapeKeys));
}

// Each nest has its own loops, whose fields end with its number.
void TilingBuilder::nests() {
  std::string reason;
  const std::vector<LaunchNest> all = nestsOf(contract, reason);
  Value unserved = math.constant(0);
  for (const ShapeKey &key : keys) {
    of = &all[*key.nest].contract;
    number = math.constant(0);
    suffix = key.suffix();
    const Domain domain = *domainOf(*of, reason);
    const DomainNest nest = *::opc::nestOf(*of, domain, reason);
    if (nest.form == DomainNest::Elementwise)
      permuted(domain, nest, key);
    else
      reductionNest(domain, nest, key);
    // A nest that gathers refuses launches with an empty dimension, or with a longer one than its kernel holds.
    if (nest.form == DomainNest::Elementwise && domain.gathers())
      unserved = math.selectEqual(number, math.constant(kMaxShapeKeys), math.constant(1), unserved);
    if (domain.windows)
      unserved = math.max(unserved, unlessTooLong(key, math.constant(0), math.constant(1)));
    std::optional<unsigned> other = all[*key.nest].first;
    for (const LaunchNest &each : all)
      if (each.first && each.first == key.nest)
        other = each.contract.nest;
    addResult("runs" + suffix, runsOf(key, other));
  }
  of = &contract;
  suffix.clear();
  number = math.selectEqual(unserved, math.constant(0), math.constant(0), math.constant(kMaxShapeKeys));
  if (!policy.addsBlocks())
    addWorkspace();
}

/// Where each tensor of the workspace begins, and its size, in bytes.
void TilingBuilder::addWorkspace() {
  if (contract.workspace.empty())
    return;
  std::string reason;
  const Domain domain = *domainOf(contract, reason);
  Value bytes = math.constant(0), unit = math.constant(kWorkspaceAlignment);
  for (size_t i = contract.inputs.size() + contract.outputs.size(); i < contract.numTensors(); ++i) {
    const ContractTensor &tensor = contract.tensorAt(i);
    addResult(tensor.name + "_at", bytes);
    SmallVector<unsigned> dims;
    for (int dim : dimsInDomain(contract, i))
      if (dim >= 0)
        dims.push_back(unsigned(dim));
    Value own = math.mul(productOf(domain, dims), math.constant(int64_t(elementSize(tensor.types[typeRow]))));
    bytes = math.add(bytes, math.mul(math.ceilDiv(own, unit), unit));
  }
  addResult("workspace", bytes);
}

/// 1 if a launch runs a nest: it has results, and its rows have the length of this kernel. `other`: the nest with the
/// same rows in another form.
Value TilingBuilder::runsOf(const ShapeKey &key, std::optional<unsigned> other) {
  Value zero = math.constant(0), one = math.constant(1), runs = one;
  const KindSizes &sizes = sizesFor(key);
  auto require = [&](Value size) { runs = math.selectEqual(size, zero, zero, runs); };
  require(sizes.batch0);
  require(sizes.batch1);
  // Without elements along a reduced loop there are no results if all of them have it.
  auto allHave = [&](unsigned loop) {
    return llvm::all_of(key.operands, [&](const ShapeKey::Operand &operand) {
      return operand.tensor < contract.inputs.size() || llvm::is_contained(operand.dims, int(loop));
    });
  };
  for (auto [loop, size] : llvm::enumerate(sizes.size))
    if (!key.reduced[loop] || (key.kind == ShapeKey::SplitRows && loop == 2 && allHave(2)))
      require(size);
  const auto *twin = llvm::find_if(keys, [&](const ShapeKey &each) { return other && each.nest == other; });
  if (twin == keys.end())
    return runs;
  Value isLong = isLongRow(key.isLong ? *twin : key, sizes.size.back());
  return math.selectEqual(isLong, math.constant(key.isLong), runs, zero);
}

/// 1 if rows of this length use the long form, which also handles rows without elements.
Value TilingBuilder::isLongRow(const ShapeKey &shortKey, Value length) {
  Value zero = math.constant(0), one = math.constant(1);
  std::optional<int64_t> longest = policy.longestRow(shortKey);
  if (!longest)
    return zero;
  Value isLong = math.selectLess(math.constant(*longest), length, one, zero);
  return math.selectEqual(length, zero, one, isLong);
}

void TilingBuilder::domain() {
  if (hasNests(contract))
    return nests();
  std::string reason;
  const Domain domain = *domainOf(contract, reason);
  const DomainNest nest = *nestOf(contract, domain, reason);
  Value zero = math.constant(0);
  if (nest.isPermuted)
    return permuted(domain, nest, keys);
  if (nest.form == DomainNest::Elementwise) {
    Value elements = input(SizeKind::NumElements, 0, contract.tensorAt(domain.whole).name);
    if (moving.empty())
      return flat(elements);
    SmallVector<Value> sizes, ofDims;
    for (unsigned dim = unsigned(domain.dims.size()); dim-- > 0;) {
      int64_t still = 0;
      for (auto [bit, group] : llvm::enumerate(moving))
        still |= int64_t(!domain.has(group.front(), dim)) << bit;
      llvm::append_range(sizes, sizesOfDim(domain, dim));
      ofDims.resize(sizes.size(), math.constant(still));
    }
    return broadcasting(sizes, ofDims, elements);
  }

  const ShapeKey &first = keys.front();
  reductionNest(domain, nest, first);
  number = unlessTooLong(first, math.constant(first.number), math.constant(kMaxShapeKeys));
  const ShapeKey *shortKey = findKey(ShapeKey::Rows, false);
  if (!shortKey)
    return;
  if (std::optional<int64_t> longest = policy.longestRow(*shortKey)) {
    const ShapeKey *longKey = shortKey->isStrided ? &first : findKey(ShapeKey::Rows, true);
    Value length = sizesFor(*shortKey).size[1], longNumber = math.constant(longKey->number);
    number = math.selectLess(math.constant(*longest), length, longNumber, math.constant(shortKey->number));
    // The long form also handles rows without elements, over which it makes no pass.
    number = math.selectEqual(length, zero, longNumber, number);
  }
  if (!shortKey->isStrided)
    return;
  // The fields of the loops are those of the key.
  const KindSizes &sizes = sizesFor(*shortKey);
  for (auto [loop, size] : llvm::enumerate(sizes.size)) {
    const std::string field = "size" + std::to_string(loop);
    auto result = llvm::find_if(results, [&](const auto &each) { return each.first == field; });
    result->second = math.selectEqual(number, math.constant(shortKey->number), size, result->second);
  }
}

/// The loops of a nest in which bodies reduce, and the strides of its tensors.
void TilingBuilder::reductionNest(const Domain &domain, const DomainNest &nest, const ShapeKey &key) {
  KindSizes launch;
  for (auto [number, loop] : llvm::enumerate(ArrayRef<DomainLoop>(nest.loops).take_back(key.loops))) {
    launch.size.push_back(productOf(domain, loop.dims));
    addResult("size" + std::to_string(number) + suffix, launch.size.back());
  }
  // Of each run of R0 and of the outer batch loop, innermost first, if there are several.
  ArrayRef<DomainLoop> runs = nest.runs, batchRuns = nest.batchRuns;
  for (size_t run = 0; run < runs.size() && runs.size() > 1; ++run)
    addResult("size0_r" + std::to_string(run) + suffix, productOf(domain, runs[runs.size() - 1 - run].dims));
  for (size_t run = 0; run < batchRuns.size(); ++run)
    addResult("batch0_r" + std::to_string(run) + suffix, productOf(domain, batchRuns[batchRuns.size() - 1 - run].dims));
  launch.batch0 = productOf(domain, nest.batches[0].dims);
  launch.batch1 = productOf(domain, nest.batches[1].dims);
  addResult("batch0" + suffix, launch.batch0);
  addResult("batch1" + suffix, launch.batch1);
  // A launch without elements accesses none, wherever parts would begin.
  Value isEmpty = math.constant(0);
  for (size_t dim = 0; dim < domain.dims.size() && (domain.hasParts() || domain.hasRanges); ++dim)
    isEmpty = math.selectEqual(productOf(domain, {unsigned(dim)}), math.constant(0), math.constant(1), isEmpty);
  bool isSplit = nest.form != DomainNest::Rows;
  for (const DomainOperand &operand : operandsOf(*of, domain)) {
    const size_t tensor = operand.tensor;
    const std::string &name = operand.name;
    // The tensors of a nest are parts. A scalar is the same for all nests.
    if ((of->nest && of->tensorAt(tensor).broadcast != Broadcast::Scalar) || !operand.index.empty())
      addResult(name + "_at", math.selectEqual(isEmpty, math.constant(0), startOf(domain, operand), math.constant(0)));
    auto addOnce = [&](const std::string &field, const DomainLoop &loop) {
      if (!of->nest || llvm::none_of(results, [&](const auto &each) { return each.first == field; }))
        addResult(field, strideOf(domain, tensor, loop));
    };
    auto addRuns = [&](const std::string &field, ArrayRef<DomainLoop> of) {
      for (size_t run = 0; run < of.size(); ++run)
        addOnce(field + std::to_string(run), of[of.size() - 1 - run]);
    };
    if (batchRuns.empty())
      addOnce(name + "_s0", nest.batches[0]);
    addRuns(name + "_b", batchRuns);
    addOnce(name + "_s1", nest.batches[1]);
    if (isSplit) {
      if (runs.empty() && !key.isStrided)
        addOnce(name + "_r0", nest.loops[0]);
      addRuns(name + "_r", runs);
      addOnce(name + "_m", nest.loops[1]);
    }
  }
  addWindows(domain);
  if (nest.hasStridedRows() && !key.isStrided)
    sizesOfKind(ShapeKey::Rows) = {{launch.size[1], launch.size[2]}, launch.batch0, launch.batch1};
  sizesOfKind(key.kind) = std::move(launch);
}

/// The loops of a product, of whose batches the contract says which tensors have them.
void TilingBuilder::batches(const Domain &domain, const Contraction &product, KindSizes &launch) {
  for (auto [loop, size] : llvm::enumerate(launch.size))
    addResult("size" + std::to_string(loop), size);
  launch.batch0 = productOf(domain, product.batches[0].dims);
  launch.batch1 = productOf(domain, product.batches[1].dims);
  addResult("batch0", launch.batch0);
  addResult("batch1", launch.batch1);
  for (size_t tensor = 0; tensor < domain.tensors.size(); ++tensor) {
    addResult(contract.tensorAt(tensor).name + "_s0", strideOf(domain, tensor, product.batches[0]));
    addResult(contract.tensorAt(tensor).name + "_s1", strideOf(domain, tensor, product.batches[1]));
  }
}

// Rows of a tensor are those of its matrix in memory: for a transposed operand they are along k or n.
void TilingBuilder::contraction() {
  std::string reason;
  const Domain domain = *domainOf(contract, reason);
  const Contraction product = *contractionOf(contract, domain, reason);
  KindSizes launch;
  // In a launch without results all loops are empty, which keeps products small. Results of empty rows are written.
  const size_t counted = product.ofRows.value_or(domain.whole);
  Value zero = math.constant(0), results = input(SizeKind::NumElements, 0, contract.tensorAt(counted).name);
  for (const DomainLoop *loop : {&product.m, &product.n, &product.k})
    launch.size.push_back(math.selectEqual(results, zero, zero, productOf(domain, loop->dims)));
  if (product.stretched)
    stretchedBatches(domain, product, results, launch);
  else
    batches(domain, product, launch);
  for (size_t tensor = 0; tensor < domain.tensors.size(); ++tensor) {
    const std::string &name = contract.tensorAt(tensor).name;
    const DomainLoop &rows = tensor == product.left && !product.isLeftAlongK    ? product.k
                             : tensor == product.right && product.isRightAlongK ? product.n
                             : tensor == product.right                          ? product.k
                                                                                : product.m;
    addResult(name + "_m", strideOf(domain, tensor, rows));
  }
  addWindows(domain);
  sizesOfKind(ShapeKey::Contraction) = std::move(launch);
  const ShapeKey *wide = llvm::find_if(keys, [](const ShapeKey &key) { return key.isWide; });
  auto otherwise = [&](Value others) {
    return wide == keys.end() ? others : unlessTooLong(*wide, math.constant(wide->number), others);
  };
  number = unlessTooLong(keys.front(), math.constant(keys.front().number), otherwise(math.constant(kMaxShapeKeys)));
  if (auto few = wide == keys.end() ? std::nullopt : policy.fewProducts(math, sizesFor(keys.front()).size, *windows))
    number = math.selectLess(few->first, few->second, otherwise(number), number);
  if (product.reducesRows)
    takeLongRows();
  // A row of nothing has a result if it is one element.
  if (product.ofRows && !policy.reducesNothing())
    number =
        math.selectEqual(results, zero, number,
                         math.selectEqual(sizesFor(keys.front()).size[1], zero, math.constant(kMaxShapeKeys), number));
  const ShapeKey *resident = llvm::find_if(keys, [](const ShapeKey &key) { return key.isResident; });
  if (resident != keys.end() && policy.longestPanel(*resident))
    choosePanel();
}

/// Takes the first key whose tiles have whole rows, or none.
void TilingBuilder::takeLongRows() {
  Value columns = sizesFor(keys.front()).size[1], shorter = number;
  number = math.constant(kMaxShapeKeys);
  for (const ShapeKey &key : llvm::reverse(keys)) {
    if (key.hasResidentRight)
      continue;
    const std::optional<int64_t> longest = policy.longestRow(key);
    Value taken = key.isLong ? math.constant(key.number) : shorter;
    number = longest ? math.selectLess(math.constant(*longest), columns, number, taken) : taken;
  }
  takeResidentRight();
}

/// Takes the key whose right matrix stays in L1 if it fits, unless a batch has few rows.
void TilingBuilder::takeResidentRight() {
  const ShapeKey *key = llvm::find_if(keys, [](const ShapeKey &each) { return each.hasResidentRight; });
  const auto limits = key == keys.end() ? std::nullopt : policy.rightLimits(*key);
  if (!limits)
    return;
  const ArrayRef<Value> size = sizesFor(keys.front()).size;
  auto unlessMore = [&](Value size, int64_t most, Value taken) {
    return math.selectLess(math.constant(most), size, number, taken);
  };
  Value taken = unlessMore(size[1], limits->longestRow, math.constant(key->number));
  taken = unlessMore(size[2], limits->mostOfK, taken);
  number = math.selectLess(math.constant(limits->fewRows), size[0], taken, number);
}

/// Takes the key with the least traffic of those whose panel has all of k, and of the one without a panel.
void TilingBuilder::choosePanel() {
  Value zero = math.constant(0), one = math.constant(1);
  const KindSizes &sizes = sizesFor(keys.front());
  Value others = zero;
  // Windows of one element are contiguous if there is no padding. Padding before is known at compile time; padding
  // after adds positions.
  auto addAxis = [&](Value size, Value places, Value over) {
    others =
        math.add(others, math.add(math.selectEqual(size, one, zero, one), math.selectEqual(places, over, zero, one)));
  };
  for (size_t axis = 0; windows && axis < 2; ++axis)
    addAxis(windows->size[axis], windows->places[axis], windows->over[axis]);
  if (windows && windows->hasDepth)
    addAxis(windows->sizeDepth, windows->placesDepth, windows->overDepth);
  constexpr int64_t none = int64_t(1) << 62; // more than any traffic
  // A tile of few products is bound by what begins and ends it, so it is the largest that the first panel has.
  constexpr int64_t shortK = 48;
  // Of equals the first one with a panel, whose rows of memory are longer.
  Value chosen, least;
  for (const ShapeKey &key : keys) {
    const std::optional<int64_t> longest = key.isResident ? policy.longestPanel(key) : std::nullopt;
    if (!longest)
      continue;
    Value traffic = math.selectLess(math.constant(*longest), sizes.size[2], math.constant(none),
                                    policy.trafficOf(math, key, sizes.size));
    if (chosen)
      traffic = math.selectLess(sizes.size[2], math.constant(shortK), math.constant(none), traffic);
    chosen = chosen ? math.selectLess(traffic, least, math.constant(key.number), chosen) : math.constant(key.number);
    least = least ? math.min(least, traffic) : traffic;
  }
  Value streamed = policy.trafficOf(math, keys.front(), sizes.size);
  chosen = math.selectLess(streamed ? streamed : math.constant(none - 1), least, number, chosen);
  number = math.selectEqual(others, zero, chosen, number);
}

} // namespace opc
