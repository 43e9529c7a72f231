// The tables of the intrinsic families for each architecture level, one for each family file. The family files and
// the dispatch include this header.

#ifndef OPC_RUNTIME_DEVICE_SIM_NUMERICS_FAMILIES_H
#define OPC_RUNTIME_DEVICE_SIM_NUMERICS_FAMILIES_H

#include "runtime/device/sim/numerics/Numerics.h"

namespace opc::sim {

struct VectorTable {
  const VectorEntry *entries;
  size_t size;
};

#define OPC_SIM_FAMILIES(LEVEL)                                                                                        \
  namespace LEVEL {                                                                                                    \
  VectorTable arithmeticTable();                                                                                       \
  VectorTable castTable();                                                                                             \
  VectorTable compareTable();                                                                                          \
  VectorTable compoundTable();                                                                                         \
  VectorTable elementaryTable();                                                                                       \
  VectorTable fillTable();                                                                                             \
  VectorTable logicTable();                                                                                            \
  VectorTable moveTable();                                                                                             \
  VectorTable partsTable();                                                                                            \
  VectorTable reduceTable();                                                                                           \
  VectorTable sortTable();                                                                                             \
  }

OPC_SIM_FAMILIES(plain)
OPC_SIM_FAMILIES(v3)
OPC_SIM_FAMILIES(v4)

#undef OPC_SIM_FAMILIES

/// The families that round to 16 bits, compiled again with saturating overflow.
namespace saturating {
VectorTable arithmeticTable();
VectorTable castTable();
VectorTable compoundTable();
VectorTable partsTable();
VectorTable reduceTable();
} // namespace saturating

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_NUMERICS_FAMILIES_H
