// What authors can write instead of shapes that no kernel serves.

#ifndef OPC_LOWERING_IMPORT_TE_SHAPEFIXES_H
#define OPC_LOWERING_IMPORT_TE_SHAPEFIXES_H

#include "ops/contract/Contract.h"

#include <string>

namespace opc {

/// A suggestion how to bring an operator's shapes into a pattern that te bodies support. The contract has none.
std::string fixOfShapes(const Contract &contract);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_SHAPEFIXES_H
