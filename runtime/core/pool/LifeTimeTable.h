// Which buffers live when, and where they lie so that those that never live together share bytes.
//
//   model a   steps 0..2     w  |==|           conv  |===|      a's buffers and b's never live
//   model b   steps 3..5                 w        |==|          together: one arena serves both
//
// Steps are a clock that all models of the table share: models that take turns get steps one after the other, models
// that run at the same time get the same steps. A plan places each buffer at an offset of one arena, largest first,
// each at the lowest place that is free for its whole life. `verifyPlan` shares no code with the planner.

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

  /// False, and no row is added, when the life ends before it begins or the size overflows.
  bool add(LifeTime row);
  const std::vector<LifeTime> &rows() const { return table; }
  /// Bytes without sharing.
  size_t bytesApart() const;
  LifeTimePlan plan() const;

private:
  std::vector<LifeTime> table;
};

/// The first two buffers of a plan that live and lie together, or one outside of the arena; empty when there is none.
std::string verifyPlan(const LifeTimeTable &table, const LifeTimePlan &plan);

} // namespace opc

#endif // OPC_RUNTIME_CORE_POOL_LIFETIMETABLE_H
