// The way back of ReadSchedule.cpp: entries as lines of a schedule file, put behind those that are there. What the
// author wrote stays as it is, comments too; where two entries speak of one number, the later one holds.

#ifndef OPC_OPS_CONTRACT_WRITE_WRITESCHEDULE_H
#define OPC_OPS_CONTRACT_WRITE_WRITESCHEDULE_H

#include "ops/contract/Contract.h"

namespace opc {

/// "'slots: 1', 'alias: true'": the knobs of an entry, in the order of the reference.
std::string knobsText(const ContractSchedule &entry);

/// The entries as lines of a list, each behind `indent` blanks, with '\n' at their ends.
std::string entryLines(const Contract &contract, const std::vector<ContractSchedule> &entries, size_t indent);

/// The same on one line, as a list in braces takes them: "{types: float32, key: flat, slots: 1}".
std::string entriesText(const Contract &contract, const std::vector<ContractSchedule> &entries);

/// A schedule file with these entries alone. `why` is a comment of one line, "" for none.
std::string newScheduleText(const Contract &contract, const std::vector<ContractSchedule> &entries,
                            const std::string &why);

/// The text of the contract's schedule file with entries behind its last one. nullopt when that does not stand on
/// lines of its own, so that no line can be put behind it, or when the text is not what the contract was read from.
std::optional<std::string> scheduleTextWith(const std::string &text, const Contract &contract,
                                            const std::vector<ContractSchedule> &entries, const std::string &why);

} // namespace opc

#endif // OPC_OPS_CONTRACT_WRITE_WRITESCHEDULE_H
