#include "lowering/import/te/AxisFrames.h"

#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/Ranges.h"
#include "ops/contract/domain/Reductions.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace opc {

/// Of a contract whose results reduce different dimensions: each dimension is a loop.
static te::AxisFrame dimsFrame(const Contract &contract) {
  std::string reason;
  const Domain domain = *domainOf(contract, reason);
  te::AxisFrame frame;
  frame.shape = printShape(domain.dims);
  frame.reduces = te::AxisFrame::Domain;
  frame.isOfDims = true;
  frame.hasProducts = domain.hasProducts || domain.windows;
  frame.loops = unsigned(domain.dims.size());
  for (auto [dim, reduced] : llvm::zip_equal(domain.dims, domain.reduced))
    frame.domain.push_back({printDim(dim), reduced});
  return frame;
}

/// Of a contract whose bodies take ranges of tensors. A body is parsed in the same way for all nests.
static te::AxisFrame rangesFrame(const Contract &contract) {
  te::AxisFrame frame;
  const std::vector<std::string> reduced = reducedInRanges(contract);
  frame.reduces = te::AxisFrame::Domain;
  frame.isOfRanges = frame.hasProducts = true;
  frame.loops = unsigned(2 + reduced.size());
  for (const std::string &name : reduced)
    frame.domain.push_back({name, true});
  for (size_t i = 0; i < contract.inputs.size() + contract.outputs.size(); ++i)
    for (const ContractDim &dim : contract.tensorAt(i).shape)
      for (const ContractDim &leaf : leavesOf(dim))
        if (llvm::none_of(frame.domain, [&](auto &known) { return known.name == printDim(leaf); }))
          frame.domain.push_back({printDim(leaf), false});
  return frame;
}

/// Of a contract of kind Domain.
static te::AxisFrame domainFrame(const Contract &whole, const ShapeKey &key) {
  std::string reason;
  const Contract contract = key.nest ? nestsOf(whole, reason)[*key.nest].contract : whole;
  const Domain domain = *domainOf(contract, reason);
  const DomainNest nest = *nestOf(contract, domain, reason);
  te::AxisFrame frame;
  frame.shape = printShape(domain.dims);
  frame.reduces = te::AxisFrame::Domain;
  frame.hasProducts = domain.hasProducts || domain.windows;
  frame.loops = key.loops;
  for (auto [dim, reduced] : llvm::zip_equal(domain.dims, domain.reduced))
    frame.domain.push_back({printDim(dim), reduced});
  // Strided rows lack the loop around them.
  for (auto [number, loop] : llvm::enumerate(ArrayRef<DomainLoop>(nest.loops).take_back(key.loops)))
    if (loop.reduced)
      frame.reducedLoops.push_back(int64_t(number));
  return frame;
}

/// Of a contract of kind Contraction.
static te::AxisFrame productFrame(const Contract &contract) {
  std::string reason;
  const Domain domain = *domainOf(contract, reason);
  const Contraction product = *contractionOf(contract, domain, reason);
  te::AxisFrame frame;
  frame.shape = printShape(domain.dims);
  frame.reduces = te::AxisFrame::Product;
  for (auto [number, dim] : llvm::enumerate(domain.dims))
    frame.domain.push_back({printDim(dim), llvm::is_contained(product.k.dims, unsigned(number))});
  if (product.reducesRows)
    for (unsigned dim : product.n.dims)
      frame.rows.push_back(printDim(domain.dims[dim]));
  // The text has the arguments of absent inputs too.
  auto argumentOf = [&](size_t input) {
    const std::vector<ContractTensor> &written = writtenInputs(contract);
    return unsigned(llvm::find_if(written, [&](auto &one) { return one.name == contract.inputs[input].name; }) -
                    written.begin());
  };
  frame.left = {argumentOf(product.left), product.isLeftAlongK ? 1 : 0, contract.inputs[product.left].name};
  frame.right = {argumentOf(product.right), product.isRightAlongK ? 1 : 0, contract.inputs[product.right].name};
  return frame;
}

te::AxisFrame axisFrame(const Contract &contract, const ShapeKey &key) {
  std::string reason;
  std::optional<ContractKind> kind = contractKind(contract, reason);
  if (kind == ContractKind::Domain)
    return reducesApart(contract)             ? dimsFrame(contract)
           : key.nest && splitsSums(contract) ? rangesFrame(contract)
                                              : domainFrame(contract, key);
  if (kind == ContractKind::Contraction)
    return productFrame(contract);
  te::AxisFrame frame;
  const std::vector<ContractDim> *whole =
      kind == ContractKind::Rows ? wholeRows(contract) : &contract.inputs.front().shape;
  frame.shape = printShape(*whole);
  if (kind == ContractKind::Reduction)
    frame.reduces = te::AxisFrame::Given;
  if (kind != ContractKind::Rows)
    return frame;
  frame.reduces = te::AxisFrame::Last;
  for (const ContractDim &dim : *whole) {
    std::string text = printShape(std::vector<ContractDim>{dim}); // "[...S]"
    frame.front.push_back(text.substr(1, text.size() - 2));
  }
  frame.last = frame.front.back();
  frame.front.pop_back();
  return frame;
}

} // namespace opc
