// Matrix products: finds the loops of a contract whose body multiplies, from its shapes.
//
//   a [...S, M, K]  b [N, K]  bias [N]  y [...S, M, N]     te.matmul %a, %b axes [K]
//
//   y[m, n] = sum over k of a[m, k] b[k, n]                loops m = (...S, M), n = (N), k = (K)
//
// Dimensions match by name. A dimension that both operands have and the body sums is k; one that both have and results
// keep is a batch; one that only one operand has is m or n. So a transposed operand is a shape, [N, K] instead of [K,
// N], and an operand without the batch is one matrix for all of it. Neighbouring dimensions that all tensors treat
// alike are one loop (Domain.h): above, a is one matrix of S * M rows.
//
// The loop n is that of the last dimension of the results, which is contiguous in memory. The operand that has it is
// the right one, also if the body names it first.
//
// The batch of an input may broadcast at launch (`broadcast: batch`): the pack is then a loop of its own, which the
// tiling function divides into as many as the sizes of a launch make of it, up to kMostBatches.
//
// A body may reduce rows of the product: over n, all of its dimensions, as a softmax of scores does. Outputs have n, or
// an element for each row, as the nearest of n centres: then the right operand has the loop that is not summed.

#ifndef OPC_OPS_CONTRACT_CONTRACTION_H
#define OPC_OPS_CONTRACT_CONTRACTION_H

#include "ops/contract/domain/Domain.h"

#include <array>

namespace opc {

/// The most columns of a product whose rows are reduced, on the CPU, which keeps a row of them on its stack: 1 MiB.
inline constexpr int64_t kLongestProductRow = 1 << 18;

/// The most batch loops of a product whose batches broadcast at launch: all dimensions but those of a matrix.
inline constexpr unsigned kMostBatches = 6;

struct Contraction {
  DomainLoop m, n, k;                ///< m has one trip if there is no such dimension
  std::array<DomainLoop, 2> batches; ///< around them, outermost first
  size_t left = 0, right = 0;        ///< the inputs that have (m, k) and (k, n)
  /// Whether the operand is contiguous along k. Else it is contiguous along m, the right one along n.
  bool isLeftAlongK = true, isRightAlongK = false;
  bool reducesRows = false; ///< bodies also reduce over n
  /// An output with an element for each row, if there is one; it is written where n is 0, too.
  std::optional<size_t> ofRows;
  /// The pack along which inputs broadcast at launch, the only batch loop.
  std::optional<unsigned> stretched;
};

/// The loops of a contract whose domain multiplies; nullopt if its shapes are not a matrix product, with the reason
/// in `reason`.
std::optional<Contraction> contractionOf(const Contract &contract, const Domain &domain, std::string &reason);

} // namespace opc

#endif // OPC_OPS_CONTRACT_CONTRACTION_H
