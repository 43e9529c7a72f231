// The domain of a contract: its dimensions by name, which of them each tensor has, and which of them its bodies reduce.
//
//   x [N, C, ...S]  gamma [C]  y [N, C, ...S]     domain [N, C, ...S]
//   te.reduce_mean %x axes [S] keep               reduces S
//
// Dimensions match by name: gamma has C and is broadcast along N and S. Adjacent dimensions that all tensors treat
// alike are one loop of the domain, for any sizes: above N, C and S are loops, since gamma has only C.
//
// If nothing is reduced, inputs may have their dimensions in another order than the outputs, whose order is that of the
// domain: x [N, C, ...S] and y [N, ...S, C] have the loops N, S and C, and x is read across.
//
// A product in a shape is a dimension of the tensor and several of the domain: x [N, H*D] and y [H, N, D] have loops
// N, H and D. A tensor that lacks a factor is broadcast along it: x [N] and y [N*R] repeats each element R times.
//
// A body may take parts of tensors along a dimension whose size is known at compile time: it has no loop then, and each
// part is a separate operand. x [N, P*D] with P of 2 and y [N, D] have loops N and D, and operands x__0, x__1, y.
//
// If the values of an input are indices along a dimension, the loops of that input replace the dimension: table [V, N]
// and indices [I] with values along V have loops I and N. The kernel reads the index of each row of the table.
//
// A body may compute indices itself: x [N, H] and y [N, M] with a gather along H have loops N and M, and x has only N.
//
// A sum is one dimension. If a body accesses its terms, or results reduce different dimensions, each nest has a domain.
//
// A nest orders the loops for a kernel. The innermost loop is the last of the domain, because its elements are
// contiguous. docs/rationale/domains.md gives the reasons for these nests.
//
//   Elementwise   nothing is reduced: the launch decides, as sizes of 1 make loops alike (ShapeKeys.h)
//   Rows          (m, n)       n is reduced
//   SplitRows     (r0, m, n)   n and r0 are reduced; r0 is on any side of m
//   Columns       (r0, r1, k)  k is kept, r1 and r0 are reduced
//
// Other kept loops are batch loops around the nest. There are two of them: what is kept beyond them is the outer one
// together, which has a trip for each place along all of them (DomainNest::batchRuns). More reduced loops are r0
// together in the same way: in x [A, B, C, D, E] that is reduced over A, C and E, r0 has a trip for each place along A
// and C (DomainNest::runs). A tensor may have some of the runs of a loop: w [C] beside x has a distance of 0 along A.
//
// Windows over dimensions of an input replace these dimensions: if Ho is the number of positions of a window of KH
// over H, and Wo likewise, x [N, C, H, W] is a tensor [N, C, KH, KW, Ho, Wo], which is read from the input without a
// copy (Windows.h).
//
// A body that multiplies matrices has a separate kind of nest (Contraction.h). Then no tensor has all dimensions: the
// domain has those of the largest output, followed by those that only inputs have.

#ifndef OPC_OPS_CONTRACT_DOMAIN_H
#define OPC_OPS_CONTRACT_DOMAIN_H

#include "ops/contract/domain/Windows.h"

namespace opc {

struct Domain {
  std::vector<ContractDim> dims; ///< symbols, packs and fixed sizes, each once; a product is given by its factors
  std::vector<bool> reduced;     ///< for each dimension: a body at level te reduces it
  std::vector<bool> summed;      ///< for each dimension: a body at level te sums products of matrices over it
  std::vector<bool> parted;      ///< for each dimension: a body at level te takes parts along it
  /// For each dimension: a body gathers or sorts along it; it has no loop.
  std::vector<bool> gathered;
  std::vector<bool> counted; ///< for each dimension: a body at level te has te.iota along it; it is a separate loop
  /// For each dimension: a body at level te scans along it, or it replaces a dimension of an input in results
  /// of te.sort.
  std::vector<bool> scanned;
  /// For each tensor, inputs then outputs, and for each dimension of its shape (each factor of a product): the
  /// dimension of the domain; -1 for a fixed size of 1 that replaces one.
  std::vector<std::vector<int>> tensors;
  std::vector<std::vector<ContractDim>> shapes; ///< the dimensions themselves, as flatDims has them
  size_t whole = 0;                     ///< the tensor whose shape is the domain; for products: an output with all
                                        ///< kept dimensions
  bool hasProducts = false;             ///< of any tensor
  bool multiplies = false;              ///< a body at level te multiplies matrices
  bool computesPlaces = false;          ///< a body at level te computes the indices of all gathered dimensions
  bool hasRanges = false;               ///< of any tensor: a term replaces a sum, and memory has the size of the sum
  bool isOfAll = false;                 ///< no tensor has all dimensions, or the largest has several sizes of 1, which
                                        ///< then are no dimensions: they are those of all
  bool isOfPairs = false;               ///< so, and a body reduces what it computes from several inputs
  bool sorts = false;                   ///< a body at level te sorts: `scanned` is the dimension of the results
  bool scatters = false;                ///< an output has a gathered dimension: a body at level te scatters along it
  std::optional<WindowedInput> windows; ///< the input whose windows `shapes` has
  /// The dimension, a pack, along which inputs broadcast at launch (`broadcast: batch`); it is a separate loop.
  std::optional<unsigned> stretched;

  /// Whether a tensor has elements along a dimension of the domain.
  bool has(size_t tensor, size_t dim) const;
  /// The dimensions of a tensor in its own order, without fixed sizes of 1 that replace a dimension.
  std::vector<unsigned> dimsOf(size_t tensor) const;
  /// Whether a tensor has its dimensions in another order than the domain.
  bool isPermuted(size_t tensor) const;
  bool hasParts() const;
  bool gathers() const;
  bool counts() const;
  bool scans() const;
  /// The gathered dimension of a tensor, if it has one.
  std::optional<unsigned> gatheredOf(size_t tensor) const;
};

/// The tensors of a contract in the order of `Domain::tensors`: inputs, then outputs.
std::vector<const ContractTensor *> tensorsOf(const Contract &contract);

/// Splits "N to K" (ContractBody::scans): the dimension along which a body sorts, and the dimension of the results;
/// nullopt for a dimension along which it scans.
std::optional<std::pair<std::string, std::string>> sortOf(const std::string &scan);

/// The input whose values are indices along a dimension; nullopt if there is none.
std::optional<size_t> placesAlong(const Contract &contract, const std::string &dimension);

/// An operand of kernels: a tensor, or a part of one.
struct DomainOperand {
  size_t tensor = 0;
  std::string name; ///< of the tensor; for a part with its indices, "x__0"; in a nest of ranges with the
                    ///< nest, "x__n1_0"
  std::vector<std::pair<unsigned, int64_t>> index; ///< for a part: each dimension along which it is one, and its index
};

/// The operands of kernels: inputs, then outputs, and the parts of each in the order of memory. `domain` has a nest.
std::vector<DomainOperand> operandsOf(const Contract &contract, const Domain &domain);

/// Whether a body at level te multiplies matrices.
bool multiplies(const Contract &contract);

/// The domain of a contract; nullopt when its tensors have none in common, with the reason in `reason`.
std::optional<Domain> domainOf(const Contract &contract, std::string &reason);

/// Whether an output has a dimension along which the values of an input are places.
bool isScattered(const Contract &contract);

/// Adjacent dimensions of a domain that form one loop.
struct DomainLoop {
  std::vector<unsigned> dims; ///< empty: a loop with one iteration, which every tensor has
  bool reduced = false;
};

/// The dimensions of a domain that a list of axes of a body's text names; unknown names mark none.
std::vector<bool> dimsOfAxes(const Contract &contract, const Domain &domain, const std::vector<std::string> &axes);

/// The maximum number of separate runs of dimensions that r0, or the outer batch loop, of a nest consists of.
inline constexpr size_t kMostRuns = 8;

struct DomainNest {
  enum Form : uint8_t { Elementwise, Rows, SplitRows, Columns } form = Elementwise;
  std::vector<DomainLoop> loops; ///< the canonical ones, outermost first; for Elementwise: all of the domain
  DomainLoop batches[2];         ///< around them, outermost first
  /// The runs of adjacent dimensions that the outer batch loop consists of, outermost first, if there are several. It
  /// has those of all of them.
  std::vector<DomainLoop> batchRuns;
  /// Of SplitRows and Columns: the runs of adjacent dimensions that r0 consists of, outermost first. It has those of
  /// all of them.
  std::vector<DomainLoop> runs;
  /// Whether rows are whole, one piece each, and do not follow each other in memory.
  bool hasStridedRows() const { return form == SplitRows && runs.empty() && loops.front().dims.empty(); }
  /// Of Elementwise, when an input has its dimensions in another order, or tensors are taken in parts or ranges.
  bool isPermuted = false;
  /// If permuted: the loop along which some inputs are contiguous, if it is not the innermost.
  std::optional<unsigned> across;
};

/// The nest of a domain; nullopt when it needs more loops than a kernel has, with the reason in `reason`.
std::optional<DomainNest> nestOf(const Contract &contract, const Domain &domain, std::string &reason);

/// The loops of a domain, outermost first: adjacent dimensions that all tensors treat alike.
std::vector<DomainLoop> loopsOf(const Domain &domain);
/// "'B, N'"
std::string loopText(const Domain &domain, const DomainLoop &loop);
/// The number of adjacent dimensions of a tensor's shape that form a term which replaces its sum: one, or one for
/// each factor.
size_t placesOfRange(const ContractDim &first);

/// The loop along whose dimension bodies scan, or sort, counted from the innermost one, which is 0; nullopt if there is
/// none.
std::optional<unsigned> scannedLoop(const Domain &domain, const DomainNest &nest);

/// Whether a tensor has elements along a loop.
bool hasLoop(const Domain &domain, size_t tensor, const DomainLoop &loop);

/// Whether a tensor has elements along the innermost loop, and is read across: it is contiguous along another loop.
bool isAcross(const Domain &domain, const DomainNest &nest, size_t tensor);

} // namespace opc

#endif // OPC_OPS_CONTRACT_DOMAIN_H
