// What depends on bytes that nothing has written, by experiment: each intrinsic runs twice on tiles of which a block
// holds garbage, another garbage each time. An element of the result that differs depends on it, so the check must call
// it undefined; where lanes stay apart, no other element may be.

#include "test/unit/runtime/device/sim/ProgramBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

using namespace opc;
using namespace opc::test;
using Form = IntrinsicForm;
using testing::HasSubstr;

namespace {

constexpr int64_t kTile = 4096;
constexpr int64_t kRows = 5;
constexpr unsigned kTensors = 8; // garbage, result, destination, four sources, words

/// Tensors of a launch, all of ui8.
struct Tensors {
  std::vector<std::vector<uint8_t>> bytes{kTensors, std::vector<uint8_t>(size_t(kTile))};

  std::vector<SimTensor> tensors() {
    std::vector<SimTensor> all;
    for (unsigned i = 0; i < kTensors; ++i)
      all.push_back(tensor("t" + std::to_string(i), bytes[i], /*writable=*/i == 1));
    return all;
  }
};

/// The block of a source that holds garbage, another one in each.
int64_t garbageBlock(unsigned source) {
  return 1 + int64_t(source);
}

int64_t countOf(const IntrinsicInfo &info, ElementType type) {
  const int64_t unit = countUnit(info.form, type);
  return (64 + unit - 1) / unit * unit;
}

/// Runs one instruction on tiles with garbage; with `read`, the scalar unit then reads that byte of the result.
class Experiment {
public:
  /// With `reduced` a reduction of kRows rows of four blocks: so many elements of each.
  Experiment(const IntrinsicInfo &info, TypeRow row, int64_t reduced = 0)
      : info(info), row(row), count(countOf(info, row.source)), reduced(reduced) {
    std::mt19937 random(unsigned(info.intrinsic) * 31 + unsigned(row.source));
    for (std::vector<uint8_t> &tile : memory.bytes)
      for (uint8_t &byte : tile)
        byte = uint8_t(random());
    // Floats of moderate size, whose sums and functions differ when an operand does.
    for (unsigned i = 2; i < 7; ++i)
      for (size_t at = 1; at < size_t(kTile); at += 2)
        memory.bytes[i][at] = uint8_t(0x38 + random() % 8);
    for (uint32_t i = 0; i < kTile / 4; ++i) {
      const uint32_t word = uint32_t((i * 7 + 3) % uint32_t(count)) * elementSize(row.source);
      std::memcpy(&memory.bytes[7][i * 4], &word, 4);
    }
    if (hasMask(info.form))
      for (uint8_t &byte : memory.bytes[3])
        byte = uint8_t(random());
  }

  Outcome go(unsigned garbage, std::optional<int64_t> read, bool checks) {
    std::mt19937 random(garbage);
    for (uint8_t &byte : memory.bytes[0])
      byte = uint8_t(random());
    for (size_t at = 1; at < size_t(kTile); at += 2)
      memory.bytes[0][at] = uint8_t(0x38 + memory.bytes[0][at] % 8);
    const SimulatorProgram program = programFor(read);
    SimOptions options;
    options.recorded = true;
    if (!checks) // otherwise those of a plain run, which say nothing about outputs that are not whole
      options.sanitize = Sanitize{};
    return run(program, memory.tensors(), {}, options);
  }
  const std::vector<uint8_t> &result() const { return memory.bytes[1]; }
  int64_t elements() const { return count; }

private:
  /// A tile: garbage through another buffer, then all blocks but one, or all.
  ProgramOperand tile(ProgramBuilder &b, unsigned number, unsigned tensor, ElementType type,
                      std::optional<int64_t> garbage) {
    const int64_t address = int64_t(number) * 2 * kTile;
    const auto other = b.buffer("other" + std::to_string(number), address, kTile);
    const auto buffer = b.buffer("tile" + std::to_string(number), address, kTile);
    auto copy = [&](uint16_t to, unsigned from, int64_t begin, int64_t end) {
      b.load(b.ub(to, b.constant(address + begin), ElementType::UInt8),
             b.gm(uint16_t(from), b.constant(begin), ElementType::UInt8), b.constant(end - begin));
      b.barrier(Pipe::MTE2);
    };
    copy(other, 0, 0, kTile);
    copy(buffer, tensor, 0, garbage ? *garbage * kBlockBytes : kTile);
    if (garbage)
      copy(buffer, tensor, (*garbage + 1) * kBlockBytes, kTile);
    return b.ub(buffer, b.constant(address), type);
  }

  SimulatorProgram programFor(std::optional<int64_t> read) {
    ProgramBuilder b(kTensors);
    const ProgramOperand to = tile(b, 0, 2, row.destination, std::nullopt);
    std::vector<ProgramOperand> sources;
    const unsigned most = sourceCount(info.form).least;
    for (unsigned i = 0; i < most; ++i) {
      const bool isMask = i == 0 && hasMask(info.form), isWords = i + 1 == most && hasWords(info.form);
      const ElementType type = isMask ? ElementType::UInt8 : isWords ? ElementType::UInt32 : row.source;
      sources.push_back(
          tile(b, i + 1, isWords ? 7 : 3 + i, type, isMask || isWords ? std::nullopt : std::optional(garbageBlock(i))));
    }
    const auto zero = b.constant(int64_t(0));
    b.set(Pipe::MTE2, Pipe::V, zero);
    b.wait(Pipe::MTE2, Pipe::V, zero);
    const bool shifts = info.intrinsic == Intrinsic::vshl || info.intrinsic == Intrinsic::vshr;
    const bool isFloat = row.source == ElementType::Float16 || row.source == ElementType::Float32;
    const auto scalar = !takesScalar(info.form) ? kNoRegister
                        : shifts || !isFloat    ? b.constant(int64_t(1))
                                                : b.constant(0.75f);
    const auto size = b.constant(kTile / int64_t(elementSize(row.source)));
    const auto scratch =
        b.ub(b.buffer("scratch", 200000, kTile), hasByteScratch(info.form) ? ElementType::UInt8 : row.source);
    const int64_t block = kBlockBytes / int64_t(elementSize(row.source));
    const auto rows = b.constant(kRows), tileLength = b.constant(4 * block * kRows),
               results = b.constant(block * kRows);
    PipeInstruction &op = b.vector(info.intrinsic, to, sources, b.constant(reduced ? reduced : count), scalar);
    if (reduced) {
      op.rows = rows;
      op.sources[0].length = tileLength;
      op.destination.length = results;
    }
    if (info.form == Form::Scatter)
      op.destination.length = size;
    if (info.form == Form::Gather)
      op.sources[0].length = size;
    if (info.form == Form::Cast)
      op.rounding = findTarget("Ascend310B1")->castRoundings(row).front();
    if (hasScratch(info.form))
      op.scratch = scratch;
    b.set(Pipe::V, Pipe::MTE3, zero);
    b.wait(Pipe::V, Pipe::MTE3, zero);
    if (read) {
      b.set(Pipe::V, Pipe::S, zero);
      b.wait(Pipe::V, Pipe::S, zero);
      b.read(b.ub(0 + 1, b.constant(*read), ElementType::UInt8));
    } else {
      b.store(b.gm(1, zero, ElementType::UInt8), b.ub(1, b.constant(int64_t(0)), ElementType::UInt8),
              b.constant(kTile));
    }
    return b.finish();
  }

  const IntrinsicInfo &info;
  TypeRow row;
  int64_t count, reduced;
  Tensors memory;
};

} // namespace

// A dependence that the check misses lets a wrong result through; one that it invents is a false alarm.
TEST(UndefinedCheck, FollowsEveryIntrinsic) {
  size_t differing = 0;
  for (const IntrinsicInfo &info : allIntrinsics()) {
    if (info.form == Form::Merge || info.form == Form::Fill)
      continue; // lists of pairs, and nothing that is read
    bool isFirst = true;
    for (TypeRow row : info.types) {
      SCOPED_TRACE(std::string(info.name) + " " + std::string(mlirTypeName(row.source)) + ">" +
                   std::string(mlirTypeName(row.destination)));
      Experiment one(info, row), other(info, row);
      const Outcome first = one.go(1, std::nullopt, /*checks=*/false), second = other.go(2, std::nullopt, false);
      ASSERT_TRUE(first.result.completed) << first.text();
      ASSERT_TRUE(second.result.completed) << second.text();
      const int64_t size = elementSize(row.destination), results = writesMask(info.form) ? 8 : one.elements();
      std::set<int64_t> differ, probes;
      for (int64_t i = 0; i < kTile; ++i)
        if (one.result()[size_t(i)] != other.result()[size_t(i)])
          differ.insert(i / size);
      for (int64_t i = 0; i < (isFirst ? results : std::min<int64_t>(results, 12)); ++i)
        probes.insert(i);
      for (int64_t element : differ)
        if (probes.size() < 80)
          probes.insert(element);
      differing += differ.size();
      const int64_t lane = elementSize(row.source);
      for (int64_t element : probes) {
        const Outcome found = one.go(1, element * size, /*checks=*/true);
        const bool isUndefined = found.text().find("[init_c3]") != std::string::npos;
        ASSERT_TRUE(isUndefined || found.result.completed) << found.text();
        EXPECT_TRUE(isUndefined || !differ.count(element)) << "element " << element << " depends on garbage";
        if (worksByLane(info.form)) {
          const int64_t source = element * lane / kBlockBytes - garbageBlock(0);
          EXPECT_EQ(isUndefined, source >= 0 && source < sourceCount(info.form).least) << "element " << element;
        }
      }
      isFirst = false;
    }
  }
  EXPECT_GT(differing, 1000u);
}

// Garbage is in the second block of the first row: its result depends on it if that block is reduced, and no other one
// does.
TEST(UndefinedCheck, FollowsReductionsOfRows) {
  for (const IntrinsicInfo &info : allIntrinsics()) {
    if (info.form != Form::Reduce)
      continue;
    for (TypeRow row : info.types) {
      const int64_t block = kBlockBytes / int64_t(elementSize(row.source));
      for (int64_t columns : {block, block + 1, 4 * block})
        for (int64_t result = 0; result < kRows; ++result) {
          const Outcome found = Experiment(info, row, columns).go(1, result * kBlockBytes, /*checks=*/true);
          const bool isUndefined = found.text().find("[init_c3]") != std::string::npos;
          ASSERT_TRUE(isUndefined || found.result.completed) << found.text();
          EXPECT_EQ(isUndefined, result == 0 && columns > block) << info.name << " " << columns << " " << result;
        }
    }
  }
}

// The error is where the bytes leave; the note is where they were read, and says what they are.
TEST(UndefinedCheck, TellsWhereBytesComeFrom) {
  constexpr ElementType kFloat = ElementType::Float32;
  ProgramBuilder b(2);
  const auto p = b.buffer("p", 0, 256), q = b.buffer("q", 256, 256), r = b.buffer("r", 512, 256);
  const auto zero = b.constant(int64_t(0)), count = b.constant(int64_t(64));
  b.load(b.ub(p, kFloat), b.gm(0, zero, kFloat), b.constant(int64_t(18)));
  b.set(Pipe::MTE2, Pipe::V, zero);
  b.wait(Pipe::MTE2, Pipe::V, zero);
  b.vector(Intrinsic::vabs, b.ub(q, kFloat), {b.ub(p, kFloat)}, count);
  b.vector(Intrinsic::vabs, b.ub(r, kFloat), {b.ub(q, kFloat)}, count);
  b.set(Pipe::V, Pipe::MTE3, zero);
  b.wait(Pipe::V, Pipe::MTE3, zero);
  const auto stored = b.fresh();
  SimOptions options;
  options.recorded = true;
  std::vector<float> x(64), y(64);
  for (int64_t elements : {18, 19}) {
    ProgramBuilder copy = b;
    copy.assign(stored, ScalarOp::Add, copy.constant(elements), zero);
    copy.store(copy.gm(1, zero, kFloat), copy.ub(r, kFloat), stored);
    Outcome outcome = run(copy.finish(), {tensor("x", x), tensor("y", y, true)}, {}, options);
    if (elements == 18) {
      EXPECT_TRUE(outcome.result.completed) << outcome.text();
      continue;
    }
    EXPECT_THAT(outcome.text(),
                HasSubstr("'store' on pipe mte3 expects buffer 'r' to hold what it stores, found bytes "
                          "from 584 that depend on bytes that a copy filled with the first element of its row"));
    EXPECT_THAT(outcome.text(),
                HasSubstr("'vabs' on pipe v reads bytes from 72 of buffer 'p' that a copy filled with the first "
                          "element of its row"));
  }
}
