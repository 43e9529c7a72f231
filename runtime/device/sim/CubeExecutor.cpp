// The effects of the cube and its copies on memory: exact layouts of fractals, exact products, sums in f32.
//
//   L1   Nz   columns of fractals one after the other; in each, rows of 32 bytes
//   L0A  Zz   fractals of a row of the matrix one after the other, row by row inside
//   L0B  Zn   the same, but a fractal has its columns one after the other
//   L0C  Nz   as in L1, of 16 x 16 elements of 4 bytes
//
// The product of two f16 or bf16 numbers is exact in f32. The chip's order of a sum is not published: here it is the
// order of k, with each step rounded to f32. Sums of products of bytes are exact, and an instruction saturates them to
// i32. Rows and columns beyond m and n hold poison afterwards.

#include "runtime/device/sim/Executor.h"

#include "runtime/target/Half.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace opc::sim {

void Executor::loadNz(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  const uint8_t *source = from.operand->space == ProgramOperand::GM ? global(from) : ub() + from.address;
  if (op.instruction->packed) {
    for (int64_t column = 0; column < to.rows; ++column)
      std::memcpy(ub() + to.address + column * to.stride, source + column * from.stride, size_t(to.rowBytes));
    return;
  }
  for (int64_t column = 0; column < to.rows; ++column)
    for (int64_t row = 0; row < from.rows; ++row) {
      uint8_t *destination = ub() + to.address + column * to.stride + row * kFractalRowBytes;
      const int64_t begin = column * kFractalRowBytes, bytes = std::min(kFractalRowBytes, from.rowBytes - begin);
      std::memcpy(destination, source + row * from.stride + begin, size_t(bytes));
      std::memset(destination + bytes, 0, size_t(kFractalRowBytes - bytes));
    }
}

/// The bits of an element of this value; `bits` are those of an f32.
static uint32_t elementBits(ElementType type, uint32_t bits) {
  if (type == ElementType::Float16)
    return toHalf(floatFromBits(bits)).bits;
  return type == ElementType::BFloat16 ? toBFloat16(floatFromBits(bits)).bits : bits;
}

void Executor::fill(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0];
  const int64_t size = elementSize(to.operand->type);
  const uint32_t value = elementBits(to.operand->type, uint32_t(op.scalar));
  for (int64_t row = 0; row < to.rows; ++row)
    for (int64_t byte = 0; byte < to.rowBytes; byte += size)
      std::memcpy(ub() + to.address + row * to.stride + byte, &value, size_t(size));
}

void Executor::loadFractals(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  // A fractal of 16-bit elements is a square of 16 rows, two of bytes, one below the other, are one of 32; two of 32
  // bits, side by side, are one of 16.
  const int64_t size = elementSize(to.operand->type), width = kFractalRowBytes / size;
  const int64_t side = std::max(width, kFractalRows), perColumns = side * kFractalRowBytes;
  const int64_t apart = op.instruction->splitsSquares(memoryAt(to.address)) ? op.rows * to.stride : perColumns;
  auto place = [&](int64_t row, int64_t column, int64_t distance) {
    return column / width * distance + row * kFractalRowBytes + column % width * size;
  };
  for (int64_t i = 0; i < op.rows; ++i) {
    uint8_t *destination = ub() + to.address + i * to.stride;
    const uint8_t *source = ub() + from.address + i * from.stride;
    if (!op.instruction->transposed) {
      std::memcpy(destination, source, size_t(kFractalBytes));
      continue;
    }
    for (int64_t row = 0; row < side; ++row)
      for (int64_t column = 0; column < side; ++column)
        std::memcpy(destination + place(column, row, apart), source + place(row, column, perColumns), size_t(size));
  }
}

void Executor::loadIm2col(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  if (to.rowBytes == 0)
    return;
  const SimImage &image = op.image;
  const int64_t size = elementSize(to.operand->type), width = kFractalRowBytes / size, blocks = op.count / width;
  const int64_t firstRow = image.of(ImageNumber::FirstRow), firstBlock = image.of(ImageNumber::FirstColumn) / width;
  const int64_t before = image.blocksBefore(width) * image.places();
  const int64_t windows = image.windowsDown() * image.windowsAcross();
  const uint32_t pad = elementBits(to.operand->type, uint32_t(op.pad));
  for (int64_t row = 0; row < op.rows; ++row)
    for (int64_t block = 0; block < blocks; ++block) {
      uint8_t *destination = ub() + to.address + (row / kFractalRows * blocks + block) * kFractalBytes +
                             row % kFractalRows * kFractalRowBytes;
      // Rows of the last fractals beyond the windows are undefined: NaN.
      if (firstRow + row >= windows) {
        std::memset(destination, 0xff, size_t(kFractalRowBytes));
        continue;
      }
      const int64_t place = image.source(firstRow + row, firstBlock + block);
      if (place >= 0)
        std::memcpy(destination, ub() + from.address + (place - before) * kFractalRowBytes, size_t(kFractalRowBytes));
      for (int64_t byte = 0; place < 0 && byte < kFractalRowBytes; byte += size)
        std::memcpy(destination + byte, &pad, size_t(size));
    }
}

void Executor::loadBias(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0];
  std::memcpy(ub() + to.address, ub() + op.accesses[1].address, size_t(to.rowBytes));
}

template <typename T> static T elementAt(const uint8_t *bytes, ElementType type);

template <> int64_t elementAt(const uint8_t *bytes, ElementType) {
  return static_cast<int8_t>(*bytes);
}

template <> float elementAt(const uint8_t *bytes, ElementType type) {
  uint16_t narrow;
  float wide;
  switch (type) {
  case ElementType::Float16:
    std::memcpy(&narrow, bytes, sizeof narrow);
    return toFloat(Half{narrow});
  case ElementType::BFloat16:
    std::memcpy(&narrow, bytes, sizeof narrow);
    return toFloat(BFloat16{narrow});
  default:
    std::memcpy(&wide, bytes, sizeof wide);
    return wide;
  }
}

/// An operand of the cube as numbers of the type of sums, `lines` times `depth`: lines are rows of L0A or columns
/// of L0B.
template <typename T> using Lines = std::vector<T>;

static int64_t fractalsOf(int64_t size, int64_t unit) {
  return (size + unit - 1) / unit;
}

/// The operand in L0A as rows of k elements.
template <typename T> static Lines<T> linesOfLeft(const uint8_t *memory, ElementType type, int64_t m, int64_t depth) {
  const int64_t size = elementSize(type), width = kFractalRowBytes / size, fractals = depth / width;
  Lines<T> lines(size_t(m * depth));
  for (int64_t row = 0; row < m; ++row)
    for (int64_t k = 0; k < depth; ++k) {
      const int64_t fractal = row / kFractalRows * fractals + k / width;
      lines[size_t(row * depth + k)] = elementAt<T>(
          memory + fractal * kFractalBytes + (row % kFractalRows) * kFractalRowBytes + (k % width) * size, type);
    }
  return lines;
}

/// The operand in L0B as rows of n elements, one for each k.
template <typename T> static Lines<T> linesOfRight(const uint8_t *memory, ElementType type, int64_t depth, int64_t n) {
  const int64_t size = elementSize(type), width = kFractalRowBytes / size, fractals = fractalsOf(n, kFractalRows);
  Lines<T> lines(size_t(depth * n));
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t column = 0; column < n; ++column) {
      const int64_t fractal = k / width * fractals + column / kFractalRows;
      lines[size_t(k * n + column)] =
          elementAt<T>(memory + fractal * kFractalBytes + ((column % kFractalRows) * width + k % width) * size, type);
    }
  return lines;
}

/// Sums in the format of L0C.
static float stored(float sum) {
  return sum;
}
static int32_t stored(int64_t sum) {
  return static_cast<int32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
}

// Products of bytes, and their sums in one instruction, are far below 2^63.
template <typename T> static void multiply(const SimInstruction &op, uint8_t *memory) {
  const PipeInstruction &instruction = *op.instruction;
  const int64_t m = op.rows, n = op.count;
  if (m == 0 || n == 0)
    return;
  const SimAccess &to = op.accesses[0];
  const bool isNew = op.scalar != 0;
  const bool hasBias = isNew && instruction.sources[2].space != ProgramOperand::None;
  const SimAccess &left = op.accesses[isNew ? 1 : 2], &right = op.accesses[op.numAccesses - (hasBias ? 2 : 1)];
  const auto *biases =
      reinterpret_cast<const decltype(stored(T())) *>(memory + op.accesses[op.numAccesses - 1].address);
  const ElementType type = instruction.sources[0].type;
  const int64_t width = kFractalRowBytes / elementSize(type), depth = fractalsOf(op.depth, width) * width;
  const Lines<T> a = linesOfLeft<T>(memory + left.address, type, m, depth);
  const Lines<T> b = linesOfRight<T>(memory + right.address, type, depth, n);
  const int64_t height = fractalsOf(m, kFractalRows) * kFractalRows;
  auto *results = reinterpret_cast<decltype(stored(T())) *>(memory + to.address);
  auto place = [height](int64_t row, int64_t column) {
    return (column / kFractalRows * height + row) * kFractalRows + column % kFractalRows;
  };
  Lines<T> sums(static_cast<size_t>(n));
  for (int64_t row = 0; row < m; ++row) {
    for (int64_t column = 0; column < n; ++column)
      sums[size_t(column)] = hasBias ? T(biases[column]) : isNew ? T(0) : T(results[place(row, column)]);
    for (int64_t k = 0; k < depth; ++k) {
      const T factor = a[size_t(row * depth + k)];
      const T *line = b.data() + k * n;
      // An f32 product is rounded, one of 16-bit numbers is exact.
      for (int64_t column = 0; column < n; ++column)
        sums[size_t(column)] += factor * line[column];
    }
    for (int64_t column = 0; column < n; ++column)
      results[place(row, column)] = stored(sums[size_t(column)]);
  }
  const uint32_t poison = floatBits(std::numeric_limits<float>::quiet_NaN());
  for (int64_t column = 0; column < fractalsOf(n, kFractalRows) * kFractalRows; ++column)
    for (int64_t row = column < n ? m : 0; row < height; ++row)
      std::memcpy(&results[place(row, column)], &poison, sizeof poison);
}

void Executor::mmad(const SimInstruction &op) {
  if (op.instruction->sources[0].type == ElementType::Int8)
    multiply<int64_t>(op, ub());
  else
    multiply<float>(op, ub());
}

// A sum of bytes is made f32 before it is multiplied by its scale.
void Executor::fixpipe(const SimInstruction &op) {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  const bool hasScale = op.instruction->sources[1].space != ProgramOperand::None;
  const int64_t size = elementSize(to.operand->type);
  uint8_t *destination = to.operand->space == ProgramOperand::GM ? global(to) : ub() + to.address;
  for (int64_t row = 0; row < op.rows; ++row)
    for (int64_t column = 0; column < op.count; ++column) {
      uint32_t bits;
      const int64_t inFractals = (row * kFractalRows + column % kFractalRows);
      std::memcpy(&bits, ub() + from.address + column / kFractalRows * from.stride + inFractals * 4, sizeof bits);
      if (hasScale) {
        float scale;
        std::memcpy(&scale, ub() + op.accesses[2].address + column * kScaleBytes, sizeof scale);
        bits = floatBits(float(int32_t(bits)) * scale);
      }
      const bool isWhole = from.operand->type == ElementType::Int32 && !hasScale;
      if (op.instruction->relu && (isWhole ? int32_t(bits) < 0 : floatFromBits(bits) < 0))
        bits = 0;
      bits = elementBits(to.operand->type, bits);
      const int64_t place = op.instruction->packed ? column / kFractalRows * to.stride + inFractals * size
                                                   : row * to.stride + column * size;
      std::memcpy(destination + place, &bits, size_t(size));
    }
}

} // namespace opc::sim
