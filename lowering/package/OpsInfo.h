// The list of operators for the vendor's framework: aic-ascend310b-ops-info.json.

#ifndef OPC_LOWERING_PACKAGE_OPSINFO_H
#define OPC_LOWERING_PACKAGE_OPSINFO_H

#include "ops/contract/Contract.h"

#include <string>
#include <vector>

namespace opc {

/// JSON text in which every value is a string, as the framework expects.
std::string opsInfoJson(const Contract &contract);
/// The same for several operators, in their order.
std::string opsInfoJson(const std::vector<const Contract *> &contracts);

} // namespace opc

#endif // OPC_LOWERING_PACKAGE_OPSINFO_H
