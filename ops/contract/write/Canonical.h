// The canonical text of a contract and its hash. Comments, key order, quoting and omitted defaults affect neither.

#ifndef OPC_OPS_CONTRACT_WRITE_CANONICAL_H
#define OPC_OPS_CONTRACT_WRITE_CANONICAL_H

#include "ops/contract/Contract.h"

namespace opc {

/// Block-style YAML with all keys in the order of docs/reference/contract.md and all defaults written out. Reading it
/// gives the same contract.
std::string canonicalText(const Contract &contract);

/// SHA-256 of the canonical text, 64 lower-case hex digits.
std::string contractHash(const Contract &contract);

} // namespace opc

#endif // OPC_OPS_CONTRACT_WRITE_CANONICAL_H
