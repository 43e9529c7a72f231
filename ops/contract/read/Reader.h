// From op_contract.yaml to a checked Contract. Input is hostile: every refusal is a diagnostic with the user's line.
//
// The text is held to its limits first (size, UTF-8), then read by yaml-cpp into plain nodes (Yaml.h, the one file that
// sees yaml-cpp), then turned into the model, then checked as a whole. Each step reports all it finds before it stops.

#ifndef OPC_OPS_CONTRACT_READ_READER_H
#define OPC_OPS_CONTRACT_READ_READER_H

#include "ops/contract/Contract.h"

namespace opc {

/// Reads and checks a contract and that its files are there. nullopt when an error was reported: OPC-E0600 (exit 6)
/// when the contract itself cannot be read, OPC-E02xx (exit 3) for everything else.
std::optional<Contract> loadContract(const std::string &path, Diagnostics &diagnostics);

/// The same from a text, without looking at the file system: paths of files are held to their form only.
std::optional<Contract> parseContract(std::string_view text, const std::string &path, Diagnostics &diagnostics);

/// The entries of a schedule file's text for a contract; `path` is the file that messages name. nullopt after an error.
std::optional<std::vector<ContractSchedule>> parseSchedule(std::string_view text, const std::string &path,
                                                           const Contract &contract, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_OPS_CONTRACT_READ_READER_H
