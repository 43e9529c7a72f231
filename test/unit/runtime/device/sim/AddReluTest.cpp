// The double-buffered AddRelu by hand, before any compiler: results, overlap of the pipes, trace, and
// every flag deleted.

#include "test/unit/runtime/device/sim/AddReluProgram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>

using namespace opc;
using namespace opc::test;

namespace {

struct Tensors {
  std::vector<Half> x1, x2, y, expected;

  explicit Tensors(size_t count) : x1(count), x2(count), y(count), expected(count) {
    std::mt19937 random(7);
    for (size_t i = 0; i < count; ++i) {
      x1[i] = toHalf(float(int(random() % 20001) - 10000) / 64);
      x2[i] = toHalf(float(int(random() % 20001) - 10000) / 64);
      const float sum = toFloat(x1[i]) + toFloat(x2[i]);
      expected[i] = toHalf(sum > 0 ? sum : 0.0f);
    }
  }
  std::vector<SimTensor> bound() { return {tensor("x1", x1), tensor("x2", x2), tensor("y", y, true)}; }
  bool right() const {
    for (size_t i = 0; i < y.size(); ++i)
      if (y[i].bits != expected[i].bits)
        return false;
    return true;
  }
};

} // namespace

// Without tails, several tiles, exact multiples and no elements at all, a kernel is right only on the easy sizes.
TEST(AddRelu, IsRightForEveryKindOfSize) {
  const SimulatorProgram program = addReluProgram(ElementType::Float16).program;
  for (size_t count : {0, 1, 15, 16, 17, 31, 33, 127, 8191, 8192, 8193, 16384, 65537}) {
    Tensors tensors(count);
    Outcome r = run(program, tensors.bound(), {8192, int64_t(count)});
    EXPECT_TRUE(r.result.completed) << r.text();
    EXPECT_TRUE(tensors.right()) << count;
  }
}

// Logical blocks share the one core: flags, buffers and time must start clean in each.
TEST(AddRelu, RunsBlocksOneAfterTheOther) {
  const SimulatorProgram program = addReluProgram(ElementType::Float16).program;
  Tensors tensors(4 * 20000);
  Outcome r = run(program, tensors.bound(), {8192, 20000}, {}, 4);
  EXPECT_TRUE(r.result.completed) << r.text();
  EXPECT_TRUE(tensors.right());
}

// The figure the model must show: copies in bound the kernel, and they hide the other pipes.
TEST(AddRelu, KeepsTheLoadPipeBusy) {
  const SimulatorProgram program = addReluProgram(ElementType::Float16).program;
  Tensors tensors(1 << 20);
  const auto begin = std::chrono::steady_clock::now();
  Outcome r = run(program, tensors.bound(), {8192, 1 << 20});
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  ASSERT_TRUE(r.result.completed) << r.text();
  EXPECT_TRUE(tensors.right());
  EXPECT_LT(r.result.idleShare(Pipe::MTE2), 0.1);
  RecordProperty("milliseconds", std::to_string(ms));
  std::cout << "1M elements: " << ms << " ms, " << r.result.cycles << " cycles, mte2 busy "
            << 1 - r.result.idleShare(Pipe::MTE2) << "\n";
}

// A trace nobody can load, or whose pipes never overlap, would not show what the kernel is for.
TEST(AddRelu, TraceShowsThePipesOverlapping) {
  const SimulatorProgram program = addReluProgram(ElementType::Float16).program;
  Tensors tensors(1 << 20);
  SimOptions options;
  std::string text;
  options.traceText = &text;
  options.traceFile = testing::TempDir() + "/opc_sim_trace.json";
  Outcome r = run(program, tensors.bound(), {8192, 1 << 20}, options);
  ASSERT_TRUE(r.result.completed) << r.text();

  std::ifstream file(options.traceFile);
  const std::string written((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(written, text);
  std::filesystem::remove(options.traceFile);

  const auto json = nlohmann::json::parse(text, nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  std::map<std::string, int64_t> busy;
  std::vector<int> active(size_t(r.result.cycles) + 1);
  int arrows = 0;
  for (const auto &event : json["traceEvents"]) {
    if (event["ph"] == "s")
      ++arrows;
    if (event["ph"] == "f")
      --arrows;
    if (event["ph"] != "X" || event["cat"] != "work")
      continue;
    const int64_t start = event["args"]["start_cycle"], cycles = event["args"]["cycles"];
    busy[event["name"]] += cycles;
    for (int64_t i = start; i < start + cycles; ++i)
      active[size_t(i)] |= 1 << event["tid"].get<int>();
    EXPECT_THAT(event["args"]["line"].get<std::string>(), testing::StartsWith("kernel.mlir:"));
  }
  EXPECT_EQ(arrows, 0);
  EXPECT_GT(busy["load"], r.result.cycles * 9 / 10);
  // A tile of this kernel is loaded while the one before is computed, then stored.
  const int computing = 1 << int(Pipe::MTE2) | 1 << int(Pipe::V), storing = 1 << int(Pipe::MTE2) | 1 << int(Pipe::MTE3);
  EXPECT_GT(std::count(active.begin(), active.end(), computing), busy["vaddrelu"] * 9 / 10);
  EXPECT_GT(std::count(active.begin(), active.end(), storing), busy["store"] * 9 / 10);
}

// Each flag is there for a reason: a program that loses one must not pass. (The verifier proves it for all timings.)
TEST(AddRelu, LosingAFlagIsSeen) {
  const AddReluProgram intact = addReluProgram(ElementType::Float16, 1024);
  for (size_t flag : intact.flags) {
    SimulatorProgram mutant = intact.program;
    for (ScalarInstruction &instruction : mutant.code)
      if (instruction.op == ScalarOp::Issue && instruction.imm == int64_t(flag))
        instruction = {ScalarOp::Const, 0, 0, 0, 1024}; // register 0 is the tile length
    Tensors tensors(10 * 1024 + 5);
    Outcome r = run(mutant, tensors.bound(), {1024, 10 * 1024 + 5});
    EXPECT_FALSE(r.result.completed) << "line " << flag + 1;
  }
}

// A buffer at its neighbour's address, with the table of buffers as it was and with the table moved along: the first
// is out of its buffer, the second looks right to every check but those of contents and of time.
TEST(AddRelu, AnAddressInANeighbourIsSeen) {
  const AddReluProgram intact = addReluProgram(ElementType::Float16, 1024);
  const int64_t slots = 2 * 1024 * 2;
  for (size_t moved : {1, 2})
    for (int64_t shift : {-slots, -slots / 2})
      for (bool table : {false, true}) {
        // Exactly in place of x2 the store has two tiles of time before its bytes are loaded again: no run of this
        // timing can tell. The verifier can.
        if (moved == 2 && shift == -slots && table)
          continue;
        SimulatorProgram mutant = intact.program;
        const int64_t address = mutant.buffers[moved].address;
        for (ScalarInstruction &instruction : mutant.code)
          if (instruction.op == ScalarOp::Const && instruction.imm == address)
            instruction.imm += shift;
        if (table)
          mutant.buffers[moved].address += shift;
        Tensors tensors(10 * 1024 + 5);
        Outcome r = run(mutant, tensors.bound(), {1024, 10 * 1024 + 5});
        EXPECT_FALSE(r.result.completed) << moved << " " << shift << " " << table;
      }
}
