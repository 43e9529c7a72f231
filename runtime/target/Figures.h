// Positions of the figures in a target's table, for the code of this folder; everyone else asks by name or by accessor.

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
