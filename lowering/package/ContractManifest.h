// The part of a manifest that says what the contract says: tensors, attributes, symbols with ranges and equations.

#ifndef OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H
#define OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H

#include "ops/contract/Shapes.h"
#include "runtime/program/Manifest.h"

namespace opc {

/// Fills what the contract determines. With shapes, by tensor, the manifest is that of a static operator: these
/// inputs have them and no others.
void fillFromContract(const Contract &contract, const StaticShapes &shapes, Manifest &manifest);

} // namespace opc

#endif // OPC_LOWERING_PACKAGE_CONTRACTMANIFEST_H
