// The variants that `opc test` makes for attributes that are bound at compile time: each value gives a different
// kernel, so each variant is a contract of its own.

#ifndef OPC_TOOLS_OPC_TEST_TESTVARIANTS_H
#define OPC_TOOLS_OPC_TEST_TESTVARIANTS_H

#include "ops/contract/Contract.h"

#include <string>
#include <vector>

namespace opc::tool {

struct TestVariant {
  Contract contract;
  std::string changed; ///< "mode=slow"; empty: all attributes have their defaults
};

/// The contract itself, then a few other allowed values for each attribute that is bound at compile time: every
/// choice of a text, the other boolean, the ends of a range, and for an open end the default minus or plus one. Lists
/// keep their defaults, and so do attributes that 'reduces' names.
std::vector<TestVariant> testVariants(const Contract &contract);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEST_TESTVARIANTS_H
