// The axes that a body may reduce, from the shapes of its contract: what the parser of te knows of them (Axes.h).

#ifndef OPC_LOWERING_IMPORT_TE_AXISFRAMES_H
#define OPC_LOWERING_IMPORT_TE_AXISFRAMES_H

#include "dialect/te/Axes.h"
#include "ops/contract/domain/ShapeKeys.h"

namespace opc {

te::AxisFrame axisFrame(const Contract &contract, const ShapeKey &key);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_AXISFRAMES_H
