// The scalar machine: integer steps against 128-bit arithmetic, checks of straight-line code, runs.

#include "test/unit/runtime/program/Samples.h"

#include <gtest/gtest.h>

#include <limits>

using namespace opc;

using Wide = __int128;
static constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

/// The same step in 128 bits, written another way.
static EvalStatus reference(ScalarOp op, int64_t a, int64_t b, int64_t c, int64_t &result) {
  Wide wide = 0;
  bool divides = op == ScalarOp::FloorDiv || op == ScalarOp::CeilDiv || op == ScalarOp::Rem;
  if (divides && b == 0)
    return EvalStatus::DivisionByZero;
  // The remainder of the least number by -1 overflows on hardware, and so it does here.
  if (op == ScalarOp::Rem && a == kLeast && b == -1)
    return EvalStatus::Overflow;
  Wide floorQuotient = 0;
  if (divides) {
    floorQuotient = Wide(a) / b;
    while (floorQuotient * b != a && ((Wide(a) - floorQuotient * b < 0) != (b < 0)))
      --floorQuotient;
  }
  switch (op) {
  case ScalarOp::Add:
    wide = Wide(a) + b;
    break;
  case ScalarOp::Sub:
    wide = Wide(a) - b;
    break;
  case ScalarOp::Mul:
    wide = Wide(a) * b;
    break;
  case ScalarOp::FloorDiv:
    wide = floorQuotient;
    break;
  case ScalarOp::CeilDiv:
    wide = floorQuotient * b == a ? floorQuotient : floorQuotient + 1;
    break;
  case ScalarOp::Rem:
    wide = Wide(a) % b;
    break;
  case ScalarOp::Min:
    wide = a < b ? a : b;
    break;
  case ScalarOp::Max:
    wide = a < b ? b : a;
    break;
  case ScalarOp::Lt:
    wide = a < b ? 1 : 0;
    break;
  case ScalarOp::Eq:
    wide = a == b ? 1 : 0;
    break;
  case ScalarOp::Select:
    wide = a ? b : c;
    break;
  default:
    return EvalStatus::BadProgram;
  }
  if (wide < kLeast || wide > kMost)
    return EvalStatus::Overflow;
  result = static_cast<int64_t>(wide);
  return EvalStatus::Ok;
}

// Tiling decides which bytes a kernel touches: a wrong rounding or a wrapped product reads past a tensor.
TEST(EvalInteger, AgreesWithWideArithmetic) {
  std::mt19937_64 random(20261120);
  std::vector<int64_t> values = {0,  1,    -1,    2,         -2,     3,          7,
                                 -7, 8192, kMost, kMost - 1, kLeast, kLeast + 1, int64_t(1) << 32};
  for (int i = 0; i < 60; ++i)
    values.push_back(static_cast<int64_t>(random() >> (random() % 64)) * (i % 2 ? 1 : -1));
  for (int64_t a : values)
    for (int64_t b : values)
      for (unsigned op = 1; op <= 11; ++op) {
        int64_t found = 0, expected = 0;
        EvalStatus status = evalInteger(static_cast<ScalarOp>(op), a, b, 42, found);
        ASSERT_EQ(status, reference(static_cast<ScalarOp>(op), a, b, 42, expected)) << op << ": " << a << ", " << b;
        if (status == EvalStatus::Ok) {
          ASSERT_EQ(found, expected) << op << ": " << a << ", " << b;
        }
      }
}

// Opcodes of kernels have no integer meaning; taking one for another would run a damaged program.
TEST(EvalInteger, RefusesOtherOpcodes) {
  int64_t result = 0;
  for (unsigned op : {0u, 12u, 31u, 32u, 37u, 48u, 65535u})
    EXPECT_EQ(evalInteger(static_cast<ScalarOp>(op), 1, 1, 1, result), EvalStatus::BadProgram) << op;
}

TEST(RunTiling, ComputesTheFields) {
  TilingFunction function = sample::tiling();
  ASSERT_EQ(checkTiling(function), "");
  int64_t outputs[3] = {};
  int64_t n = 1000003;
  ASSERT_EQ(runTiling(function, &n, outputs), EvalStatus::Ok);
  EXPECT_EQ(outputs[0], 1);
  EXPECT_EQ(outputs[1], 123);
  EXPECT_EQ(outputs[2], 1000003 - 122 * 8192);
}

// A field is unsigned: a negative or too wide result would arrive in the kernel as another number.
TEST(RunTiling, RefusesResultsThatTheFieldCannotHold) {
  TilingFunction function = sample::tiling();
  int64_t outputs[3] = {};
  int64_t n = -10000;
  EXPECT_EQ(runTiling(function, &n, outputs), EvalStatus::Overflow);
  function.outputs[1] = {{"n", TilingField::UInt32}, 0};
  n = int64_t(1) << 32;
  EXPECT_EQ(runTiling(function, &n, outputs), EvalStatus::Overflow);
  n -= 1;
  EXPECT_EQ(runTiling(function, &n, outputs), EvalStatus::Ok);
}

TEST(RunTiling, TellsOverflowAndZeroDivisors) {
  TilingFunction function = sample::tiling();
  function.inputs.push_back({TilingInput::Dim, 0, -1});
  function.code = {{ScalarOp::Mul, 3, 0, 0, 0}, {ScalarOp::FloorDiv, 4, 0, 1, 0}};
  function.outputs = {{{"block_num", TilingField::UInt64}, 3}};
  ASSERT_EQ(checkTiling(function), "");
  int64_t output = 0;
  int64_t large[] = {int64_t(1) << 32, 1}, zero[] = {1, 0};
  EXPECT_EQ(runTiling(function, large, &output), EvalStatus::Overflow);
  EXPECT_EQ(runTiling(function, zero, &output), EvalStatus::DivisionByZero);
  EXPECT_EQ(evalStatusText(EvalStatus::DivisionByZero), "division by zero");
}

// The machine itself checks no bounds: what this lets through would read foreign memory.
TEST(CheckTiling, RefusesWhatTheMachineDoesNotCheck) {
  auto problem = [](void (*damage)(TilingFunction &)) {
    TilingFunction function = sample::tiling();
    damage(function);
    return checkTiling(function);
  };
  EXPECT_EQ(problem([](TilingFunction &f) { f.code[0].dst = 7; }), "instruction 0: writes register 7 of 7");
  EXPECT_EQ(problem([](TilingFunction &f) { f.code[1].a = 9; }),
            "instruction 1: reads a register that nothing has written");
  EXPECT_EQ(problem([](TilingFunction &f) { f.code[1].b = 6; }),
            "instruction 1: reads a register that nothing has written");
  EXPECT_EQ(problem([](TilingFunction &f) { f.code[1] = {ScalarOp::Select, 2, 0, 0, -1}; }),
            "instruction 1: selects a register that nothing has written");
  EXPECT_EQ(problem([](TilingFunction &f) { f.code[1] = {ScalarOp::Select, 2, 0, 0, int64_t(1) << 32}; }),
            "instruction 1: selects a register that nothing has written");
  EXPECT_EQ(problem([](TilingFunction &f) { f.code[2].op = ScalarOp::Jump; }),
            "instruction 2: expects an opcode of a tiling function, found 32");
  EXPECT_EQ(problem([](TilingFunction &f) { f.numRegisters = 1025; }), "expects at most 1024 registers, found 1025");
  EXPECT_EQ(problem([](TilingFunction &f) { f.inputs.resize(8); }),
            "expects a register for each input, found 7 registers for 8 inputs");
  EXPECT_EQ(problem([](TilingFunction &f) { f.code.resize(kMaxTilingInstructions + 1); }),
            "expects at most 16384 instructions, found 16385");
  EXPECT_EQ(problem([](TilingFunction &f) { f.inputs[0].kind = static_cast<TilingInput::Kind>(5); }),
            "expects a known kind of input, found 5");
  EXPECT_EQ(problem([](TilingFunction &f) { f.outputs[1].reg = 7; }),
            "expects every output in a register that is written, found register 7");
  EXPECT_EQ(problem([](TilingFunction &f) { f.outputs[1].field.type = TilingField::Float32; }),
            "expects an output of type uint32 or uint64, found type 2");
  EXPECT_EQ(problem([](TilingFunction &f) { f.outputs[0].field.name = "blocks"; }),
            "expects \"block_num\" as the first output");
  EXPECT_EQ(problem([](TilingFunction &f) { f.outputs.clear(); }), "expects \"block_num\" as the first output");
}
