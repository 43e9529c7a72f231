// Nests: a launch with several loop nests, if no single loop nest serves all results.
//
//   ranges      y [N, A+B] of a [N, A] and b [N, B]            terms of a sum differ in length (Ranges.h)
//   reductions  s [N, C] and t [N, S] of x [N, C, S]           results reduce different dimensions (Reductions.h)
//
// Each nest is an ordinary contract with some of the tensors. A launch runs all nests of its type row, in any order.

#ifndef OPC_OPS_CONTRACT_NESTS_H
#define OPC_OPS_CONTRACT_NESTS_H

#include "ops/contract/Contract.h"

namespace opc {

/// Maximum number of nests of a contract.
inline constexpr size_t kMostNests = 16;

struct LaunchNest {
  Contract contract;           ///< of the tensors that the nest has, in the order of the whole contract
  std::vector<size_t> tensors; ///< their indices there: inputs, then outputs
  /// For rows in the second of two forms, which only the AI Core has: the number of the nest with the same rows in the
  /// first form. The launch decides by their length which of the two runs.
  std::optional<unsigned> first;
};

/// Whether a contract has several nests. The contract of a nest has none.
bool hasNests(const Contract &contract);

/// The nests of such a contract, indexed by their number. Empty with the reason when there are too many, or when a
/// tensor is in none of them.
std::vector<LaunchNest> nestsOf(const Contract &contract, std::string &reason);

/// Appends the nests of the second form. The CPU does not have them, so their numbers are the last ones.
void addSecondForms(std::vector<LaunchNest> &nests);

} // namespace opc

#endif // OPC_OPS_CONTRACT_NESTS_H
