#include "ops/contract/domain/Contraction.h"

#include "ops/contract/Shapes.h"

#include <algorithm>

namespace opc {

namespace {

/// Finds the loops of a matrix product, step by step; the first step that fails gives the reason.
class ContractionReader {
public:
  ContractionReader(const Contract &contract, const Domain &domain)
      : contract(contract), domain(domain), loops(loopsOf(domain)) {
    // Loops over which no product is summed are reduced after it.
    const bool hasSum = std::any_of(loops.begin(), loops.end(), [this](auto &loop) { return isSummed(loop); });
    for (DomainLoop &loop : loops)
      if (hasSum && loop.reduced && !isSummed(loop)) {
        reducedRows.push_back(loop);
        loop.reduced = false;
      }
  }

  /// The reason why the shapes are not a matrix product; empty if they are.
  std::string read(Contraction &found);

private:
  std::string readSum();
  std::string readOperands();
  std::string checkOutputs() const;
  std::string readKept();
  std::string checkNeighbours();
  std::string checkWindows() const;
  std::string checkOthers() const;

  std::string checkRows();
  std::string checkStretched();

  bool has(size_t tensor, const DomainLoop &loop) const { return hasLoop(domain, tensor, loop); }
  bool isSummed(const DomainLoop &loop) const {
    return std::any_of(loop.dims.begin(), loop.dims.end(), [this](unsigned dim) { return domain.summed[dim]; });
  }
  bool isReducedRow(const DomainLoop &loop) const {
    return std::any_of(reducedRows.begin(), reducedRows.end(),
                       [&](const DomainLoop &row) { return row.dims == loop.dims; });
  }
  /// Whether a tensor is contiguous along a loop.
  bool endsWith(size_t tensor, const DomainLoop &loop) const {
    std::vector<unsigned> own = domain.dimsOf(tensor);
    return !own.empty() && !loop.dims.empty() && own.back() == loop.dims.back();
  }
  std::string nameOf(size_t tensor) const { return "'" + contract.tensorAt(tensor).name + "'"; }
  std::string shapeOf(size_t tensor) const { return printShape(contract.tensorAt(tensor).shape); }

  const Contract &contract;
  const Domain &domain;
  std::vector<DomainLoop> loops;
  std::vector<DomainLoop> reducedRows; ///< loops that bodies reduce after the product
  Contraction found;
};

} // namespace

std::string ContractionReader::readSum() {
  if (domain.hasParts())
    return "bodies multiply matrices and take parts of tensors";
  for (const ContractTensor &output : contract.outputs)
    if (output.reduces)
      return "output '" + output.name + "' says 'reduces', and a body multiplies matrices";
  std::vector<DomainLoop> summed;
  std::copy_if(loops.begin(), loops.end(), std::back_inserter(summed),
               [](const DomainLoop &loop) { return loop.reduced; });
  if (summed.empty())
    return "a body multiplies matrices, and none of its axes is a dimension with a name that inputs have";
  if (summed.size() > 1)
    return "the dimensions over which products are summed are several loops, " + loopText(domain, summed[0]) + " and " +
           loopText(domain, summed[1]) +
           ": those of one product are neighbours in both operands; a second product is an operator of its own, and so "
           "is "
           "a reduction beside it";
  found.k = summed.front();
  for (unsigned dim : found.k.dims)
    if (domain.dims[dim].kind != ContractDim::Symbol)
      return "products are summed over " + loopText(domain, found.k) + ", which is no dimension with a name of its own";
  return {};
}

std::string ContractionReader::readOperands() {
  std::vector<size_t> operands;
  std::string names;
  for (size_t i = 0; i < domain.tensors.size(); ++i) {
    if (!has(i, found.k))
      continue;
    if (i >= contract.inputs.size())
      return "output " + nameOf(i) + " has " + loopText(domain, found.k) + ", over which a body sums products";
    operands.push_back(i);
    names += (names.empty() ? "" : ", ") + nameOf(i);
  }
  if (operands.size() != 2)
    return "a matrix product has two operands with " + loopText(domain, found.k) + ", found " +
           (operands.empty() ? "none" : names) + (operands.size() > 2 ? ": a body has one product" : "");
  found.left = operands[0];
  found.right = operands[1];
  return {};
}

/// Results have all kept dimensions, in the order of memory, or lack those of reduced rows.
std::string ContractionReader::checkOutputs() const {
  for (size_t i = contract.inputs.size(); i < domain.tensors.size(); ++i) {
    for (const DomainLoop &loop : loops)
      if (!loop.reduced && !has(i, loop) && !isReducedRow(loop))
        return "output " + nameOf(i) + " has no " + loopText(domain, loop) + ", which no body sums over";
    if (domain.isPermuted(i))
      return "output " + nameOf(i) + " has its dimensions in another order than " +
             (i == domain.whole ? printShape(domain.dims) + ", that of the loops" : nameOf(domain.whole));
  }
  return {};
}

std::string ContractionReader::readKept() {
  std::vector<DomainLoop> kept;
  std::copy_if(loops.begin(), loops.end(), std::back_inserter(kept),
               [](const DomainLoop &loop) { return !loop.reduced; });
  if (kept.empty())
    return "the result has no dimension: a product of two vectors is 'te.mul' and 'te.reduce_sum'";
  found.n = kept.back();
  kept.pop_back();
  if (!has(found.right, found.n))
    std::swap(found.left, found.right);
  if (!has(found.right, found.n))
    return "output " + nameOf(domain.whole) + " ends with " + loopText(domain, found.n) +
           ", which no operand of the product has";
  if (has(found.left, found.n))
    return "output " + nameOf(domain.whole) + " ends with " + loopText(domain, found.n) +
           ", which both operands have: a batch comes before rows and columns";
  std::vector<DomainLoop> batches;
  for (auto loop = kept.rbegin(); loop != kept.rend(); ++loop) {
    bool ofLeft = has(found.left, *loop), ofRight = has(found.right, *loop);
    if (!ofLeft && !ofRight)
      return "output " + nameOf(domain.whole) + " has " + loopText(domain, *loop) +
             ", which no operand of the product has";
    if (ofLeft && !ofRight && found.m.dims.empty())
      found.m = *loop;
    else
      batches.push_back(*loop);
  }
  if (batches.size() > found.batches.size())
    return "the dimensions around rows and columns form more than two loops: " + loopText(domain, batches[2]) +
           " is one too many";
  std::copy(batches.begin(), batches.end(), found.batches.rbegin());
  return checkStretched();
}

/// The pack along which inputs broadcast at launch is the only batch, and stands before the matrix in all tensors.
std::string ContractionReader::checkStretched() {
  if (!domain.stretched)
    return {};
  const std::vector<unsigned> pack = {*domain.stretched};
  const std::string name = "'" + printDim(domain.dims[pack.front()]) + "', along which inputs broadcast at launch, ";
  if (found.batches[1].dims != pack || !found.batches[0].dims.empty())
    return name + "is not the only batch of the product: it stands before the matrices of both operands, or of one, "
                  "and nothing else does";
  if (domain.windows)
    return name + "is a dimension of a product with windows";
  for (size_t i = 0; i < domain.tensors.size(); ++i)
    if (std::vector<unsigned> own = domain.dimsOf(i); domain.has(i, pack.front()) && own.front() != pack.front())
      return name + "is not the first dimension of " + shapeOf(i) + ", the shape of " + nameOf(i);
  for (const ContractTensor &input : contract.inputs)
    if (input.broadcast == Broadcast::Batch && input.shape.front().name != domain.dims[pack.front()].name)
      return "'" + printDim(input.shape.front()) + "', along which input '" + input.name +
             "' broadcasts at launch, is another pack than '" + printDim(domain.dims[pack.front()]) + "'";
  found.stretched = pack.front();
  return {};
}

/// A reduction of results is over whole rows: over the last dimensions, which the right operand alone has.
std::string ContractionReader::checkRows() {
  if (reducedRows.empty())
    return {};
  if (reducedRows.size() > 1 || reducedRows.front().dims != found.n.dims)
    return "bodies reduce " + loopText(domain, reducedRows.front()) + " of a product, whose rows are " +
           loopText(domain, found.n) + ": the last dimensions that the right matrix alone has, all of them";
  if (domain.windows)
    return "bodies reduce rows of a product with windows";
  found.reducesRows = true;
  for (size_t i = domain.tensors.size(); i-- > contract.inputs.size();)
    if (!has(i, found.n))
      found.ofRows = i;
  return {};
}

/// Both operands are contiguous along a loop of the product.
std::string ContractionReader::checkNeighbours() {
  found.isLeftAlongK = endsWith(found.left, found.k);
  found.isRightAlongK = endsWith(found.right, found.k);
  auto wrong = [&](size_t tensor, bool isAlongK, const DomainLoop &other, const char *what) -> std::string {
    if (isAlongK || endsWith(tensor, other))
      return {};
    return "input " + nameOf(tensor) + " " + shapeOf(tensor) + " ends neither with " + loopText(domain, found.k) +
           (other.dims.empty() ? "" : " nor with " + loopText(domain, other)) + ", its " + what;
  };
  std::string reason = wrong(found.left, found.isLeftAlongK, found.m, "rows");
  return reason.empty() ? wrong(found.right, found.isRightAlongK, found.n, "columns") : reason;
}

/// Windows are a matrix with rows along k, whose last dimensions are the elements of a window, and columns along the
/// positions of the window.
std::string ContractionReader::checkWindows() const {
  if (!domain.windows)
    return {};
  const std::vector<AxisWindow> &axes = domain.windows->axes;
  if (domain.windows->tensor != found.right)
    return "input " + nameOf(domain.windows->tensor) +
           " has windows, and their places are not the last dimensions of "
           "output " +
           nameOf(domain.whole);
  auto ends = [&](const DomainLoop &loop, ContractDim AxisWindow::*dim) {
    for (size_t i = 0; i < axes.size(); ++i)
      if (loop.dims.size() < axes.size() ||
          domain.dims[loop.dims[loop.dims.size() - axes.size() + i]].name != (axes[i].*dim).name)
        return false;
    return true;
  };
  if (!ends(found.n, &AxisWindow::places) || found.n.dims.size() != axes.size())
    return "the columns of the product are " + loopText(domain, found.n) + ", and not the places of the windows of " +
           nameOf(found.right) + " alone";
  if (!ends(found.k, &AxisWindow::size))
    return "the dimensions over which products are summed, " + loopText(domain, found.k) +
           ", do not end with the positions in the windows of " + nameOf(found.right);
  return {};
}

/// Other inputs broadcast to the results: full, a row, or an element for each row.
std::string ContractionReader::checkOthers() const {
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    if (i != found.left && i != found.right && contract.inputs[i].broadcast == Broadcast::None && has(i, found.n) &&
        !endsWith(i, found.n))
      return "input " + nameOf(i) + " " + shapeOf(i) + " has " + loopText(domain, found.n) +
             ", the last dimension of the results, and ends with another one";
  return {};
}

std::string ContractionReader::read(Contraction &result) {
  using Step = std::string (ContractionReader::*)();
  for (Step step : {Step(&ContractionReader::readSum), Step(&ContractionReader::readOperands)})
    if (std::string reason = (this->*step)(); !reason.empty())
      return reason;
  if (std::string reason = checkOutputs(); !reason.empty())
    return reason;
  for (Step step : {Step(&ContractionReader::readKept), Step(&ContractionReader::checkRows),
                    Step(&ContractionReader::checkNeighbours)})
    if (std::string reason = (this->*step)(); !reason.empty())
      return reason;
  if (std::string reason = checkWindows(); !reason.empty())
    return reason;
  result = found;
  return checkOthers();
}

std::optional<Contraction> contractionOf(const Contract &contract, const Domain &domain, std::string &reason) {
  Contraction found;
  reason = ContractionReader(contract, domain).read(found);
  if (!reason.empty())
    return std::nullopt;
  return found;
}

} // namespace opc
