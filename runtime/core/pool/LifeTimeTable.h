// Lifetimes of buffers, and a memory plan in which buffers with disjoint lifetimes share bytes.
//
//   model a   steps 0..2     w  |==|           conv  |===|      a's buffers and b's never live
//   model b   steps 3..5                 w        |==|          together: one arena serves both
//
// Steps are a clock that all models of the table share: models that run one after the other have disjoint steps,
// models that run at the same time have the same steps. The planner places each buffer in one arena, largest first,
// at the lowest offset that is free for its whole lifetime. `verifyPlan` shares no code with the planner.

#ifndef OPC_RUNTIME_CORE_POOL_LIFETIMETABLE_H
#define OPC_RUNTIME_CORE_POOL_LIFETIMETABLE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace opc {

struct LifeTime {
  std::string model, buffer;
  size_t bytes = 0;
  int64_t first = 0, last = 0; ///< steps, both included
};

struct LifeTimePlan {
  std::vector<size_t> offsets; ///< one for each row of the table, multiples of 512
  size_t arena = 0;            ///< bytes
};

class LifeTimeTable {
public:
  static constexpr size_t kAlignment = 512;

  /// Adds a row. Returns false and adds nothing when the lifetime ends before it begins or the size overflows.
  bool add(LifeTime row);
  const std::vector<LifeTime> &rows() const { return table; }
  /// Total bytes without sharing.
  size_t bytesApart() const;
  LifeTimePlan plan() const;

private:
  std::vector<LifeTime> table;
};

/// Describes the first two buffers of a plan that overlap in both lifetime and bytes, or a buffer outside the arena;
/// empty when the plan is valid.
std::string verifyPlan(const LifeTimeTable &table, const LifeTimePlan &plan);

} // namespace opc

#endif // OPC_RUNTIME_CORE_POOL_LIFETIMETABLE_H
