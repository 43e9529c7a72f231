// The loops of a product whose batches broadcast at launch.
//
//   a [2, 1, 4, M, K]  b [3, 4, K, N]     batch loops of 4, 3 (a stands still) and 2 (b stands still)
//   a [5, 3, M, K]     b [1, K, N]        no batch loop: m has 5 * 3 * M rows, since b stands still in all of them
//
// Dimensions of the batch are coalesced as those of an elementwise launch (Coalesce.h). Rows of the left operand that
// follow each other in memory are one loop m, however many matrices they are of, if the right operand is one matrix for
// all of them.

#include "lowering/schedule/tiling/TilingBuilder.h"

#include "ops/contract/domain/Contraction.h"

using namespace mlir;

namespace opc {

/// The names of the trip counts, innermost first: as those of the key `any`.
static constexpr const char *kTrips[kMostBatches] = {"batch1", "batch0", "batch2", "batch3", "batch4", "batch5"};

Value TilingBuilder::standsStill(Value type, unsigned bit) {
  return math.rem(math.floorDiv(type, math.constant(int64_t(1) << bit)), math.constant(2));
}

/// Whether rows and a batch can be one loop: both operands and all inputs that do not broadcast treat them alike.
static bool mergesRows(const Contract &contract, const Domain &domain, const Contraction &product) {
  if (!product.isLeftAlongK || product.m.dims.empty())
    return false;
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    if (contract.inputs[i].broadcast == Broadcast::None &&
        domain.has(i, *product.stretched) != hasLoop(domain, i, product.m))
      return false;
  return true;
}

void TilingBuilder::stretchedBatches(const Domain &domain, const Contraction &product, Value results,
                                     KindSizes &launch) {
  const bool merges = mergesRows(contract, domain, product);
  const unsigned pack = *product.stretched;
  Value zero = math.constant(0), one = math.constant(1);
  // Each input that broadcasts has a bit, which says in a class that it stands still.
  std::vector<std::optional<unsigned>> bits(domain.tensors.size());
  int64_t ofRows = 0;
  unsigned count = 0;
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    if (contract.inputs[i].broadcast == Broadcast::Batch) {
      ofRows |= int64_t(!hasLoop(domain, i, product.m)) << count;
      bits[i] = count++;
    }
  SmallVector<Value> sizes, types;
  Value m = productOf(domain, product.m.dims);
  if (merges) {
    sizes.push_back(m);
    types.push_back(math.constant(ofRows));
  }
  for (auto [place, size] : llvm::enumerate(sizesOfDim(domain, pack))) {
    Value type = zero;
    for (size_t i = 0; i < contract.inputs.size(); ++i) {
      if (!bits[i])
        continue;
      // Behind the pack an input has all other dimensions of its shape.
      const size_t fromLast = contract.inputs[i].shape.size() + place;
      Value own = fromLast <= kMaxRank ? dimOf(contract.inputs[i], unsigned(fromLast)) : one;
      type = math.add(type, math.selectEqual(own, size, zero, math.constant(int64_t(1) << *bits[i])));
    }
    sizes.push_back(size);
    types.push_back(type);
  }
  const CoalescedLoops loops = coalesce(math, sizes, types, kMostBatches + merges);
  // The innermost loop is that of the rows, unless there is one row and the operands differ in the next dimension.
  Value isOfRows = merges ? math.selectEqual(loops.type[0], math.constant(ofRows), one, zero) : zero;
  auto batchOf = [&](const Value *of, unsigned loop) {
    return merges ? math.selectEqual(isOfRows, one, of[loop + 1], of[loop]) : of[loop];
  };
  if (merges)
    m = math.selectEqual(isOfRows, one, loops.size[0], one);
  launch.size.front() = math.selectEqual(results, zero, zero, m);
  SmallVector<Value> trips, stills;
  // A launch without results has no batch: a number for each of them has no element either.
  for (unsigned loop = 0; loop < kMostBatches; ++loop) {
    trips.push_back(math.selectEqual(results, zero, zero, batchOf(loops.size, loop)));
    stills.push_back(batchOf(loops.type, loop));
  }
  launch.batch0 = trips[1];
  launch.batch1 = trips[0];
  for (unsigned loop = 2; loop < kMostBatches; ++loop)
    launch.batch1 = math.mul(launch.batch1, trips[loop]);
  addResult("size0", launch.size[0]);
  addResult("size1", launch.size[1]);
  addResult("size2", launch.size[2]);
  for (auto [name, count] : llvm::zip_equal(kTrips, trips))
    addResult(name, count);
  for (size_t tensor = 0; tensor < domain.tensors.size(); ++tensor) {
    SmallVector<Value> ofLoop(2); // those of n and m have other names
    Value stride = !domain.has(tensor, pack) ? zero
                   : merges && hasLoop(domain, tensor, product.m)
                       ? math.mul(strideOf(domain, tensor, product.m), launch.size[0])
                       : elementsFrom(domain, tensor, 1);
    for (auto [trip, type] : llvm::zip_equal(trips, stills)) {
      Value isStill = bits[tensor] ? standsStill(type, *bits[tensor]) : zero;
      ofLoop.push_back(math.selectEqual(isStill, zero, stride, zero));
      stride = math.mul(stride, math.selectEqual(isStill, zero, trip, one));
    }
    addBatchStrides(contract.tensorAt(tensor).name, ofLoop);
  }
}

} // namespace opc
