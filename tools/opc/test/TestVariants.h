// What `opc test` tries of attributes that are bound when an operator is compiled: each value makes another kernel,
// so each is a contract of its own.

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

/// The contract as it is, then for each attribute that is bound when compiled a few other values that the contract
/// admits: every choice of a text, the other truth value, the ends of a range, of an open end the default and one.
/// Lists keep their defaults, and so does what 'reduces' names.
std::vector<TestVariant> testVariants(const Contract &contract);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEST_TESTVARIANTS_H
