// Reductions over different dimensions in one body.
//
//   x [N, C, S]   %a = te.reduce_sum %x axes [S]   a [N, C]
//                 %b = te.reduce_max %x axes [C]   b [N, S]
//
// One pass over x cannot compute both in the order of memory, so results that reduce the same dimensions form a nest,
// with the inputs from which they are computed (ContractBody::results). Those that leave different dimensions, as sums
// over A of x [A, B] and of v [A], are in separate nests. A result without a reduction is in the first suitable nest,
// else in a separate one.
//
// A result that depends on reductions over different dimensions reads other results, each from a nest before its own:
//
//   x [N, M]      %r = te.reduce_mean %x axes [M]   r [N, 1]    nest 0, of x
//                 %d = te.sub %x, %r
//                 %c = te.reduce_mean %d axes [N]
//                 %y = te.sub %d, %c                y [N, M]    nest 1, of x and r
//
// What scans, gathers or takes parts has loops of its own, and is a nest of its own beside reductions over other
// dimensions: the reader of a body treats it as a reduction over no dimensions, whose list of axes is its text.
//
//   x [N, M]      %c = te.scan sum %x along M         {"te.scan M"}   nest 0, of x, c in the workspace
//                 %m = te.reduce_max %c axes [N]      {"N"}           nest 1, of c
//
// Windows are reduced like other dimensions.
//
// Memory between the nests is that of results, and the workspace for reductions that are not returned (Workspace.h): in
// this file they are results too, after those of the contract. Nests that read results run in the order of their
// numbers, on one block of the AI Core and on one thread.
//
// Reduced rows have two kernels on the AI Core, for short and for long rows. These are two nests, and the tiling
// function gives no rows to one of them. Of them the CPU has the one that comes first: it serves rows of any length
// there, and the numbers of the others are the last ones (addSecondForms). The AI Core runs both after one another.

#ifndef OPC_OPS_CONTRACT_REDUCTIONS_H
#define OPC_OPS_CONTRACT_REDUCTIONS_H

#include "ops/contract/domain/Domain.h"
#include "ops/contract/domain/Nests.h"

#include <tuple>

namespace opc {

/// In ContractBodyResult::arguments, the number of the first result; arguments come before it.
inline constexpr unsigned kFirstReturned = 64;
/// Likewise of results whose dimensions alone a value has (`te.broadcast ... to !y`), and of positions: dimensions in
/// ContractBody::counts.
inline constexpr unsigned kFirstShaped = 128, kFirstCounted = 192;

/// In lists of axes, what stands for an op that has loops of its own. Behind kScans is a dimension; behind kSorts are
/// the sorted one, that of the results, the value, and the direction: "te.sort N to K of x descending".
inline constexpr const char *kScans = "te.scan ", *kSorts = "te.sort ", *kGathers = "te.gather",
                            *kTakesParts = "te.slice";
/// The same for a value that is computed element by element, and of which te.sort or te.gather then takes elements.
inline constexpr const char *kComputes = "te";

/// What determines the loops of a nest.
struct NestWay {
  std::vector<bool> reduced; ///< for each dimension of the domain
  std::string apart;         ///< what an op with loops of its own does, as in lists of axes; else empty

  /// Whether it is more than a computation element by element.
  bool isAny() const;
  bool reduces() const;
  friend bool operator==(const NestWay &a, const NestWay &b) { return a.reduced == b.reduced && a.apart == b.apart; }
  friend bool operator!=(const NestWay &a, const NestWay &b) { return !(a == b); }
  friend bool operator<(const NestWay &a, const NestWay &b) {
    return std::tie(a.reduced, a.apart) < std::tie(b.reduced, b.apart);
  }
};

/// The way of a value with such a list of axes.
NestWay nestWayOf(const Contract &contract, const Domain &domain, const std::vector<std::string> &axes);

/// The dimensions of the domain that a step of a body with such a list of axes leaves, of those that its operands have:
/// a gather and a part lack the dimensions that they are along, and a sort has another one instead.
std::vector<bool> dimsLeftBy(const Contract &contract, const Domain &domain, const std::vector<std::string> &axes,
                             std::vector<bool> dims);

/// Whether bodies can be divided into nests that each reduce, scan, sort, gather or take parts: they do not multiply or
/// scatter, and no axes are those of a launch.
bool canDivide(const Contract &contract);

/// Whether a body takes parts of tensors and reduces them, in one kernel: without a workspace between.
bool isOneKernel(const Contract &contract);

/// Whether bodies reduce different sets of dimensions, leave different ones of those that they do not reduce, or scan,
/// gather or take parts beside that.
bool reducesApart(const Contract &contract);

/// For such a contract, the dimensions of a tensor before its body is divided into nests: for each its dimension of the
/// domain, -1 for one that the tensor does not have.
std::vector<int> dimsInDomain(const Contract &contract, size_t tensor);

/// The nests of such a contract. Empty with the reason if a result depends on several sets, when there are too many, or
/// when an input is in none of them.
std::vector<LaunchNest> reductionNestsOf(const Contract &contract, std::string &reason);

/// Whether a nest of such a contract reads results of others.
bool readsResults(const Contract &contract);

} // namespace opc

#endif // OPC_OPS_CONTRACT_REDUCTIONS_H
