// The part of a manifest that says what the contract says: tensors, attributes, symbols with ranges
// and equations.

#ifndef OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H
#define OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H

#include "ops/contract/Contract.h"
#include "runtime/program/Manifest.h"

namespace opc {

/// Fills what the contract determines. False, with E0390 (package_c1) at the contract's line, when
/// a manifest cannot say something that the contract says.
bool fillFromContract(const Contract &contract, Manifest &manifest, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H
