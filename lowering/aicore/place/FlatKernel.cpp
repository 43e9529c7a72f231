// One loop over tiles:
//
//   load and compute values of one element, read them with the scalar unit
//   for tile:   load inputs; steps; store outputs

#include "lowering/aicore/place/writer/KernelForms.h"

using namespace mlir;

namespace opc::aicore {

void writeFlatKernel(const KernelParts &parts) {
  KernelWriter &w = parts.writer;
  const TileProgram &program = parts.program;
  Value blockLength = w.field("block_length", 1);
  Value tileLength = w.field("tile_length", 1, parts.schedule.getTile());
  Value total = w.field("size0");
  Value start = w.mul(w.blockIndex(), blockLength);
  Value length = w.min(w.sub(total, start), blockLength);
  Value tiles = w.ceilDiv(length, tileLength);

  auto isOne = [&](TileId value) { return program.spreadOf(value) == Spread::One; };
  w.makeBuffers([](const Home &home, unsigned) { return home.invariant; });
  Value zero = w.constant(0), one = w.constant(1);
  for (TileId value = 0; value < program.values.size(); ++value)
    if (program.values[value].tensor && isOne(value))
      w.loadFlat(value, zero, one);
  w.writeSteps({}, [&](const TileStep &step) { return isOne(step.result); });
  w.readOnes();
  for (auto [value, tensor] : program.stores)
    if (isOne(value))
      w.storeFlat(value, tensor, zero, one);

  w.loop(tiles, [&](Value tile) {
    Value done = w.mul(tile, tileLength);
    Value count = w.min(w.sub(length, done), tileLength);
    Value offset = w.add(start, done);
    w.makeBuffers([](const Home &home, unsigned) { return !home.invariant; });
    for (TileId value = 0; value < program.values.size(); ++value)
      if (program.values[value].tensor && !isOne(value))
        w.loadFlat(value, offset, count);
    TileExtent extent;
    extent.full = count;
    w.writeSteps(extent, [&](const TileStep &step) { return !isOne(step.result); });
    for (auto [value, tensor] : program.stores)
      if (!isOne(value))
        w.storeFlat(value, tensor, offset, count);
  });
}

} // namespace opc::aicore
