// Planning problems with a known answer: a rectangle of UB by time, cut into pieces. The pieces fit the rectangle,
// and nothing is left over.

#ifndef OPC_TEST_UNIT_LOWERING_AICORE_CUTRECTANGLES_H
#define OPC_TEST_UNIT_LOWERING_AICORE_CUTRECTANGLES_H

#include "lowering/aicore/plan/Problem.h"

#include <algorithm>
#include <random>

namespace opc::aicore::test {

struct Piece {
  int64_t bottom, top;  ///< units of 32 bytes
  unsigned left, right; ///< times, the right one not included
};

/// Cuts a rectangle of `units` by `times` until there are `count` pieces or none can be cut: across, along, or,
/// unless `guillotine`, as a pinwheel, which no cut from side to side makes.
inline std::vector<Piece> cutRectangle(std::mt19937 &random, int64_t units, unsigned times, size_t count,
                                       bool guillotine) {
  auto between = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
  std::vector<Piece> pieces = {{0, units, 0, times}};
  for (int tries = 0; tries < 1000 && pieces.size() < count; ++tries) {
    // Larger pieces are cut more often.
    auto at = static_cast<size_t>(between(0, int64_t(pieces.size()) - 1));
    auto other = static_cast<size_t>(between(0, int64_t(pieces.size()) - 1));
    auto area = [&](size_t i) { return (pieces[i].top - pieces[i].bottom) * (pieces[i].right - pieces[i].left); };
    at = area(at) < area(other) ? other : at;
    Piece p = pieces[at];
    bool tall = p.top - p.bottom >= 3, wide = p.right - p.left >= 3;
    if (!guillotine && tall && wide && between(0, 1) == 0) {
      int64_t low = between(p.bottom + 1, p.top - 2), high = between(low + 1, p.top - 1);
      auto near = static_cast<unsigned>(between(p.left + 1, p.right - 2)),
           far = static_cast<unsigned>(between(near + 1, p.right - 1));
      pieces[at] = {p.bottom, low, p.left, far};
      pieces.push_back({p.bottom, high, far, p.right});
      pieces.push_back({high, p.top, near, p.right});
      pieces.push_back({low, p.top, p.left, near});
      pieces.push_back({low, high, near, far});
      continue;
    }
    if (between(0, 1) == 0 && p.top - p.bottom >= 2) {
      int64_t cut = between(p.bottom + 1, p.top - 1);
      pieces[at].top = cut;
      pieces.push_back({cut, p.top, p.left, p.right});
    } else if (p.right - p.left >= 2) {
      auto cut = static_cast<unsigned>(between(p.left + 1, p.right - 1));
      pieces[at].right = cut;
      pieces.push_back({p.bottom, p.top, cut, p.right});
    }
  }
  return pieces;
}

/// The pieces as a problem, in an order that tells nothing.
inline PlanProblem problemOf(std::vector<Piece> pieces, std::mt19937 &random, int64_t units) {
  std::shuffle(pieces.begin(), pieces.end(), random);
  PlanProblem problem;
  problem.alignment = 32;
  problem.capacity = units * 32;
  for (const Piece &p : pieces)
    problem.add("b" + std::to_string(problem.items.size()), (p.top - p.bottom) * 32, p.left, p.right - 1);
  return problem;
}

} // namespace opc::aicore::test

#endif // OPC_TEST_UNIT_LOWERING_AICORE_CUTRECTANGLES_H
