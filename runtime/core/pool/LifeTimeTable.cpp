#include "runtime/core/pool/LifeTimeTable.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace opc {

static size_t aligned(size_t bytes) {
  constexpr size_t unit = LifeTimeTable::kAlignment;
  return std::max<size_t>(1, (bytes + unit - 1) / unit) * unit;
}

bool LifeTimeTable::add(LifeTime row) {
  size_t sum = 0;
  if (row.first > row.last || row.bytes > SIZE_MAX / 2 ||
      __builtin_add_overflow(bytesApart(), aligned(row.bytes), &sum))
    return false;
  table.push_back(std::move(row));
  return true;
}

size_t LifeTimeTable::bytesApart() const {
  size_t sum = 0;
  for (const LifeTime &row : table)
    sum += aligned(row.bytes);
  return sum;
}

LifeTimePlan LifeTimeTable::plan() const {
  LifeTimePlan result;
  result.offsets.resize(table.size());
  std::vector<size_t> order(table.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [this](size_t a, size_t b) {
    return table[a].bytes != table[b].bytes ? table[a].bytes > table[b].bytes : a < b;
  });
  std::vector<size_t> placed; // by offset
  for (size_t index : order) {
    const LifeTime &row = table[index];
    size_t place = 0;
    for (size_t other : placed) {
      if (table[other].last < row.first || row.last < table[other].first)
        continue;
      if (result.offsets[other] >= place + aligned(row.bytes))
        break; // the gap before it is large enough
      place = std::max(place, result.offsets[other] + aligned(table[other].bytes));
    }
    result.offsets[index] = place;
    result.arena = std::max(result.arena, place + aligned(row.bytes));
    placed.insert(std::upper_bound(placed.begin(), placed.end(), place,
                                   [&](size_t offset, size_t other) { return offset < result.offsets[other]; }),
                  index);
  }
  return result;
}

/// Sweeps over the steps and checks at each one that live buffers, ordered by offset, do not overlap.
std::string verifyPlan(const LifeTimeTable &table, const LifeTimePlan &plan) {
  const std::vector<LifeTime> &rows = table.rows();
  if (plan.offsets.size() != rows.size())
    return "expects an offset for each buffer";
  struct Event {
    int64_t step;
    bool begins;
    size_t row;
  };
  std::vector<Event> events;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (plan.offsets[i] > plan.arena || rows[i].bytes > plan.arena - plan.offsets[i])
      return "'" + rows[i].buffer + "' leaves the arena";
    events.push_back({rows[i].first, true, i});
    events.push_back({rows[i].last, false, i});
  }
  std::sort(events.begin(), events.end(),
            [](const Event &a, const Event &b) { return a.step != b.step ? a.step < b.step : a.begins > b.begins; });
  std::multimap<size_t, size_t> living; // offset to row
  for (const Event &event : events) {
    size_t offset = plan.offsets[event.row];
    if (!event.begins) {
      auto [begin, end] = living.equal_range(offset);
      for (auto it = begin; it != end; ++it)
        if (it->second == event.row) {
          living.erase(it);
          break;
        }
      continue;
    }
    for (const auto &[other, row] : living) {
      bool apart = other + rows[row].bytes <= offset || offset + rows[event.row].bytes <= other;
      if (!apart && rows[row].bytes && rows[event.row].bytes)
        return "'" + rows[event.row].buffer + "' of " + rows[event.row].model + " shares bytes with '" +
               rows[row].buffer + "' of " + rows[row].model + " at step " + std::to_string(event.step);
    }
    living.emplace(offset, event.row);
  }
  return {};
}

} // namespace opc
