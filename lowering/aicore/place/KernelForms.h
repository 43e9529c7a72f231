// The loops of a placed kernel, one file for each form. Each function finds the builder in the
// kernel's entry and leaves it there, behind the loops.

#ifndef OPC_LOWERING_AICORE_PLACE_KERNELFORMS_H
#define OPC_LOWERING_AICORE_PLACE_KERNELFORMS_H

#include "lowering/aicore/place/KernelWriter.h"

namespace opc::aicore {

struct KernelParts {
  const TileProgram &program;
  const KernelShape &shape;
  ScheduleAttr schedule;
  KernelWriter &writer;
};

/// One loop over tiles of a flat tensor; fields block_length, tile_length, size0.
void writeFlatKernel(const KernelParts &parts);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_KERNELFORMS_H
