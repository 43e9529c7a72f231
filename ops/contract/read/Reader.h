// Reads op_contract.yaml into a checked Contract. The input is untrusted: every refusal is a diagnostic at a line of
// the file.
//
// The reader checks the limits of the text (size, UTF-8), parses it with yaml-cpp into plain nodes (Yaml.h), turns
// these into the model and checks the model as a whole. Each step reports all its errors before the reader stops.

#ifndef OPC_OPS_CONTRACT_READ_READER_H
#define OPC_OPS_CONTRACT_READ_READER_H

#include "ops/contract/Contract.h"

namespace opc {

/// Reads and checks a contract, and checks that its files exist. Returns nullopt after an error: OPC-E0600 (exit 6)
/// when the contract itself cannot be read, OPC-E02xx (exit 3) otherwise.
std::optional<Contract> loadContract(const std::string &path, Diagnostics &diagnostics);

/// As loadContract, but reads a text and does not access the file system: of paths it checks the form only, and it
/// does not read the schedule file.
std::optional<Contract> parseContract(std::string_view text, const std::string &path, Diagnostics &diagnostics);

/// Reads a contract's facts of a body at level te from its text: axes, parts, whether it multiplies matrices.
void readTeBody(ContractBody &body, std::string text);

/// Reads the entries of a schedule file's text for a contract. `path` names the file in messages. Returns nullopt
/// after an error.
std::optional<std::vector<ContractSchedule>> parseSchedule(std::string_view text, const std::string &path,
                                                           const Contract &contract, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_OPS_CONTRACT_READ_READER_H
