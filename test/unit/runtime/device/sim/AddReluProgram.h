// AddRelu at `synced` level, by hand: two slots a buffer, flags in both directions, the slot's number as event id.
//
//   for tile: slot = tile mod 2
//     MTE2  wait v->mte2   load x1   load x2   set mte2->v
//     V     wait mte3->v   wait mte2->v   vaddrelu   set v->mte2   set v->mte3
//     MTE3  wait v->mte3   store y   set mte3->v
//
// Presets before the loop, drains after it. Tiling data: tile_length, block_length (elements).

#ifndef OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_ADDRELUPROGRAM_H
#define OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_ADDRELUPROGRAM_H

#include "test/unit/runtime/device/sim/ProgramBuilder.h"

namespace opc::test {

/// The places of the flags among the program's pipe instructions, for mutants.
struct AddReluProgram {
  SimulatorProgram program;
  std::vector<size_t> flags;
};

inline AddReluProgram addReluProgram(ElementType type, int64_t capacity = 8192) {
  ProgramBuilder b(3);
  const int64_t size = elementSize(type);
  const int64_t slotBytes = capacity * size;
  const auto x1 = b.buffer("x1", 0, slotBytes, 2), x2 = b.buffer("x2", 2 * slotBytes, slotBytes, 2),
             y = b.buffer("y", 4 * slotBytes, slotBytes, 2);
  const auto tileLength = b.param("tile_length"), blockLength = b.param("block_length");
  const auto zero = b.constant(int64_t(0)), one = b.constant(int64_t(1)), two = b.constant(int64_t(2));
  const auto bytes = b.constant(size), slotSize = b.constant(slotBytes);
  const auto x2Base = b.constant(2 * slotBytes), yBase = b.constant(4 * slotBytes);
  const auto block = b.blockIndex();

  for (auto id : {zero, one}) {
    b.set(Pipe::V, Pipe::MTE2, id);
    b.set(Pipe::MTE3, Pipe::V, id);
  }
  const auto start = b.compute(ScalarOp::Mul, block, blockLength);
  const auto tile = b.constant(int64_t(0)), done = b.constant(int64_t(0));
  const size_t head = b.here();
  const auto more = b.compute(ScalarOp::Lt, done, blockLength);
  const size_t exit = b.jumpIfZero(more);
  const auto slot = b.compute(ScalarOp::Rem, tile, two);
  const auto rest = b.compute(ScalarOp::Sub, blockLength, done);
  const auto count = b.compute(ScalarOp::Min, rest, tileLength);
  const auto first = b.compute(ScalarOp::Add, start, done);
  const auto offset = b.compute(ScalarOp::Mul, first, bytes);
  const auto x1Address = b.compute(ScalarOp::Mul, slot, slotSize);
  const auto x2Address = b.compute(ScalarOp::Add, x1Address, x2Base);
  const auto yAddress = b.compute(ScalarOp::Add, x1Address, yBase);
  b.wait(Pipe::V, Pipe::MTE2, slot);
  b.load(b.ub(x1, x1Address, type), b.gm(0, offset, type), count);
  b.load(b.ub(x2, x2Address, type), b.gm(1, offset, type), count);
  b.set(Pipe::MTE2, Pipe::V, slot);
  b.wait(Pipe::MTE3, Pipe::V, slot);
  b.wait(Pipe::MTE2, Pipe::V, slot);
  b.vector(Intrinsic::vaddrelu, b.ub(y, yAddress, type), {b.ub(x1, x1Address, type), b.ub(x2, x2Address, type)}, count);
  b.set(Pipe::V, Pipe::MTE2, slot);
  b.set(Pipe::V, Pipe::MTE3, slot);
  b.wait(Pipe::V, Pipe::MTE3, slot);
  b.store(b.gm(2, offset, type), b.ub(y, yAddress, type), count);
  b.set(Pipe::MTE3, Pipe::V, slot);
  b.assign(done, ScalarOp::Add, done, count);
  b.assign(tile, ScalarOp::Add, tile, one);
  b.jump(head);
  b.aim(exit);
  for (auto id : {zero, one}) {
    b.wait(Pipe::V, Pipe::MTE2, id);
    b.wait(Pipe::MTE3, Pipe::V, id);
  }
  AddReluProgram result{b.finish(), {}};
  for (size_t i = 0; i < result.program.instructions.size(); ++i) {
    const auto kind = result.program.instructions[i].kind;
    if (kind == PipeInstruction::SetFlag || kind == PipeInstruction::WaitFlag)
      result.flags.push_back(i);
  }
  return result;
}

} // namespace opc::test

#endif // OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_ADDRELUPROGRAM_H
