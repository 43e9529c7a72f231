// The chips: look-up, figures with sources, limits, types and roundings.

#include "runtime/target/Target.h"
#include "runtime/target/toolkit/KernelCalls.h"

#include <gtest/gtest.h>

#include <set>

using namespace opc;

static const Target &b1() {
  return *findTarget("Ascend310B1");
}
static const Target &b4() {
  return *findTarget("Ascend310B4");
}

// A family name stands for its first chip, as the vendor's tools take it; anything else is an error, not a guess.
TEST(Target, FoundByNameAndFamily) {
  EXPECT_EQ(findTarget("Ascend310B"), findTarget("Ascend310B1"));
  EXPECT_EQ(b4().name(), "Ascend310B4");
  for (const char *name : {"", "ascend310b", "Ascend310", "Ascend310B2", "Ascend310B1 "})
    EXPECT_EQ(findTarget(name), nullptr) << name;
  for (const std::string &name : targetNames())
    EXPECT_NE(findTarget(name), nullptr) << name;
}

// A figure without a source cannot be checked by anyone; "assumed" needs its reason.
TEST(Target, EveryFigureHasASource) {
  for (const Target &target : allTargets()) {
    std::set<std::string_view> names;
    for (const Figure &figure : target.figures()) {
      EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
      // Promises are true or not; everything else is a measure.
      if (figure.name.substr(0, 9) == "in_order_")
        EXPECT_TRUE(figure.value == 0 || figure.value == 1) << figure.name;
      else
        EXPECT_GT(figure.value, 0) << figure.name;
      bool assumed = figure.source.substr(0, 7) == "assumed";
      bool fromVendor = figure.source.substr(0, 7) == "vendor ";
      // What headers have and a page denies, or what one board showed.
      bool likely = figure.source.substr(0, 8) == "likely: ";
      EXPECT_TRUE(assumed || fromVendor || likely) << figure.name;
      if (assumed) {
        EXPECT_EQ(figure.source.substr(0, 9), "assumed: ") << figure.name;
        EXPECT_GT(figure.source.size(), 20u) << figure.name << " does not say why";
      }
    }
  }
}

// Windows of memories are apart, and an address leads back to its memory.
TEST(Target, WindowsOfMemories) {
  for (const Target &target : allTargets())
    for (unsigned i = unsigned(Memory::UB); i < kNumMemories; ++i) {
      const auto memory = Memory(i);
      const int64_t begin = windowOf(memory), end = begin + target.memoryBytes(memory);
      EXPECT_EQ(memoryAt(begin), memory);
      EXPECT_EQ(memoryAt(end - 1), memory);
      EXPECT_LE(end, i + 1 < kNumMemories ? windowOf(Memory(i + 1)) : kWindowsEnd);
    }
}

// These are the limits that every plan and every check stands on.
TEST(Target, LimitsOfKernels) {
  for (const Target &target : allTargets()) {
    EXPECT_EQ(target.ubBytes(), 253952);
    EXPECT_EQ(target.ubAlignment(), 32);
    EXPECT_EQ(target.vectorBytes(), 256);
    EXPECT_EQ(target.eventIds(), 6u);
    EXPECT_EQ(target.maxCopyBlocks(), 4095);
    EXPECT_EQ(target.maxCopyBlockBytes(), 2097151);
    EXPECT_EQ(target.figure("l0c_bytes"), 131072);
    EXPECT_EQ(target.memoryBytes(Memory::L1), 1048576);
    EXPECT_EQ(target.memoryBytes(Memory::L0A), 65536);
    EXPECT_EQ(target.memoryAlignment(Memory::L0B), 512);
    EXPECT_EQ(target.memoryAlignment(Memory::L0C), 1024);
    // The vendor's TPipe has M_MTE1 0 to 2, and there is no flag between FIX and V.
    EXPECT_EQ(target.firstEventId(Pipe::M, Pipe::MTE1), 3u);
    EXPECT_EQ(target.firstEventId(Pipe::MTE1, Pipe::M), 0u);
    EXPECT_FALSE(target.hasFlag(Pipe::FIX, Pipe::V));
    EXPECT_FALSE(target.hasFlag(Pipe::V, Pipe::FIX));
    EXPECT_FALSE(target.hasFlag(Pipe::MTE3, Pipe::FIX));
    // What a kernel may assume is that pair alone.
    for (unsigned from = 0; from < kNumPipes; ++from)
      for (unsigned to = 0; to < kNumPipes; ++to) {
        const bool isPair =
            (Pipe(from) == Pipe::FIX && Pipe(to) == Pipe::V) || (Pipe(from) == Pipe::V && Pipe(to) == Pipe::FIX);
        EXPECT_EQ(target.withFixToV().hasFlag(Pipe(from), Pipe(to)), isPair || target.hasFlag(Pipe(from), Pipe(to)));
      }
    for (Pipe pipe : {Pipe::FIX, Pipe::V, Pipe::MTE3}) // over MTE1
      EXPECT_TRUE(target.hasFlag(pipe, Pipe::MTE1));
    for (Pipe pipe : {Pipe::FIX, Pipe::V})
      EXPECT_TRUE(target.hasFlag(Pipe::MTE1, pipe));
  }
  EXPECT_EQ(b1().clockMHz(), 1224);
  EXPECT_EQ(b4().clockMHz(), 500);
  EXPECT_EQ(b1().figure("ddr_weight"), 17);
  EXPECT_EQ(b4().figure("ub_to_ddr_width"), 64);
}

// A figure that does not exist is a mistake in our code and must not read as 0.
TEST(TargetDeath, UnknownFigureIsAnInternalError) {
  EXPECT_DEATH(b1().figure("ub_byte"), "no figure 'ub_byte'");
}

// Were a copy pipe taken to complete in order, barriers would be missing on the chip and no test here would see it;
// each row says where it comes from.
TEST(Target, ScalarAndVectorUnitCompleteInOrder) {
  for (const Target &target : allTargets()) {
    for (Pipe pipe : {Pipe::S, Pipe::V})
      EXPECT_TRUE(target.completesInOrder(pipe)) << pipeName(pipe);
    for (Pipe pipe : {Pipe::M, Pipe::MTE1, Pipe::MTE2, Pipe::MTE3, Pipe::FIX})
      EXPECT_FALSE(target.completesInOrder(pipe)) << pipeName(pipe);
    for (unsigned pipe = 0; pipe < kNumPipes; ++pipe) {
      const std::string row = "in_order_" + std::string(pipeName(Pipe(pipe)));
      EXPECT_EQ(target.figure(row) != 0, target.completesInOrder(Pipe(pipe))) << row;
      EXPECT_EQ(target.barrierCycles(Pipe(pipe)) == 0, target.completesInOrder(Pipe(pipe))) << row;
    }
  }
}

// The rows rest on what the headers do with a barrier of each pipe, and the table of calls was read from them: a
// barrier becomes an instruction where, and only where, the pipe needs it.
TEST(Target, OrderOfPipesIsThatOfTheHeaders) {
  for (Cann version : kCannVersions)
    for (unsigned pipe = 0; pipe < kNumPipes; ++pipe) {
      const std::string name = "PIPE_" + std::string(ascendCPipeName(Pipe(pipe)));
      EXPECT_EQ(callFate(version, "PipeBarrier", "call", name) != CallFate::Emits, b1().completesInOrder(Pipe(pipe)))
          << name << " in " << cannName(version);
    }
}

// What other chips do not promise is taken away from the vector pipe, and nothing else changes.
TEST(Target, PortableTakesTheVectorPipesPromise) {
  const Target portable = b1().portable();
  EXPECT_EQ(portable.name(), b1().name());
  for (size_t i = 0; i < portable.figures().size(); ++i) {
    const Figure &figure = portable.figures()[i];
    EXPECT_EQ(figure.value != b1().figures()[i].value, figure.name == "in_order_v") << figure.name;
  }
  EXPECT_FALSE(portable.completesInOrder(Pipe::V));
  EXPECT_TRUE(portable.completesInOrder(Pipe::S));
  EXPECT_GT(portable.barrierCycles(Pipe::V), 0);
}

TEST(Target, PipesHaveTheirNames) {
  EXPECT_EQ(pipeName(Pipe::MTE2), "mte2");
  EXPECT_EQ(ascendCPipeName(Pipe::MTE3), "MTE3");
  EXPECT_EQ(pipeName(Pipe::FIX), "fix");
}

// What is not supported must be expanded; what is claimed by mistake would not run on the chip.
TEST(Target, SupportsRowsOfTheTableOnly) {
  using T = ElementType;
  EXPECT_TRUE(b1().supports(Intrinsic::vaddrelu, {T::Float16, T::Float16}));
  EXPECT_FALSE(b1().supports(Intrinsic::vaddrelu, {T::Float16, T::Float32}));
  EXPECT_FALSE(b1().supports(Intrinsic::vdiv, {T::Int32, T::Int32}));
  EXPECT_FALSE(b1().supports(Intrinsic::vadd, {T::BFloat16, T::BFloat16})) << "no bfloat16 arithmetic";
  EXPECT_TRUE(b1().supports(Intrinsic::vcast, {T::BFloat16, T::Float32}));
}

// Odd exists for float to half alone; an exact cast takes none alone; every row has at least one.
TEST(Target, RoundingModesOfCasts) {
  using T = ElementType;
  for (TypeRow row : intrinsicInfo(Intrinsic::vcast).types) {
    std::vector<RoundingMode> modes = b1().castRoundings(row);
    ASSERT_FALSE(modes.empty());
    bool odd = std::find(modes.begin(), modes.end(), RoundingMode::Odd) != modes.end();
    EXPECT_EQ(odd, row.source == T::Float32 && row.destination == T::Float16);
    bool none = std::find(modes.begin(), modes.end(), RoundingMode::None) != modes.end();
    EXPECT_TRUE(none || modes.size() >= 5u);
  }
  EXPECT_EQ(b1().castRoundings({T::Float16, T::Float32}), std::vector<RoundingMode>{RoundingMode::None});
  EXPECT_EQ(b1().castRoundings({T::Float16, T::Int32}).size(), 5u);
  EXPECT_EQ(b1().castRoundings({T::Int32, T::Float32}).size(), 6u) << "32 bits do not fit 24; none rounds to nearest";
  EXPECT_EQ(b1().castRoundings({T::Float32, T::Float16}).size(), 7u) << "odd and none too";
  EXPECT_EQ(b1().castRoundings({T::Int32, T::Float16}).size(), 5u) << "none there is a page's, not the headers'";
  EXPECT_TRUE(b1().castRoundings({T::Float16, T::Float16}).empty());
  EXPECT_EQ(b1().castRoundings({T::Float32, T::Float32}).size(), 5u) << "to whole numbers";
  EXPECT_EQ(b1().castRoundings({T::Int64, T::Float32}).size(), 5u);
  EXPECT_EQ(b1().castRoundings({T::Int32, T::Int64}), std::vector<RoundingMode>{RoundingMode::None});
  EXPECT_TRUE(b1().castRoundings({T::Int64, T::Float16}).empty());
}
