// The part of a manifest that says what the contract says: tensors, attributes, symbols with ranges
// and equations.

#ifndef OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H
#define OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H

#include "ops/contract/Contract.h"
#include "runtime/program/Manifest.h"

namespace opc {

/// Fills what the contract determines.
void fillFromContract(const Contract &contract, Manifest &manifest);

} // namespace opc

#endif // OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H
