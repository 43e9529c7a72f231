// One class serves all kinds of contracts, which differ only in the origin of the loops and of the key's number.
// Fields are merged over the keys by selects on that number. A verifier that knows the number then knows which
// operand each select chooses.

#include "lowering/schedule/tiling/TilingFunction.h"

#include "dialect/aicore/AICoreOps.h"
#include "lowering/schedule/tiling/Coalesce.h"
#include "lowering/schedule/tiling/SizeValues.h"
#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/Nests.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using opc::aicore::AICoreDialect;
using opc::aicore::SizeKind;

namespace opc {

namespace {

class TilingBuilder : SizeValues {
public:
  TilingBuilder(func::FuncOp function, const Contract &contract, ArrayRef<ShapeKey> keys, unsigned typeRow,
                TilingPolicy &policy, const StaticShapes &shapes)
      : SizeValues(function, contract, shapes), keys(keys), typeRow(typeRow), policy(policy) {}

  void build();

private:
  /// The loops of a launch, for keys of one kind.
  struct KindSizes {
    SmallVector<Value, 3> size;
    Value batch0, batch1;
  };

  void flat(Value elements);
  void elementwise();
  void rows();
  void reduction();
  void domain();
  void contraction();
  void addWindows(const Domain &domain);
  Value unlessTooLong(const ShapeKey &key, Value number);
  void broadcasting(ArrayRef<Value> sizes, ArrayRef<Value> ofDims, Value elements);
  Value patternOf(const ShapeKey &key);
  void permuted(const Domain &domain, const DomainNest &nest, ArrayRef<ShapeKey> keys);
  void nests();
  void reductionNest(const Domain &domain, const DomainNest &nest, const ShapeKey &key);
  Value runsOf(const ShapeKey &key);
  Value isLongRow(const ShapeKey &shortKey, Value length);
  void addLaunchSizes(ArrayRef<Value> sizes);
  void addBatchStrides(const std::string &name, ArrayRef<Value> ofLoop);
  void addStrides(const CoalescedLoops &loops, unsigned mostLoops);
  void addResult(const std::string &name, Value value) { results.emplace_back(name, value); }
  void addPolicyFields();
  void finish();

  const KindSizes &sizesFor(const ShapeKey &key) const { return sizesOf.find({key.kind, key.nest})->second; }
  KindSizes &sizesOfKind(ShapeKey::Kind kind) { return sizesOf[{kind, of->nest}]; }

  std::string suffix; ///< suffix of the names of loops of the current nest
  ArrayRef<ShapeKey> keys;
  unsigned typeRow;
  TilingPolicy &policy;

  Value number; ///< number of the key; kMaxShapeKeys if there is none
  std::map<std::pair<ShapeKey::Kind, std::optional<unsigned>>, KindSizes> sizesOf;
  std::optional<LaunchWindows> windows;
  std::vector<std::vector<unsigned>> moving; ///< groups of inputs; each has a bit in a class
  // Patterns of elementwise keys: the class of the outer loop times `classes`, plus the class of the inner loop.
  // Patterns from `flatPatterns` on are those with one loop.
  int64_t classes = 1, flatPatterns = 1;
  std::vector<std::pair<std::string, Value>> results, policyResults;
};

} // namespace

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Value TilingBuilder::patternOf(const ShapeKey &key) {
  int64_t outer = 0, inner = 0;
  for (auto [bit, group] : llvm::enumerate(moving)) {
    const std::vector<int> &dims = key.operands[group.front()].dims;
    inner |= int64_t(dims.back() < 0) << bit;
    outer |= int64_t(dims.front() < 0) << bit;
  }
  return math.constant(key.loops == 1 ? flatPatterns + inner : outer * classes + inner);
}

/// The sizes of the loops of `any`, innermost first.
void TilingBuilder::addLaunchSizes(ArrayRef<Value> sizes) {
  addResult("size0" + suffix, sizes[1]);
  addResult("size1" + suffix, sizes[0]);
  addResult("batch0" + suffix, sizes[3]);
  addResult("batch1" + suffix, sizes[2]);
  Value batches = sizes[2];
  for (unsigned loop = kMostLoops; loop < sizes.size(); ++loop) {
    addResult("batch" + std::to_string(loop - 2), sizes[loop]);
    batches = math.mul(batches, sizes[loop]);
  }
  sizesOfKind(ShapeKey::Any) = {{sizes[1], sizes[0]}, sizes[3], batches};
}

/// The strides of the batch loops in elements, from those of all loops, innermost first.
void TilingBuilder::addBatchStrides(const std::string &name, ArrayRef<Value> ofLoop) {
  addResult(name + "_s0", ofLoop[3]);
  addResult(name + "_s1", ofLoop[2]);
  for (unsigned loop = kMostLoops; loop < ofLoop.size(); ++loop)
    addResult(name + "_s" + std::to_string(loop - 2), ofLoop[loop]);
}

// The distances in elements between trips of the batch loops: the product of the loops inside them.
void TilingBuilder::addStrides(const CoalescedLoops &loops, unsigned mostLoops) {
  auto bitOf = [&](unsigned loop, unsigned bit) {
    return math.rem(math.floorDiv(loops.type[loop], math.constant(int64_t(1) << bit)), math.constant(2));
  };
  auto strides = [&](const ContractTensor &tensor, std::optional<unsigned> bit) {
    Value zero = math.constant(0), one = math.constant(1), stride = one;
    SmallVector<Value> ofLoop;
    for (unsigned loop = 0; loop < mostLoops; ++loop) {
      Value repeated = bit ? bitOf(loop, *bit) : zero;
      ofLoop.push_back(math.selectEqual(repeated, zero, stride, zero));
      if (loop + 1 < mostLoops)
        stride = math.mul(stride, math.selectEqual(repeated, zero, loops.size[loop], one));
    }
    addBatchStrides(tensor.name, ofLoop);
    if (mostLoops == kMostLoops || !bit)
      return;
    // For `any`: whether it varies along the loops of a tile, and its row stride if there are several rows.
    auto along = [&](unsigned loop) { return math.selectEqual(bitOf(loop, *bit), zero, one, zero); };
    addResult(tensor.name + "_along_m", along(1));
    addResult(tensor.name + "_along_n", along(0));
    addResult(tensor.name + "_m", math.max(math.selectEqual(along(0), one, loops.size[0], one), one));
  };
  for (auto [index, tensor] : llvm::enumerate(contract.inputs)) {
    if (tensor.broadcast == Broadcast::Scalar)
      continue;
    auto group = llvm::find_if(moving, [&](const auto &inputs) { return llvm::is_contained(inputs, index); });
    strides(tensor, group == moving.end() ? std::nullopt : std::optional<unsigned>(group - moving.begin()));
  }
  for (const ContractTensor &tensor : contract.outputs)
    strides(tensor, std::nullopt);
}

void TilingBuilder::flat(Value elements) {
  number = math.constant(0);
  sizesOfKind(ShapeKey::Flat) = {{elements}, math.constant(1), math.constant(1)};
  addResult("size0", elements);
}

void TilingBuilder::elementwise() {
  const ContractTensor &output = contract.outputs.front();
  Value zero = math.constant(0);
  Value elements = input(SizeKind::NumElements, 0, output.name);
  if (moving.empty())
    return flat(elements);
  SmallVector<Value> sizes, ofDims;
  for (unsigned fromLast = 1; fromLast <= kMaxRank; ++fromLast) {
    Value size = dimOf(output, fromLast), type = zero;
    for (auto [bit, group] : llvm::enumerate(moving)) {
      Value own = dimOf(contract.inputs[group.front()], fromLast);
      type = math.add(type, math.selectEqual(own, size, zero, math.constant(int64_t(1) << bit)));
    }
    sizes.push_back(size);
    ofDims.push_back(type);
  }
  broadcasting(sizes, ofDims, elements);
}

// The loops of an elementwise launch, from its dimensions (last first) and the groups of inputs that broadcast there.
void TilingBuilder::broadcasting(ArrayRef<Value> sizes, ArrayRef<Value> ofDims, Value elements) {
  Value zero = math.constant(0), one = math.constant(1);
  bool hasGrid = llvm::any_of(keys, [](const ShapeKey &key) { return key.loops == 2; });
  const ShapeKey *any = llvm::find_if(keys, [](const ShapeKey &key) { return key.kind == ShapeKey::Any; });
  const bool hasAny = any != keys.end();
  const unsigned mostLoops = hasAny ? kMaxLoops : kMostLoops;
  CoalescedLoops loops = coalesce(math, sizes, ofDims, mostLoops);
  // Without elements nothing broadcasts, and both inner loops are empty, which keeps products small.
  for (unsigned loop = 0; loop < mostLoops; ++loop)
    loops.size[loop] = math.selectEqual(elements, zero, loop < 2 ? zero : one, loops.size[loop]);
  Value two = math.constant(2), ofFlat = math.constant(flatPatterns);
  Value pattern =
      math.selectLess(loops.count, two, math.add(loops.type[0], ofFlat),
                      math.selectLess(loops.count, math.constant(kMostLoops + 1),
                                      math.add(math.mul(loops.type[1], math.constant(classes)), loops.type[0]),
                                      math.constant(2 * flatPatterns)));
  pattern = math.selectEqual(elements, zero, ofFlat, pattern);
  number = math.constant(hasAny ? any->number : kMaxShapeKeys);
  for (const ShapeKey &key : keys)
    if (key.kind != ShapeKey::Any)
      number = math.selectEqual(pattern, patternOf(key), math.constant(key.number), number);

  sizesOfKind(ShapeKey::Flat) = {{loops.size[0]}, one, one};
  if (!hasGrid) {
    addResult("size0", loops.size[0]);
    return;
  }
  sizesOfKind(ShapeKey::Grid) = {{loops.size[1], loops.size[0]}, loops.size[3], loops.size[2]};
  Value isFlat = zero;
  for (const ShapeKey &key : keys)
    if (key.kind == ShapeKey::Flat)
      isFlat = math.selectEqual(number, math.constant(key.number), one, isFlat);
  addResult("size0", math.selectEqual(isFlat, one, loops.size[0], loops.size[1]));
  addResult("size1", loops.size[0]);
  addResult("batch0", loops.size[3]);
  addResult("batch1", loops.size[2]);
  if (hasAny) {
    Value batches = loops.size[2];
    for (unsigned loop = kMostLoops; loop < mostLoops; ++loop) {
      addResult("batch" + std::to_string(loop - 2), loops.size[loop]);
      batches = math.mul(batches, loops.size[loop]);
    }
    sizesOfKind(ShapeKey::Any) = {{loops.size[1], loops.size[0]}, loops.size[3], batches};
  }
  addStrides(loops, mostLoops);
}

//===----------------------------------------------------------------------===//
// Rows and reductions
//===----------------------------------------------------------------------===//

static const ShapeKey *findKey(ArrayRef<ShapeKey> keys, ShapeKey::Kind kind, bool isLong) {
  for (const ShapeKey &key : keys)
    if (key.kind == kind && key.isLong == isLong)
      return &key;
  return nullptr;
}

static bool mayBeEmpty(const Contract &contract, const ContractDim &dim) {
  return dim.kind == ContractDim::Symbol && llvm::none_of(contract.dimensions, [&](const ContractDimension &known) {
           return !known.isPack && known.name == dim.name && known.minimum > 0;
         });
}

void TilingBuilder::rows() {
  Value one = math.constant(1);
  const ShapeKey &shortKey = *findKey(keys, ShapeKey::Rows, false);
  size_t whole = 0;
  while (shortKey.operands[whole].dims != std::vector<int>{0, 1})
    ++whole;
  const ContractTensor &tensor = contract.inputs[whole];
  Value length = dimOf(tensor, 1), count = one;
  for (unsigned fromLast = 2; fromLast <= kMaxRank; ++fromLast)
    count = math.mul(count, dimOf(tensor, fromLast));
  number = math.constant(shortKey.number);
  if (std::optional<int64_t> longest = policy.longestRow(shortKey)) {
    Value longNumber = math.constant(findKey(keys, ShapeKey::Rows, true)->number);
    number = math.selectLess(math.constant(*longest), length, longNumber, number);
    // The long form also handles rows without elements, over which it makes no pass.
    if (mayBeEmpty(contract, tensor.shape.back()))
      number = math.selectEqual(length, math.constant(0), longNumber, number);
  }
  sizesOfKind(ShapeKey::Rows) = {{count, length}, one, one};
  addResult("size0", count);
  addResult("size1", length);
}

void TilingBuilder::reduction() {
  Value zero = math.constant(0), one = math.constant(1);
  const std::string &name = contract.outputs.front().reduces->input;
  const ContractTensor &tensor = *contract.findTensor(name);
  SmallVector<Value> sizes, ofDims;
  for (unsigned fromLast = 1; fromLast <= kMaxRank; ++fromLast) {
    sizes.push_back(dimOf(tensor, fromLast));
    ofDims.push_back(input(SizeKind::Reduced, -static_cast<int64_t>(fromLast), name));
  }
  CoalescedLoops loops = coalesce(math, sizes, ofDims, kMostLoops);
  Value innerReduced = loops.type[0];
  const auto &s = loops.size;

  const ShapeKey &shortKey = *findKey(keys, ShapeKey::ReduceRows, false);
  Value rowsNumber = math.constant(shortKey.number);
  if (std::optional<int64_t> longest = policy.longestRow(shortKey)) {
    // The long form also handles reductions over loops outside of the rows, and rows without elements.
    Value longNumber = math.constant(findKey(keys, ShapeKey::ReduceRows, true)->number);
    rowsNumber =
        math.selectEqual(s[2], one, math.selectLess(math.constant(*longest), s[0], longNumber, rowsNumber), longNumber);
    rowsNumber = math.selectEqual(s[0], zero, longNumber, rowsNumber);
  }
  Value columnsNumber = math.constant(findKey(keys, ShapeKey::ReduceColumns, false)->number);
  number = math.selectEqual(innerReduced, one, rowsNumber, columnsNumber);
  number = math.selectLess(loops.count, math.constant(kMostLoops + 1), number, math.constant(kMaxShapeKeys));

  sizesOfKind(ShapeKey::ReduceRows) = {{s[2], s[1], s[0]}, one, s[3]};
  sizesOfKind(ShapeKey::ReduceColumns) = {{s[3], s[1], s[0]}, one, s[2]};
  auto either = [&](Value rows, Value columns) { return math.selectEqual(innerReduced, one, rows, columns); };
  addResult("size0", either(s[2], s[3]));
  addResult("size1", s[1]);
  addResult("size2", s[0]);
  addResult("batch0", one);
  addResult("batch1", either(s[3], s[2]));
  Value plane = math.mul(s[0], s[1]), volume = math.mul(plane, s[2]);
  for (const ContractTensor &each : contract.inputs) {
    addResult(each.name + "_s0", zero);
    addResult(each.name + "_s1", either(volume, plane));
    addResult(each.name + "_r0", either(plane, volume));
  }
  for (const ContractTensor &each : contract.outputs) {
    addResult(each.name + "_s0", zero);
    addResult(each.name + "_s1", either(s[1], s[0]));
  }
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

/// The fields of windows: the sizes of the dimensions over which they move, of windows, and of results. There are two
/// dimensions, the outer one of size 1 if windows move over one.
void TilingBuilder::addWindows(const Domain &domain) {
  if (!domain.windows)
    return;
  const std::vector<AxisWindow> &axes = domain.windows->axes;
  for (auto [which, dim] :
       {std::pair("in", &AxisWindow::over), std::pair("of", &AxisWindow::size), std::pair("out", &AxisWindow::places)})
    for (size_t axis = 0; axis < kMostWindows; ++axis) {
      size_t missing = kMostWindows - axes.size();
      addResult(std::string("window_") + which + std::to_string(axis),
                axis < missing ? math.constant(1) : sizeNamed((axes[axis - missing].*dim).name));
    }
  windows.emplace();
  for (size_t axis = 0; axis < kMostWindows; ++axis) {
    const size_t missing = kMostWindows - axes.size();
    const bool isThere = axis >= missing;
    windows->over[axis] = isThere ? sizeNamed(axes[axis - missing].over.name) : math.constant(1);
    windows->size[axis] = isThere ? sizeNamed(axes[axis - missing].size.name) : math.constant(1);
    windows->places[axis] = isThere ? sizeNamed(axes[axis - missing].places.name) : math.constant(1);
    windows->stride[axis] = isThere ? axes[axis - missing].stride : 1;
    windows->dilation[axis] = isThere ? axes[axis - missing].dilation : 1;
  }
}

Value TilingPolicy::reachOf(TilingMath &math, const ShapeKey &, const LaunchWindows &windows) const {
  Value others = math.max(math.sub(windows.size[1], math.constant(1)), math.constant(0));
  return math.mul(others, math.constant(windows.dilation[1]));
}

/// The key without a kernel, if a window of the launch covers more elements of a row than the policy allows.
Value TilingBuilder::unlessTooLong(const ShapeKey &key, Value number) {
  std::optional<int64_t> longest = windows ? policy.longestWindow(key) : std::nullopt;
  if (!longest)
    return number;
  return math.selectLess(policy.reachOf(math, key, *windows), math.constant(*longest), number,
                         math.constant(kMaxShapeKeys));
}

/// Shorter rows are not copied separately: `any` packs them (CPU), or is not slower (AI Core).
static constexpr int64_t kLeastStrided = 64;

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
  Value unserved = zero, isLong = zero;
  auto take = [&](Value &is, int64_t longest, Value length) {
    is = math.max(is, math.selectLess(math.constant(longest), length, one, zero));
  };
  // An empty dimension has nothing to gather from, and no valid address.
  auto hasPlaces = [&](unsigned dim) {
    Value none = math.selectEqual(productOf(domain, dim), zero, one, zero);
    unserved = math.max(unserved, math.selectEqual(elements, zero, zero, none));
  };
  for (auto [operand, ofKey] : llvm::zip_equal(operandsOf(*of, domain), own.operands)) {
    const size_t tensor = operand.tensor;
    if (of->tensorAt(tensor).broadcast == Broadcast::Scalar)
      continue;
    const std::string &name = operand.name;
    if (!operand.index.empty() || of->nest)
      addResult(name + "_at", math.selectEqual(elements, zero, zero, startOf(domain, operand)));
    SmallVector<Value, kMaxLoops> strides;
    for (const DomainLoop &loop : loops)
      strides.push_back(strideOf(domain, tensor, loop));
    addBatchStrides(name, strides);
    auto along = [&](unsigned loop) { return math.constant(int64_t(hasLoop(domain, tensor, loops[loop]))); };
    if (ofKey.isOfLaunch) {
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
      if (strided->kind == ShapeKey::Gather || strided->kind == ShapeKey::Scattered)
        hasPlaces(gathered);
      if (strided->kind == ShapeKey::Scattered && tensor >= of->inputs.size())
        addResult(name + "_elements", input(SizeKind::NumElements, 0, name));
      if (std::optional<int64_t> longest = ofKey.isSorted ? policy.longestSorted() : policy.longestLine(name))
        take(ofKey.isSorted ? unserved : isLong, *longest, productOf(domain, gathered));
    } else if (!ofKey.places.empty()) {
      // Offsets of indices are 32-bit numbers.
      unserved = math.max(unserved, math.selectLess(input(SizeKind::NumElements, 0, of->tensorAt(tensor).name),
                                                    math.constant(int64_t(1) << 31), zero, one));
      addResult(name + "_m", strides[1]);
      addResult(name + "_n", strides[0]);
      for (auto [number, dim] : llvm::enumerate(ofKey.places)) {
        addResult(name + "_step" + std::to_string(number), strideOf(domain, tensor, {{dim}, false}));
        addResult(name + "_count" + std::to_string(number), productOf(domain, dim));
        hasPlaces(dim);
      }
      if (std::optional<int64_t> longest = policy.longestLine(name))
        take(isLong, *longest, productOf(domain, ofKey.places.back()));
    } else if (ofKey.isOfLaunch || movesRows || strided != keys.end()) {
      addResult(name + "_m", math.max(strides[1], one));
    }
    if (ofKey.isAcross && !ofKey.indices)
      addResult(name + "_n", math.max(strides[0], one));
  }
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
  for (const ShapeKey &key : keys) {
    of = &all[*key.nest].contract;
    suffix = key.suffix();
    const Domain domain = *domainOf(*of, reason);
    const DomainNest nest = *::opc::nestOf(*of, domain, reason);
    if (nest.form == DomainNest::Elementwise)
      permuted(domain, nest, key);
    else
      reductionNest(domain, nest, key);
    addResult("runs" + suffix, runsOf(key));
  }
  of = &contract;
  suffix.clear();
  number = math.constant(0);
}

/// 1 if a launch runs a nest: it has results, and its rows have the length of this kernel.
Value TilingBuilder::runsOf(const ShapeKey &key) {
  Value zero = math.constant(0), one = math.constant(1), runs = one;
  const KindSizes &sizes = sizesFor(key);
  auto require = [&](Value size) { runs = math.selectEqual(size, zero, zero, runs); };
  require(sizes.batch0);
  require(sizes.batch1);
  for (auto [loop, size] : llvm::enumerate(sizes.size))
    if (!key.reduced[loop])
      require(size);
  if (key.kind != ShapeKey::Rows)
    return runs;
  // The other one of the two: its operands are the same tensors.
  auto isTwin = [&](const ShapeKey &other) {
    return other.kind == key.kind && other.isLong != key.isLong &&
           llvm::equal(other.operands, key.operands, [](auto &a, auto &b) { return a.tensor == b.tensor; });
  };
  const auto *twin = llvm::find_if(keys, isTwin);
  if (twin == keys.end())
    return runs;
  Value isLong = isLongRow(key.isLong ? *twin : key, sizes.size[1]);
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
  number = unlessTooLong(first, math.constant(first.number));
  if (nest.form != DomainNest::Rows)
    return;
  if (std::optional<int64_t> longest = policy.longestRow(first)) {
    Value length = sizesFor(first).size[1], longNumber = math.constant(findKey(keys, ShapeKey::Rows, true)->number);
    number = math.selectLess(math.constant(*longest), length, longNumber, number);
    // The long form also handles rows without elements, over which it makes no pass.
    number = math.selectEqual(length, zero, longNumber, number);
  }
}

/// The loops of a nest in which bodies reduce, and the strides of its tensors.
void TilingBuilder::reductionNest(const Domain &domain, const DomainNest &nest, const ShapeKey &key) {
  KindSizes launch;
  for (auto [number, loop] : llvm::enumerate(nest.loops)) {
    launch.size.push_back(productOf(domain, loop.dims));
    addResult("size" + std::to_string(number) + suffix, launch.size.back());
  }
  launch.batch0 = productOf(domain, nest.batches[0].dims);
  launch.batch1 = productOf(domain, nest.batches[1].dims);
  addResult("batch0" + suffix, launch.batch0);
  addResult("batch1" + suffix, launch.batch1);
  bool isSplit = nest.form != DomainNest::Rows;
  for (size_t tensor = 0; tensor < domain.tensors.size(); ++tensor) {
    const std::string &name = key.operands[tensor].name;
    // The tensors of a nest are parts. A scalar is the same for all nests.
    if (of->nest && of->tensorAt(tensor).broadcast != Broadcast::Scalar)
      addResult(name + "_at", math.constant(0));
    else if (of->nest && llvm::any_of(results, [&](const auto &each) { return each.first == name + "_s0"; }))
      continue;
    addResult(name + "_s0", strideOf(domain, tensor, nest.batches[0]));
    addResult(name + "_s1", strideOf(domain, tensor, nest.batches[1]));
    if (isSplit) {
      addResult(name + "_r0", strideOf(domain, tensor, nest.loops[0]));
      addResult(name + "_m", strideOf(domain, tensor, nest.loops[1]));
    }
  }
  addWindows(domain);
  sizesOfKind(key.kind) = std::move(launch);
}

// Rows of a tensor are those of its matrix in memory: for a transposed operand they are along k or n.
void TilingBuilder::contraction() {
  std::string reason;
  const Domain domain = *domainOf(contract, reason);
  const Contraction product = *contractionOf(contract, domain, reason);
  KindSizes launch;
  // In a launch without results all loops are empty, which keeps products small.
  Value zero = math.constant(0), results = input(SizeKind::NumElements, 0, contract.tensorAt(domain.whole).name);
  for (const DomainLoop *loop : {&product.m, &product.n, &product.k}) {
    launch.size.push_back(math.selectEqual(results, zero, zero, productOf(domain, loop->dims)));
    addResult("size" + std::to_string(launch.size.size() - 1), launch.size.back());
  }
  launch.batch0 = productOf(domain, product.batches[0].dims);
  launch.batch1 = productOf(domain, product.batches[1].dims);
  addResult("batch0", launch.batch0);
  addResult("batch1", launch.batch1);
  for (size_t tensor = 0; tensor < domain.tensors.size(); ++tensor) {
    const std::string &name = contract.tensorAt(tensor).name;
    addResult(name + "_s0", strideOf(domain, tensor, product.batches[0]));
    addResult(name + "_s1", strideOf(domain, tensor, product.batches[1]));
    const DomainLoop &rows = tensor == product.left && !product.isLeftAlongK    ? product.k
                             : tensor == product.right && product.isRightAlongK ? product.n
                             : tensor == product.right                          ? product.k
                                                                                : product.m;
    addResult(name + "_m", strideOf(domain, tensor, rows));
  }
  addWindows(domain);
  sizesOfKind(ShapeKey::Contraction) = std::move(launch);
  number = unlessTooLong(keys.front(), math.constant(keys.front().number));
  const ShapeKey *resident = llvm::find_if(keys, [](const ShapeKey &key) { return key.isResident; });
  std::optional<int64_t> longest = resident == keys.end() ? std::nullopt : policy.longestPanel(*resident);
  if (!longest)
    return;
  Value one = math.constant(1), most = math.constant(*longest);
  Value others = math.selectLess(most, sizesFor(*resident).size[2], one, zero);
  // Windows of one element are contiguous if there is no padding. Padding before is known at compile time; padding
  // after adds positions.
  for (size_t axis = 0; windows && axis < kMostWindows; ++axis)
    others = math.add(others, math.add(math.selectEqual(windows->size[axis], one, zero, one),
                                       math.selectEqual(windows->places[axis], windows->over[axis], zero, one)));
  number = math.selectEqual(others, zero, math.constant(resident->number), number);
}

//===----------------------------------------------------------------------===//
// Fields and results
//===----------------------------------------------------------------------===//

void TilingBuilder::addPolicyFields() {
  Value one = math.constant(1);
  Value maxBlocks = math.max(input(SizeKind::MaxBlocks), one);
  SmallVector<std::vector<PolicyField>> fieldsOf;
  std::vector<std::string> names = {"block_num"};
  Value blocks;
  for (const ShapeKey &key : keys) {
    const KindSizes &sizes = sizesFor(key);
    fieldsOf.push_back(
        policy.fields(math, key, {sizes.size, sizes.batch0, sizes.batch1, maxBlocks, windows ? &*windows : nullptr}));
    if (key.nest) {
      // Each block of an AI Core runs every nest; each block of the CPU runs one.
      Value own = fieldsOf.back().front().value;
      blocks = !blocks ? own : policy.addsBlocks() ? math.add(blocks, own) : math.max(blocks, own);
      for (PolicyField &field : fieldsOf.back())
        results.emplace_back(field.name + key.suffix(), field.value);
      continue;
    }
    for (const PolicyField &field : fieldsOf.back())
      if (!llvm::is_contained(names, field.name))
        names.push_back(field.name);
  }
  if (blocks) {
    policyResults.emplace_back(names.front(), blocks);
    return;
  }
  for (const std::string &name : names) {
    SmallVector<Value> values;
    for (const std::vector<PolicyField> &fields : fieldsOf) {
      auto field = llvm::find_if(fields, [&](const PolicyField &f) { return f.name == name; });
      values.push_back(field == fields.end() ? one : field->value);
    }
    Value merged = values.front();
    if (!llvm::all_equal(values)) {
      merged = one;
      for (auto [key, value] : llvm::zip_equal(keys, values))
        merged = math.selectEqual(number, math.constant(key.number), value, merged);
    }
    policyResults.emplace_back(name, merged);
  }
}

void TilingBuilder::finish() {
  Value none = math.constant(kMaxShapeKeys);
  Value key = math.selectEqual(number, none, math.constant(kNoTilingKey),
                               math.add(number, math.constant(int64_t(typeRow) * kMaxShapeKeys)));
  results.insert(results.begin(), {policyResults.front(), {"tiling_key", key}});
  results.insert(results.end(), policyResults.begin() + 1, policyResults.end());

  SmallVector<Value> values;
  SmallVector<Type> types(results.size(), builder.getIndexType());
  SmallVector<Attribute> attributes;
  for (const auto &[name, value] : results) {
    values.push_back(value);
    attributes.push_back(
        builder.getDictionaryAttr(builder.getNamedAttr(AICoreDialect::kNameAttr, builder.getStringAttr(name))));
  }
  func::ReturnOp::create(builder, function.getLoc(), values);
  function.setType(builder.getFunctionType(function.getArgumentTypes(), types));
  function.setAllResultAttrs(attributes);
}

void TilingBuilder::build() {
  std::string reason;
  const ContractKind kind = *contractKind(contract, reason);
  if (kind != ContractKind::Contraction)
    moving = movingInputs(contract);
  classes = int64_t(1) << moving.size();
  flatPatterns = classes * classes;
  switch (kind) {
  case ContractKind::Elementwise:
    elementwise();
    break;
  case ContractKind::Rows:
    rows();
    break;
  case ContractKind::Reduction:
    reduction();
    break;
  case ContractKind::Domain:
    domain();
    break;
  case ContractKind::Contraction:
    contraction();
    break;
  }
  addPolicyFields();
  finish();
}

func::FuncOp buildTilingFunction(ModuleOp module, mlir::Location location, StringRef name, const Contract &contract,
                                 ArrayRef<ShapeKey> keys, unsigned typeRow, TilingPolicy &policy,
                                 const StaticShapes &shapes) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(builder, location, name, builder.getFunctionType({}, {}));
  function.addEntryBlock();
  TilingBuilder(function, contract, keys, typeRow, policy, shapes).build();
  // Constants of a static function are folded, which leaves unused ops behind.
  if (!shapes.empty())
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  // From here on the verifier's rules on arguments and results apply.
  function->setAttr(AICoreDialect::kTilingAttr, builder.getUnitAttr());
  return function;
}

std::optional<int64_t> constantResult(func::FuncOp tiling, StringRef name) {
  Operation *results = tiling.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(results->getOperands()))
    if (auto field = tiling.getResultAttrOfType<StringAttr>(index, AICoreDialect::kNameAttr);
        field && field.getValue() == name)
      return knownNumber(value);
  return std::nullopt;
}

} // namespace opc
