// The cost model, in cycles of the core clock: start-up plus size over rate, for each pipe.
//
//   cube      start + fractals of the product * cycles of one
//   fractals  start + bytes / width of the path          L1 to L0A and L0B share pipe MTE1, so their times add
//   fixpipe   start + bytes of L0C / width of the path
//   copy      start + rows * row start + bytes / rate    bytes of a row count in whole blocks
//   vector    start + repeats * cycles of the class      a repeat is 256 B of the wider type
//
// Both are linear in the start-up costs, in the cycles of a class and in 1 / rate, which is what `opc target
// calibrate` fits. A row of a copy is a burst: of n bytes it runs at n / (n + 4 rate) of the rate, 0.88 at 512 bytes
// and 0.32 at 32 on B1. Every constant is a figure of the target with its source, or the word "assumed". Pipes do not
// slow each other down in this model; reads and writes of one DDR do so on a real board.

#include "runtime/target/Figures.h"
#include "runtime/target/Target.h"

#include <algorithm>
#include <cmath>

using namespace opc;

/// Rounds up to whole cycles; the limit keeps costs of absurd sizes convertible to int64_t.
static int64_t toCycles(double cycles) {
  constexpr double most = 9007199254740992.0; // 2^53
  return static_cast<int64_t>(std::ceil(std::min(cycles, most)));
}

static double roundUp(double value, double unit) {
  return std::ceil(value / unit) * unit;
}

/// The figure with the cycles per repeat of this intrinsic.
static FigureIndex repeatFigure(Intrinsic intrinsic) {
  switch (intrinsic) {
  case Intrinsic::vdiv:
  case Intrinsic::vrec:
    return vector_divide_cycles;
  case Intrinsic::vsqrt:
  case Intrinsic::vrsqrt:
    return vector_root_cycles;
  case Intrinsic::vexp:
  case Intrinsic::vln:
    return vector_exp_cycles;
  case Intrinsic::vaddrelu:
  case Intrinsic::vsubrelu:
  case Intrinsic::vaddrelucast:
  case Intrinsic::vsubrelucast:
  case Intrinsic::vmulcast:
  case Intrinsic::vfma:
  case Intrinsic::vmuladdrelu:
  case Intrinsic::vmuladd:
  case Intrinsic::vaxpy:
    return vector_compound_cycles;
  case Intrinsic::vreduce_sum:
  case Intrinsic::vreduce_max:
  case Intrinsic::vreduce_min:
  case Intrinsic::vreduce_repeat_sum:
  case Intrinsic::vreduce_repeat_max:
  case Intrinsic::vreduce_repeat_min:
  case Intrinsic::vreduce_block_sum:
  case Intrinsic::vreduce_block_max:
  case Intrinsic::vreduce_block_min:
  case Intrinsic::vreduce_pair_sum:
    return vector_reduce_cycles;
  case Intrinsic::vgather:
  case Intrinsic::vscatter:
    return vector_gather_cycles;
  case Intrinsic::vgather_mask:
  case Intrinsic::vgather_pattern:
    return vector_compress_cycles;
  case Intrinsic::vtranspose:
  case Intrinsic::vtrans5hd:
    return vector_transpose_cycles;
  case Intrinsic::vsort32:
  case Intrinsic::vmrgsort:
    return vector_sort_cycles;
  case Intrinsic::vfloor:
  case Intrinsic::vxor:
    return vector_composed_cycles;
  case Intrinsic::vcast:
    return vector_cast_cycles;
  default:
    return vector_simple_cycles;
  }
}

double Target::vectorCost(Intrinsic intrinsic, TypeRow types, int64_t count) const {
  double width = std::max(elementSize(types.source), elementSize(types.destination));
  double bytes = static_cast<double>(std::max<int64_t>(count, 0)) * width;
  double repeats = std::ceil(bytes / table[vector_bytes].value);
  return table[vector_start_cycles].value + repeats * table[repeatFigure(intrinsic)].value;
}

int64_t Target::vectorCycles(Intrinsic intrinsic, TypeRow types, int64_t count) const {
  return toCycles(vectorCost(intrinsic, types, count));
}

double Target::copyCost(Pipe pipe, int64_t blocks, int64_t blockBytes) const {
  bool load = pipe != Pipe::MTE3;
  double rows = static_cast<double>(std::max<int64_t>(blocks, 0));
  double rowBytes = roundUp(static_cast<double>(std::max<int64_t>(blockBytes, 0)), table[copy_row_unit].value);
  double start = table[load ? load_start_cycles : store_start_cycles].value;
  double rate = table[load ? load_rate : store_rate].value;
  return start + rows * table[copy_row_cycles].value + rows * rowBytes / rate;
}

int64_t Target::copyCycles(Pipe pipe, int64_t blocks, int64_t blockBytes) const {
  return toCycles(copyCost(pipe, blocks, blockBytes));
}

int64_t Target::cubeCycles(int64_t m, int64_t k, int64_t n, ElementType type) const {
  const double depth = double(kFractalRowBytes) / elementSize(type);
  auto fractals = [](int64_t size, double unit) { return std::ceil(double(std::max<int64_t>(size, 0)) / unit); };
  const double each = table[cube_fractal_cycles].value * (type == ElementType::Float32 ? 2 : 1);
  return toCycles(table[cube_start_cycles].value +
                  fractals(m, kFractalRows) * fractals(n, kFractalRows) * fractals(k, depth) * each);
}
int64_t Target::fractalCycles(Memory destination, int64_t bytes) const {
  const FigureIndex width = destination == Memory::L0A ? l1_to_l0a_width : l1_to_l0b_width;
  return toCycles(table[fractal_start_cycles].value + double(bytes) / table[width].value);
}
int64_t Target::fixpipeCycles(int64_t m, int64_t n) const {
  const double bytes = double(std::max<int64_t>(m, 0)) * double(std::max<int64_t>(n, 0)) * 4;
  return toCycles(table[fixpipe_start_cycles].value + bytes / table[l0c_to_ub_width].value);
}
int64_t Target::im2colCycles(int64_t bytes) const {
  return toCycles(table[fractal_start_cycles].value + double(bytes) / table[im2col_rate].value);
}
int64_t Target::biasCycles(int64_t bytes) const {
  return toCycles(table[fractal_start_cycles].value + double(bytes) / table[bias_rate].value);
}
int64_t Target::fillCycles(int64_t bytes) const {
  return toCycles(table[fractal_start_cycles].value + double(bytes) / table[fill_rate].value);
}
int64_t Target::flagCycles() const {
  return toCycles(table[flag_cycles].value);
}
int64_t Target::barrierCycles(Pipe pipe) const {
  return completesInOrder(pipe) ? 0 : toCycles(table[barrier_cycles].value);
}
int64_t Target::issueCycles() const {
  return toCycles(table[issue_cycles].value);
}
int64_t Target::scalarCycles() const {
  return toCycles(table[scalar_cycles].value);
}
int64_t Target::scalarReadCycles() const {
  return toCycles(table[scalar_read_cycles].value);
}

int64_t Target::scalarWriteCycles() const {
  return toCycles(table[scalar_write_cycles].value);
}

int64_t Target::scratchBytes(Intrinsic intrinsic, ElementType type, int64_t count) const {
  const IntrinsicForm form = intrinsicInfo(intrinsic).form;
  if (count <= 0 || !hasScratch(form))
    return 0;
  const double size = elementSize(type), elements = static_cast<double>(count);
  if (hasByteScratch(form)) {
    FigureIndex tiles = intrinsic == Intrinsic::vxor ? xor_scratch_tiles : floor_scratch_tiles;
    return toCycles(roundUp(elements * size, table[vector_bytes].value) * table[tiles].value);
  }
  FigureIndex partials = intrinsic == Intrinsic::vreduce_sum ? reduce_partials_sum : reduce_partials_extreme;
  double repeats = std::ceil(elements * size / table[vector_bytes].value);
  return toCycles(roundUp(repeats * table[partials].value * size, table[block_bytes].value));
}
