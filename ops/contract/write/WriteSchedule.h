// The inverse of ReadSchedule.cpp: writes entries as lines of a schedule file and appends them to the existing ones.
// The author's text is not changed, comments included; where two entries set one knob, the later one wins.

#ifndef OPC_OPS_CONTRACT_WRITE_WRITESCHEDULE_H
#define OPC_OPS_CONTRACT_WRITE_WRITESCHEDULE_H

#include "ops/contract/Contract.h"

namespace opc {

/// The knobs of an entry in the order of docs/reference/schedule.md: "'slots: 1', 'alias: true'".
std::string knobsText(const ContractSchedule &entry);

/// The entries as lines of a list, each indented by `indent` blanks and ended by '\n'.
std::string entryLines(const Contract &contract, const std::vector<ContractSchedule> &entries, size_t indent);

/// The entries on one line, for a list in flow style: "{types: float32, key: flat, slots: 1}".
std::string entriesText(const Contract &contract, const std::vector<ContractSchedule> &entries);

/// A new schedule file with these entries. `why` is a comment of one line, "" for none.
std::string newScheduleText(const Contract &contract, const std::vector<ContractSchedule> &entries,
                            const std::string &why);

/// The text of the contract's schedule file with `entries` appended after its last entry. Returns nullopt when the
/// last entry shares its line with other text, so that no line can follow it, or when `text` is not the text that the
/// contract was read from.
std::optional<std::string> scheduleTextWith(const std::string &text, const Contract &contract,
                                            const std::vector<ContractSchedule> &entries, const std::string &why);

} // namespace opc

#endif // OPC_OPS_CONTRACT_WRITE_WRITESCHEDULE_H
