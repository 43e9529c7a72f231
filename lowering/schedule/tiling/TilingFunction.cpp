#include "lowering/schedule/tiling/TilingFunction.h"

#include "dialect/aicore/AICoreOps.h"
#include "lowering/schedule/tiling/TilingBuilder.h"
#include "ops/contract/domain/Reductions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using opc::aicore::AICoreDialect;
using opc::aicore::SizeKind;

namespace opc {

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
  auto bitOf = [&](unsigned loop, unsigned bit) { return standsStill(loops.type[loop], bit); };
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
    auto group = llvm::find_if(
        moving, [input = unsigned(index)](const auto &inputs) { return llvm::is_contained(inputs, input); });
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

/// Whether an input of a key is a row that all rows share.
static bool hasSharedRow(const ShapeKey &key) {
  return llvm::any_of(key.operands,
                      [](const ShapeKey::Operand &operand) { return operand.dims == std::vector{-1, 1}; });
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
  for (const ShapeKey &key : keys) {
    if (key.kind == ShapeKey::Any)
      continue;
    Value own = math.constant(key.number);
    const int64_t shortest = hasAny && hasSharedRow(key) ? policy.shortestRow(key, *any) : 0;
    if (shortest > 1)
      own = math.selectLess(loops.size[0], math.constant(shortest), math.constant(any->number), own);
    number = math.selectEqual(pattern, patternOf(key), own, number);
  }

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

const ShapeKey *TilingBuilder::findKey(ShapeKey::Kind kind, bool isLong) const {
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
  const ShapeKey &shortKey = *findKey(ShapeKey::Rows, false);
  size_t whole = 0;
  while (shortKey.operands[whole].dims != std::vector<int>{0, 1})
    ++whole;
  const ContractTensor &tensor = contract.inputs[whole];
  Value length = dimOf(tensor, 1), count = one;
  for (unsigned fromLast = 2; fromLast <= kMaxRank; ++fromLast)
    count = math.mul(count, dimOf(tensor, fromLast));
  number = math.constant(shortKey.number);
  if (std::optional<int64_t> longest = policy.longestRow(shortKey)) {
    Value longNumber = math.constant(findKey(ShapeKey::Rows, true)->number);
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

  // Reductions that depend on each other, and results of whole rows, have the kernels of a nest.
  const ShapeKey *split = findKey(ShapeKey::SplitRows, true);
  const ShapeKey &shortKey = *findKey(split ? ShapeKey::Rows : ShapeKey::ReduceRows, false);
  const ShapeKey &longKey = split ? *split : *findKey(ShapeKey::ReduceRows, true);
  const ShapeKey &columnsKey = *findKey(split ? ShapeKey::Columns : ShapeKey::ReduceColumns, false);
  Value rowsNumber = math.constant(split ? longKey.number : shortKey.number);
  if (std::optional<int64_t> longest = policy.longestRow(shortKey)) {
    // The long form also handles reductions over loops outside of the rows, and rows without elements.
    Value longNumber = math.constant(longKey.number), shortNumber = math.constant(shortKey.number);
    rowsNumber = math.selectEqual(s[2], one, math.selectLess(math.constant(*longest), s[0], longNumber, shortNumber),
                                  longNumber);
    rowsNumber = math.selectEqual(s[0], zero, longNumber, rowsNumber);
  }
  Value columnsNumber = math.constant(columnsKey.number);
  number = math.selectEqual(innerReduced, one, rowsNumber, columnsNumber);
  number = math.selectLess(loops.count, math.constant(kMostLoops + 1), number, math.constant(kMaxShapeKeys));

  sizesOfKind(longKey.kind) = {{s[2], s[1], s[0]}, one, s[3]};
  sizesOfKind(columnsKey.kind) = {{s[3], s[1], s[0]}, one, s[2]};
  auto either = [&](Value rows, Value columns) { return math.selectEqual(innerReduced, one, rows, columns); };
  Value size0 = either(s[2], s[3]), size1 = s[1];
  if (split) {
    sizesOfKind(shortKey.kind) = {{s[1], s[0]}, one, one};
    Value shortNumber = math.constant(shortKey.number);
    size0 = math.selectEqual(number, shortNumber, s[1], size0);
    size1 = math.selectEqual(number, shortNumber, s[0], size1);
  }
  addResult("size0", size0);
  addResult("size1", size1);
  addResult("size2", s[0]);
  addResult("batch0", one);
  addResult("batch1", either(s[3], s[2]));
  Value plane = math.mul(s[0], s[1]), volume = math.mul(plane, s[2]);
  auto addWhole = [&](const ContractTensor &each) {
    addResult(each.name + "_s0", zero);
    addResult(each.name + "_s1", either(volume, plane));
    addResult(each.name + "_r0", either(plane, volume));
    if (split)
      addResult(each.name + "_m", s[0]);
  };
  for (const ContractTensor &each : contract.inputs)
    addWhole(each);
  for (const ContractTensor &each : contract.outputs) {
    if (!each.isReduced()) {
      addWhole(each);
      continue;
    }
    addResult(each.name + "_s0", zero);
    addResult(each.name + "_s1", either(s[1], s[0]));
    if (split)
      addResult(each.name + "_m", either(one, zero));
  }
}

//===----------------------------------------------------------------------===//
// Fields and results
//===----------------------------------------------------------------------===//

void TilingBuilder::addPolicyFields() {
  Value one = math.constant(1);
  // A block runs all nests, and does not wait for others whose results it reads.
  const bool isOneBlock = keys.front().nest && !policy.addsBlocks() && readsResults(contract);
  Value maxBlocks = isOneBlock ? one : math.max(input(SizeKind::MaxBlocks), one);
  SmallVector<std::vector<PolicyField>> fieldsOf;
  std::vector<std::string> names = {"block_num"};
  Value blocks;
  for (const ShapeKey &key : keys) {
    const KindSizes &sizes = sizesFor(key);
    const bool hasWindows = windows && (!key.nest || key.kind == ShapeKey::Windows);
    fieldsOf.push_back(policy.fields(
        math, key, {sizes.size, sizes.batch0, sizes.batch1, maxBlocks, hasWindows ? &*windows : nullptr}));
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
