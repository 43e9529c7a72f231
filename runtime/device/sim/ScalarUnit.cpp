// The scalar unit. Integer operations are those of tiling functions (evalInteger); float operations are f32, rounded
// to nearest.

#include "runtime/device/sim/ScalarUnit.h"

#include "runtime/target/Half.h"

#include <algorithm>

namespace opc::sim {

/// Keeps the sum of all work within 64 bits.
static constexpr int64_t kMostWork = int64_t(1) << 62;
static constexpr uint32_t kFloatNaN = 0x7fc00000u;

/// Float operations return the default NaN, as vector arithmetic does.
static int64_t floatRegister(float value) {
  return int64_t(value == value ? floatBits(value) : kFloatNaN);
}

static int64_t evalFloat(ScalarOp op, int64_t left, int64_t right) {
  const float a = floatFromBits(uint32_t(left)), b = floatFromBits(uint32_t(right));
  const bool nan = a != a || b != b;
  switch (op) {
  case ScalarOp::FAdd:
    return floatRegister(a + b);
  case ScalarOp::FSub:
    return floatRegister(a - b);
  case ScalarOp::FMul:
    return floatRegister(a * b);
  case ScalarOp::FDiv:
    return floatRegister(a / b);
  case ScalarOp::FMax:
    return nan ? int64_t(kFloatNaN) : int64_t(a == b ? floatBits(a) & floatBits(b) : floatBits(a > b ? a : b));
  case ScalarOp::FMin:
    return nan ? int64_t(kFloatNaN) : int64_t(a == b ? floatBits(a) | floatBits(b) : floatBits(a < b ? a : b));
  default:
    return int64_t(floatBits(a) ^ 0x80000000u); // FNeg
  }
}

void ScalarUnit::start(int64_t firstBlock, int64_t cycle) {
  std::fill(registers.begin(), registers.end(), 0);
  pc = 0;
  clock = cycle;
  block = firstBlock;
}

Location ScalarUnit::nextLocation() const {
  for (size_t i = pc; i < launch.program.code.size(); ++i) {
    const ScalarInstruction &instruction = launch.program.code[i];
    if (instruction.op == ScalarOp::Issue || instruction.op == ScalarOp::Read)
      return launch.locationOf(launch.program.instructions[size_t(instruction.imm)]);
  }
  return {};
}

ScalarUnit::Stop ScalarUnit::fail(EvalStatus status) {
  launch.diagnostics.error(Code::E0575, nextLocation(),
                           "kernel '" + printable(launch.program.kernel) +
                               "' expects scalar arithmetic within 64 bits and divisors other than 0, found " +
                               std::string(evalStatusText(status)) + " before this line",
                           "sim_c40");
  return Stop::Error;
}

ScalarUnit::Stop ScalarUnit::run(int64_t bound) {
  const int64_t cycles = launch.target.scalarCycles();
  const std::vector<ScalarInstruction> &code = launch.program.code;
  while (clock <= bound) {
    const ScalarInstruction &instruction = code[pc];
    if (instruction.op == ScalarOp::Issue)
      return Stop::Issue;
    if (instruction.op == ScalarOp::Read)
      return Stop::Read;
    if (instruction.op == ScalarOp::Work)
      return Stop::Work;
    if (instruction.op == ScalarOp::Halt)
      return Stop::Halt;
    if (stepCount >= launch.options.stepLimit) {
      launch.diagnostics.error(Code::E0450, nextLocation(),
                               "kernel '" + printable(launch.program.kernel) + "' expects to end within " +
                                   std::to_string(launch.options.stepLimit) +
                                   " scalar instructions, found it running on before this line",
                               "sim_c41");
      return Stop::Error;
    }
    ++stepCount;
    clock += cycles;
    busy += cycles;
    size_t next = pc + 1;
    switch (instruction.op) {
    case ScalarOp::Const:
      registers[instruction.dst] = instruction.imm;
      break;
    case ScalarOp::Param:
      registers[instruction.dst] = launch.tilingData[size_t(instruction.imm)];
      break;
    case ScalarOp::BlockIdx:
      registers[instruction.dst] = block;
      break;
    case ScalarOp::Jump:
      next = size_t(instruction.imm);
      break;
    case ScalarOp::JumpIfZero:
      next = registers[instruction.a] == 0 ? size_t(instruction.imm) : next;
      break;
    case ScalarOp::FAdd:
    case ScalarOp::FSub:
    case ScalarOp::FMul:
    case ScalarOp::FDiv:
    case ScalarOp::FMax:
    case ScalarOp::FMin:
      registers[instruction.dst] = evalFloat(instruction.op, registers[instruction.a], registers[instruction.b]);
      break;
    case ScalarOp::FFromInt:
      registers[instruction.dst] = floatRegister(float(registers[instruction.a]));
      break;
    case ScalarOp::FNeg:
      registers[instruction.dst] = evalFloat(instruction.op, registers[instruction.a], 0);
      break;
    default: {
      const bool select = instruction.op == ScalarOp::Select;
      const int64_t other = select ? registers[size_t(instruction.imm)] : 0;
      const EvalStatus status = evalInteger(instruction.op, registers[instruction.a], registers[instruction.b], other,
                                            registers[instruction.dst]);
      if (status != EvalStatus::Ok)
        return fail(status);
    }
    }
    pc = next;
  }
  return Stop::Time;
}

void ScalarUnit::didIssue(int64_t cycles) {
  ++stepCount;
  clock += cycles;
  busy += cycles;
  ++pc;
}

void ScalarUnit::didWork(int64_t cycles) {
  // A program may repeat the largest work up to the limit of its cycles, and without limit in an order without times.
  workCount = std::min(workCount + worked().imm, kMostWork);
  clock += cycles;
  busy += cycles;
  ++pc;
}

void ScalarUnit::didRead(uint64_t value, int64_t cycles) {
  registers[launch.program.code[pc].dst] = int64_t(value);
  didIssue(cycles);
}

} // namespace opc::sim
