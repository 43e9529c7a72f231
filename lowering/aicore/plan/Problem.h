// The problem of UB planning (dynamic storage allocation), independent of kernels. Items have a size and live at
// certain times; memory has a capacity. A solution gives each item an address.
//
//   bytes
//   capacity ┌───────────────┬───────┐     a, b, c, d fill the rectangle: first fit in the order
//            │       c       │   d   │     a, b, d, c finds no room for c
//            ├───────┬───────┴───────┤
//            │   a   │       b       │
//            └───────┴───────────────┘ time
//
// Times are numbers without a unit, and an item may live at any set of them. Two items **meet** if they live at a
// common time; they must not overlap. Two items may be **coincident**: they do not meet but touch (one is read for
// the last time where the other is written), so they either do not overlap or begin at the same address. Two items
// may be **kept apart** although they do not meet.
//
// This file states the problem, checks it and verifies solutions; FirstFit.cpp and ExactSearch.cpp solve it. It
// shares no code with the verifier of phase `planned`, and neither do they.

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
  int64_t bytes = 0;           ///< greater than 0
  std::vector<unsigned> times; ///< times at which it lives, ascending and unique
};

struct PlanProblem {
  int64_t capacity = 0;  ///< bytes
  int64_t alignment = 1; ///< addresses are multiples of it
  std::vector<PlanItem> items;
  std::vector<std::pair<unsigned, unsigned>> coincident, keptApart;

  /// Adds an item that lives from `first` to `last`, both included. Returns its number.
  unsigned add(std::string name, int64_t bytes, unsigned first, unsigned last);

  /// Describes what is wrong with the problem; empty if nothing is. Sizes with a sum beyond 2^62 are an error.
  std::string check() const;
  /// Describes why the addresses are no solution; empty if they are one.
  std::string verify(const std::vector<int64_t> &addresses) const;

  /// The peak: the most bytes that live at one time, and that time. No solution takes fewer bytes.
  std::pair<int64_t, unsigned> peak() const;
};

/// Addresses by item, and the end of the last byte.
struct PlanSolution {
  std::vector<int64_t> addresses;
  int64_t bytes = 0;
};

/// Gives each item the address of a coincident item, or otherwise the lowest address at which it overlaps no item
/// that it must lie apart from. Items are placed in their order, or, if that exceeds the capacity, larger ones first.
/// Always returns an answer, which may exceed the capacity.
PlanSolution planFirstFit(const PlanProblem &problem);

/// The limits of a search, and what it used.
struct SearchEffort {
  /// Limit for placed items, so that the answer is the same on any machine. With more than 64 items it shrinks with
  /// the square of their number.
  uint64_t nodeLimit = 200000;
  uint64_t nodes = 0;    ///< items placed
  bool complete = false; ///< the search space was exhausted: no answer means that there is none
};

/// Finds addresses within the capacity. The search is exhaustive up to the limit. Every solution can be pushed down
/// until each item (or a coincident one) rests on another item or on 0; so items are placed in the order of their
/// addresses, each where it rests.
std::optional<PlanSolution> planExactly(const PlanProblem &problem, SearchEffort &effort);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_PROBLEM_H
