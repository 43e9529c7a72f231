// Positions of the figures in a target's table, for this folder only; other code uses the names or the accessors
// of Target.

#ifndef OPC_RUNTIME_TARGET_FIGURES_H
#define OPC_RUNTIME_TARGET_FIGURES_H

namespace opc {

enum FigureIndex : unsigned {
#define OPC_FIGURE(NAME, UNIT, B1, B4, SOURCE) NAME,
#include "runtime/target/Ascend310B.def"
#undef OPC_FIGURE
};

} // namespace opc

#endif // OPC_RUNTIME_TARGET_FIGURES_H
