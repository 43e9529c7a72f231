// The knobs of a schedule file: the name, the field of the model and the written form of each. ReadSchedule.cpp and
// WriteSchedule.cpp use this table only.

#ifndef OPC_OPS_CONTRACT_KNOBS_H
#define OPC_OPS_CONTRACT_KNOBS_H

#include "ops/contract/Contract.h"

#include <array>

namespace opc {

enum class KnobForm {
  Number,    ///< a whole number
  Bool,      ///< true or false, kept as 1 or 0
  FloatType, ///< float16 or float32, kept as its bits
};

struct Knob {
  const char *name;
  std::optional<ScheduleKnob> ContractSchedule::*value;
  KnobForm form;
};

/// In the order of docs/reference/schedule.md.
inline constexpr std::array<Knob, 7> kKnobs = {{
    {"tile", &ContractSchedule::tile, KnobForm::Number},
    {"rows", &ContractSchedule::rows, KnobForm::Number},
    {"slots", &ContractSchedule::slots, KnobForm::Number},
    {"prefetch", &ContractSchedule::prefetch, KnobForm::Bool},
    {"alias", &ContractSchedule::alias, KnobForm::Bool},
    {"expansion", &ContractSchedule::expansion, KnobForm::FloatType},
    {"alignment", &ContractSchedule::alignment, KnobForm::Number},
}};

} // namespace opc

#endif // OPC_OPS_CONTRACT_KNOBS_H
