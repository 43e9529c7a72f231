#include "runtime/ascendc/DataCache.h"

namespace opc::ascendc {

std::optional<DataCache::Hazard> DataCache::scalar(const SimAccess &access, const Place &place) {
  Line &line = lines[{access.operand->tensor, lineOf(access.address)}];
  if (access.write)
    line.stored = place;
  if (!line.copied)
    return std::nullopt;
  return Hazard{access.write ? "cache_c3" : "cache_c1", *line.copied};
}

std::optional<DataCache::Hazard> DataCache::copy(const SimAccess &access, const Place &place) {
  std::optional<Hazard> hazard;
  const uint16_t tensor = access.operand->tensor;
  for (int64_t row = 0; row < access.rows && access.rowBytes > 0; ++row) {
    const int64_t from = access.address + row * access.stride;
    const auto end = lines.upper_bound({tensor, lineOf(from + access.rowBytes - 1)});
    for (auto line = lines.lower_bound({tensor, lineOf(from)}); line != end; ++line) {
      if (line->second.stored && !hazard)
        hazard = Hazard{access.write ? "cache_c3" : "cache_c2", *line->second.stored};
      if (access.write)
        line->second.copied = place;
    }
  }
  return hazard;
}

std::optional<DataCache::Hazard> DataCache::access(const SimInstruction &op, const Place &place) {
  const bool isScalar = op.instruction->pipe == Pipe::S;
  std::optional<Hazard> hazard;
  for (unsigned i = 0; i < op.numAccesses && (isScalar || !lines.empty()); ++i) {
    const SimAccess &access = op.accesses[i];
    if (access.operand->space != ProgramOperand::GM || hazard)
      continue;
    hazard = isScalar ? scalar(access, place) : copy(access, place);
  }
  return hazard;
}

} // namespace opc::ascendc
