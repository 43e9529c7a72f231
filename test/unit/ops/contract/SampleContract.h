// A contract that uses every key, and a way to break it in one place.
//
// A test replaces one part of the sample and marks with '@' where the error has to point; the mark is taken out
// before the text is read:
//
//   expectBroken("    types:\n", "    @typs:\n", "contract_c9", "found 'typs'", "did you mean
//   'types'?");

#ifndef OPC_TEST_UNIT_OPS_CONTRACT_SAMPLECONTRACT_H
#define OPC_TEST_UNIT_OPS_CONTRACT_SAMPLECONTRACT_H

#include "ops/contract/Contract.h"

#include <string>

namespace opc::test {

/// test/fuzz/seeds/every_key/op_contract.yaml: an input that broadcasts, one optional, an output with an equation,
/// one that reduces, attributes of several types.
const std::string &sample();

/// The sample with the first `from` replaced; fails the test when there is none.
std::string edited(const std::string &from, const std::string &to);

/// The diagnostics of a text, and the contract when there is one.
std::optional<Contract> read(const std::string &text, Diagnostics &diagnostics);

/// A text with one '@' at the place of its only error: its label, code, place, message and fix are as told.
void expectError(std::string text, const std::string &label, const std::string &message, const std::string &fix = {});

/// The same for the sample with one part replaced.
void expectBroken(const std::string &from, const std::string &to, const std::string &label, const std::string &message,
                  const std::string &fix = {});

/// The sample with one part replaced by something that is right too.
Contract expectGood(const std::string &from, const std::string &to);

} // namespace opc::test

#endif // OPC_TEST_UNIT_OPS_CONTRACT_SAMPLECONTRACT_H
