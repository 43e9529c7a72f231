// The problem of UB planning, without kernels: items of so many bytes, each living at some times, and a space of so
// many bytes. A solution gives each item an address.
//
//   bytes
//   capacity ┌───────────────┬───────┐     a, b, c, d fill the rectangle: first fit in the order
//            │       c       │   d   │     a, b, d, c would not find room for c
//            ├───────┬───────┴───────┤
//            │   a   │       b       │
//            └───────┴───────────────┘ time
//
// Times are numbers without a unit; an item may live at any set of them. Two items **meet** when they live at one
// time: they lie apart then. Two items may be **coincident**: they do not meet, but touch (one is read for the last
// time where the other is written), so they lie apart or begin at one address. Two items may be **kept apart** though
// they do not meet.
//
// This file states the problem, checks it and verifies solutions; FirstFit.cpp and ExactSearch.cpp solve it. Neither
// shares code with the verifier of phase `planned`.

#ifndef OPC_LOWERING_AICORE_PLAN_PROBLEM_H
#define OPC_LOWERING_AICORE_PLAN_PROBLEM_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace opc::aicore {

struct PlanItem {
  std::string name;            ///< for messages
  int64_t bytes = 0;           ///< more than 0
  std::vector<unsigned> times; ///< at which it lives, ascending, each once
};

struct PlanProblem {
  int64_t capacity = 0;  ///< bytes
  int64_t alignment = 1; ///< addresses are multiples of it
  std::vector<PlanItem> items;
  std::vector<std::pair<unsigned, unsigned>> coincident, keptApart;

  /// Adds an item that lives from `first` to `last`, both included; its number.
  unsigned add(std::string name, int64_t bytes, unsigned first, unsigned last);

  /// What is wrong with the problem; empty: nothing. Sizes whose sum passes 2^62 are.
  std::string check() const;
  /// Why these addresses are no solution; empty: they are one.
  std::string verify(const std::vector<int64_t> &addresses) const;

  /// Bytes that live at the time at which most do, and that time: no solution takes less.
  std::pair<int64_t, unsigned> peak() const;
};

/// Addresses by item, and where the last byte ends.
struct PlanSolution {
  std::vector<int64_t> addresses;
  int64_t bytes = 0;
};

/// Gives each item the lowest address at which it lies apart from all that it must, the address of a coincident item
/// first: in the order of the items, or larger ones first where that takes more than the capacity. Always has an
/// answer, which may take more than the capacity.
PlanSolution planFirstFit(const PlanProblem &problem);

/// What a search may take and took.
struct SearchEffort {
  /// Items put somewhere: the same answer on any machine. Of more than 64 items fewer by the square.
  uint64_t nodeLimit = 200000;
  uint64_t nodes = 0;    ///< that it took
  bool complete = false; ///< all was looked at: no answer means that there is none
};

/// Finds addresses within the capacity. Goes through all that can be one, up to the limit: every solution can be
/// pushed down until each item (or one that coincides with it) rests on another or on 0, so items are put in the
/// order of their addresses, each where it rests.
std::optional<PlanSolution> planExactly(const PlanProblem &problem, SearchEffort &effort);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_PROBLEM_H
