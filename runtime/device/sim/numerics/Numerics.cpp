// Finds the function of an intrinsic in the tables of all families, for the best architecture level of this machine.

#include "runtime/device/sim/numerics/Numerics.h"

#include "runtime/device/sim/numerics/Families.h"
#include "runtime/target/accuracy/Accuracy.h"

#include <array>

namespace opc::sim {

std::string_view hostLevelName(HostLevel level) {
  switch (level) {
  case HostLevel::Plain:
    return "plain";
  case HostLevel::V3:
    return "x86-64-v3";
  case HostLevel::V4:
    return "x86-64-v4";
  }
  return "";
}

bool hostSupports(HostLevel level) {
  if (level == HostLevel::Plain)
    return true;
#if OPC_SIM_X86_LEVELS
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                  __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c");
  if (level == HostLevel::V3)
    return v3;
  return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

HostLevel bestHostLevel() {
  static const HostLevel best = hostSupports(HostLevel::V4)   ? HostLevel::V4
                                : hostSupports(HostLevel::V3) ? HostLevel::V3
                                                              : HostLevel::Plain;
  return best;
}

static std::array<VectorTable, 11> tables(HostLevel level) {
#define OPC_SIM_TABLES(NAME)                                                                                           \
  {                                                                                                                    \
    {                                                                                                                  \
      NAME::arithmeticTable(), NAME::castTable(), NAME::compareTable(), NAME::compoundTable(),                         \
          NAME::elementaryTable(), NAME::fillTable(), NAME::logicTable(), NAME::moveTable(), NAME::partsTable(),       \
          NAME::reduceTable(), NAME::sortTable()                                                                       \
    }                                                                                                                  \
  }
#if OPC_SIM_X86_LEVELS
  if (level == HostLevel::V4)
    return OPC_SIM_TABLES(v4);
  if (level == HostLevel::V3)
    return OPC_SIM_TABLES(v3);
#endif
  return OPC_SIM_TABLES(plain);
#undef OPC_SIM_TABLES
}

template <size_t N>
static VectorFunction findIn(const std::array<VectorTable, N> &tables, Intrinsic intrinsic, TypeRow types) {
  for (const VectorTable &table : tables)
    for (size_t i = 0; i < table.size; ++i) {
      const VectorEntry &entry = table.entries[i];
      if (entry.intrinsic == intrinsic && entry.source == types.source && entry.destination == types.destination)
        return entry.function;
    }
  return nullptr;
}

VectorFunction findVectorFunction(Intrinsic intrinsic, TypeRow types, HostLevel level) {
  return hostSupports(level) ? findIn(tables(level), intrinsic, types) : nullptr;
}

VectorFunction findSaturatingFunction(Intrinsic intrinsic, TypeRow types) {
  if (!accuracyOf(intrinsic).leavesOpen(Overflow))
    return nullptr;
  const std::array<VectorTable, 5> tables = {saturating::arithmeticTable(), saturating::castTable(),
                                             saturating::compoundTable(), saturating::partsTable(),
                                             saturating::reduceTable()};
  return findIn(tables, intrinsic, types);
}

VectorFunction findAtomicAdd(ElementType type) {
  return findVectorFunction(Intrinsic::vadd, TypeRow{type, type}, bestHostLevel());
}

} // namespace opc::sim
