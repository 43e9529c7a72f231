// Matrix products: the loops of a contract whose body multiplies, from its shapes.
//
//   a [...S, M, K]  b [N, K]  bias [N]  y [...S, M, N]     te.matmul %a, %b axes [K]
//
//   y[m, n] = sum over k of a[m, k] b[k, n]                loops m = (...S, M), n = (N), k = (K)
//
// Dimensions meet by name. What both operands have and the body sums over is k, what both have and results keep is a
// batch, what one of them has is m or n. So a transposed operand is a shape, [N, K] instead of [K, N], and a batch that
// one operand lacks is the same matrix for all of it. Neighbouring dimensions that all tensors treat alike are one loop
// (Domain.h): above, a is one matrix of S * M rows.
//
// The loop n is that of the last dimension of the results, whose elements are neighbours in memory. The operand that
// has it is on the right, whichever the body names first.

#ifndef OPC_OPS_CONTRACT_CONTRACTION_H
#define OPC_OPS_CONTRACT_CONTRACTION_H

#include "ops/contract/domain/Domain.h"

#include <array>

namespace opc {

struct Contraction {
  DomainLoop m, n, k;                ///< m has one trip if there is no such dimension
  std::array<DomainLoop, 2> batches; ///< around them, outermost first
  size_t left = 0, right = 0;        ///< the inputs that have (m, k) and (k, n)
  /// Whether the elements of the operand are neighbours along k. Else they are along m, of the right one along n.
  bool isLeftAlongK = true, isRightAlongK = false;
};

/// The loops of a contract whose domain multiplies; nullopt when its shapes are no matrix product, with the reason in
/// `reason`.
std::optional<Contraction> contractionOf(const Contract &contract, const Domain &domain, std::string &reason);

} // namespace opc

#endif // OPC_OPS_CONTRACT_CONTRACTION_H
