// The file form of simulator programs: round trip, and every damage answered without harm.

#include "test/unit/runtime/program/Samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using ::testing::HasSubstr;

static std::string readBack(const std::vector<uint8_t> &bytes, SimulatorProgram &program) {
  return readProgram(bytes.data(), bytes.size(), program);
}

// Writing what was read gives the same bytes: nothing is lost, nothing depends on the machine.
TEST(ProgramFile, RoundTrip) {
  SimulatorProgram written = sample::program();
  written.instructions[7].atomicAdd = true;
  written.instructions[3].partial = true;
  written.instructions[0].pad = 2;
  written.instructions[0].rows = 1;
  std::vector<uint8_t> bytes = writeProgram(written);
  SimulatorProgram program;
  ASSERT_EQ(readBack(bytes, program), "");
  EXPECT_EQ(writeProgram(program), bytes);
  EXPECT_EQ(program.instructions[3].intrinsic, Intrinsic::vaddrelu);
  EXPECT_TRUE(program.instructions[7].atomicAdd);
  EXPECT_FALSE(program.instructions[7].partial);
  EXPECT_TRUE(program.instructions[3].partial);
  EXPECT_EQ(program.instructions[0].pad, 2);
  EXPECT_EQ(program.locations[1].file, "add_relu.aicore.mlir");
  EXPECT_EQ(program.buffers[1].address, 32768);
  EXPECT_EQ(program.code.back().op, ScalarOp::Halt);
}

// Every intrinsic goes through its name, so a file outlives a reordered table.
TEST(ProgramFile, IntrinsicsAreStoredByName) {
  std::vector<uint8_t> bytes = writeProgram(sample::program());
  std::string text(bytes.begin(), bytes.end());
  size_t at = text.find("vaddrelu");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 4] = 'X';
  SimulatorProgram program;
  EXPECT_EQ(readBack(bytes, program), "expects intrinsics this version knows, found 'vaddXelu'");
}

// Lengths of operands, the fourth source and the pattern came with version 2.
TEST(ProgramFile, KeepsWhatMergesAndPatternsNeed) {
  SimulatorProgram written = sample::program(), read;
  PipeInstruction merge = written.instructions[3];
  ASSERT_EQ(merge.kind, PipeInstruction::Vector);
  merge.intrinsic = Intrinsic::vmrgsort;
  merge.count = kNoRegister;
  for (uint16_t list = 0; list < 4; ++list) {
    merge.sources[list] = merge.sources[0];
    merge.sources[list].length = list % 3;
  }
  PipeInstruction kept = written.instructions[3];
  kept.intrinsic = Intrinsic::vgather_pattern;
  kept.sources[1] = {};
  kept.pattern = GatherPattern::Third;
  written.instructions.push_back(merge);
  written.instructions.push_back(kept);
  ASSERT_EQ(readBack(writeProgram(written), read), "");
  const PipeInstruction &first = read.instructions[read.instructions.size() - 2];
  for (uint16_t list = 0; list < 4; ++list) {
    EXPECT_EQ(first.sources[list].space, ProgramOperand::UB);
    EXPECT_EQ(first.sources[list].length, list % 3);
  }
  EXPECT_EQ(read.instructions.back().pattern, GatherPattern::Third);
  EXPECT_EQ(writeProgram(read), writeProgram(written));
}

TEST(ProgramFile, SaysWhatIsWrong) {
  std::vector<uint8_t> bytes = writeProgram(sample::program());
  SimulatorProgram program;
  EXPECT_EQ(readProgram(nullptr, 0, program), "expects a simulator program, found other bytes");
  std::vector<uint8_t> other = bytes;
  other[4] = 1;
  EXPECT_EQ(readBack(other, program), "expects version 4 of simulator programs, found version 1");
  other = bytes;
  other.push_back(0);
  EXPECT_EQ(readBack(other, program), "expects the end of the simulator program, found more bytes");
  other = bytes;
  other.pop_back();
  EXPECT_EQ(readBack(other, program), "the simulator program is cut short");
}

// Each location keeps its file's name: many locations in one long name would multiply a small file into gigabytes.
TEST(ProgramFile, LocationsCannotBlowUp) {
  SimulatorProgram written = sample::program();
  written.locations.assign(20000, {std::string(4000, 'f'), 1, 1});
  SimulatorProgram program;
  EXPECT_THAT(readBack(writeProgram(written), program), HasSubstr("expects file names of locations that take at most"));
}

// A string longer than any name or path is damage.
TEST(ProgramFile, LongStringsAreRefused) {
  SimulatorProgram written = sample::program();
  written.kernel = std::string(5000, 'k');
  SimulatorProgram program;
  EXPECT_EQ(readBack(writeProgram(written), program), "the simulator program is cut short");
}

// Whatever the bytes: an answer; and what is accepted passes the check that the interpreter relies on.
TEST(ProgramFile, EveryDamageIsAnswered) {
  std::vector<uint8_t> bytes = writeProgram(sample::program());
  size_t accepted = 0;
  sample::everyDamage(bytes, 20000, [&](const std::vector<uint8_t> &damaged, bool truncated) {
    SimulatorProgram program;
    std::string problem = readBack(damaged, program);
    if (truncated) {
      ASSERT_NE(problem, "");
    }
    if (!problem.empty())
      return;
    ++accepted;
    ASSERT_EQ(checkProgram(program), "");
  });
  EXPECT_GT(accepted, 0u) << "the damage never got past the first checks: this test would test nothing";
}
