#include "lowering/cpu/vector/FusedKernel.h"

#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace opc::cpu {

std::optional<unsigned> FusedKernel::tensorOf(Value value) const {
  // The kernel of the rows of a product reads its results, the tensor before the outputs.
  if (kind == Kind::Rows && product && linalg::GenericOp(product).getResult(0) == value)
    return firstOutput() - 1;
  auto read = value.getDefiningOp<bufferization::ToTensorOp>();
  if (!read)
    return std::nullopt;
  for (auto [i, tensor] : llvm::enumerate(tensors))
    if (tensor.argument == read.getBuffer())
      return i;
  return std::nullopt;
}

bool FusedKernel::readArguments(llvm::ArrayRef<std::string> tensorNames, llvm::LLVMContext &context) {
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    mlir::Type elementType = type ? type.getElementType() : argument.getType();
    std::optional<Element> element = Element::of(elementType, context);
    if (!element || (type && (!type.getLayout().isIdentity() || !scalars.empty()))) {
      function.emitOpError("[cpu_c5] expects tensors, then scalars, of element types that memory "
                           "has; argument ")
          << argument.getArgNumber() << " is " << argument.getType();
      return false;
    }
    if (!type) {
      scalars.push_back(argument);
      continue;
    }
    auto attribute = [&](StringRef name) {
      return function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), name);
    };
    StringAttr whole = attribute(te::TeDialect::kPartOfAttr), name = attribute(te::TeDialect::kNameAttr);
    // Parts of a tensor are adjacent arguments. A nest has some of the tensors.
    unsigned number = tensors.empty() ? 0 : tensors.back().number + 1;
    if (whole && name && !tensors.empty() && tensors.back().isPart && whole == tensorNames[number - 1])
      --number;
    if (StringAttr own = whole ? whole : name; own && !suffix.empty())
      number = unsigned(llvm::find(tensorNames, own.getValue()) - tensorNames.begin());
    if (number == tensorNames.size()) {
      function.emitOpError("[cpu_c5] expects the contract's ") << tensorNames.size() << " tensors, found more";
      return false;
    }
    bool isPart = whole && name;
    KernelTensor tensor{argument, number, isPart, isPart ? name.str() : tensorNames[number], *element, {}};
    tensor.ofLaunch = function.getArgAttr(argument.getArgNumber(), te::TeDialect::kOfLaunchAttr) != nullptr;
    tensor.fromEnd = function.getArgAttr(argument.getArgNumber(), te::TeDialect::kFromEndAttr) != nullptr;
    if (StringAttr indices = attribute(te::TeDialect::kGatheredByAttr)) {
      // By the name of the argument: a nest has some of the tensors.
      std::optional<unsigned> found;
      unsigned place = 0;
      for (BlockArgument other : function.getArguments()) {
        auto of = dyn_cast<MemRefType>(other.getType());
        if (!of)
          continue;
        const bool isInteger = of.getElementType().isInteger(32) || of.getElementType().isInteger(64);
        if (isInteger &&
            function.getArgAttrOfType<StringAttr>(other.getArgNumber(), te::TeDialect::kNameAttr) == indices)
          found = place;
        ++place;
      }
      if (!found) {
        function.emitOpError("[cpu_c5] expects 'te.gathered_by' to name an input of i32 or i64, found ") << indices;
        return false;
      }
      tensor.indices = found;
    }
    tensor.sorted = function.getArgAttr(argument.getArgNumber(), te::TeDialect::kSortedAttr) != nullptr;
    if (StringAttr input = attribute(te::TeDialect::kScatteredAttr))
      for (auto [i, other] : llvm::enumerate(tensors))
        if (other.name == input)
          begunAs = unsigned(i);
    tensor.across = function.getArgAttr(argument.getArgNumber(), te::TeDialect::kAcrossAttr) != nullptr;
    // Indices in an input are `indices`.
    if (auto dims = function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), te::TeDialect::kPlacesAttr);
        dims && !tensor.indices)
      for (StringRef dim : dims.getAsValueRange<StringAttr>())
        tensor.places.push_back(dim.str());
    auto steps = function.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), te::TeDialect::kWindowAttr);
    if (steps) {
      ArrayRef<int64_t> each = steps.asArrayRef();
      if (each.size() >= 9) {
        tensor.depth = {each[0], each[1], each[2]};
        each = each.drop_front(3);
      }
      tensor.windows = {WindowSteps{each[0], each[1], each[2]}, WindowSteps{each[3], each[4], each[5]}};
      windowed = unsigned(tensors.size());
    }
    for (int64_t size : type.getShape()) {
      if (size != 1 && !ShapedType::isDynamic(size)) {
        function.emitOpError("[cpu_c5] expects dimensions of unknown size or of size 1, found ") << argument.getType();
        return false;
      }
      tensor.dims.push_back(size == 1 ? -1 : 0);
    }
    tensors.push_back(tensor);
  }
  return true;
}

/// Whether a generic is a matrix product, over three loops with the last one summed. Its operands may be transposed.
static bool isProduct(linalg::GenericOp op) {
  return op.getNumLoops() == 3 && op.getNumReductionLoops() == 1 &&
         op.getIteratorTypesArray().back() == utils::IteratorType::reduction && op.getNumDpsInputs() == 2;
}

bool FusedKernel::readGeneric(linalg::GenericOp op) {
  const bool isOfProduct = ofShapeKey() == "contraction";
  if (isProduct(op) && isOfProduct) {
    generics.push_back(op);
    return true;
  }
  // An operand of a product may be transposed, and so is what computes it.
  for (AffineMap map : op.getIndexingMapsArray()) {
    int last = -1;
    for (AffineExpr result : map.getResults()) {
      auto constant = dyn_cast<AffineConstantExpr>(result);
      auto dim = dyn_cast<AffineDimExpr>(result);
      bool ordered = dim && (isOfProduct ? int(dim.getPosition()) != last : int(dim.getPosition()) > last);
      if (!ordered && !(constant && constant.getValue() == 0)) {
        op.emitOpError("[cpu_c5] expects maps that project the loops in their order, found ")
            << AffineMapAttr::get(map);
        return false;
      }
      if (dim)
        last = int(dim.getPosition());
    }
  }
  if (!checkPayload(*op.getBody(), cost))
    return false;
  generics.push_back(op);
  return true;
}

bool FusedKernel::readBody() {
  if (!function.getBody().hasOneBlock()) {
    function.emitOpError("[cpu_c5] expects straight-line code");
    return false;
  }
  llvm::DenseMap<Value, Value> storedIn;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      if (!readGeneric(generic))
        return false;
      continue;
    }
    if (auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
      if (!storedIn.try_emplace(store.getDest(), store.getSource()).second || !isa<BlockArgument>(store.getDest())) {
        op.emitOpError("[cpu_c5] expects each output to be written once");
        return false;
      }
      continue;
    }
    if (isa<bufferization::ToTensorOp, tensor::EmptyOp, linalg::FillOp, tensor::DimOp, memref::DimOp>(op))
      continue;
    if (op.getNumResults() == 1 && op.getResult(0).getType().isIntOrIndexOrFloat()) {
      PayloadCost outsideOfLoops;
      if (!checkOperation(op, outsideOfLoops))
        return false;
      continue;
    }
    op.emitOpError("[cpu_c5] expects a kernel of linalg.generic, linalg.fill and scalar "
                   "arithmetic, found '")
        << op.getName() << "'";
    return false;
  }
  // Outputs come last.
  for (KernelTensor &tensor : tensors) {
    auto found = storedIn.find(tensor.argument);
    tensor.output = found != storedIn.end();
    if (tensor.output)
      stored.push_back(found->second);
    else if (!stored.empty())
      break;
  }
  if (stored.empty() || stored.size() != storedIn.size() || generics.empty()) {
    function.emitOpError("[cpu_c5] expects outputs after the inputs, each of them written");
    return false;
  }
  return true;
}

/// Whether the body of a generic adds the product of its two inputs, each perhaps widened, to its output.
template <typename Add, typename Multiply> static bool addsProduct(linalg::GenericOp op) {
  Block &body = *op.getBody();
  auto of = [&](Value value, unsigned argument) {
    if (Operation *wider = value.getDefiningOp(); isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(wider))
      value = wider->getOperand(0);
    return value == body.getArgument(argument);
  };
  auto sum = body.getTerminator()->getOperand(0).getDefiningOp<Add>();
  if (!sum || sum.getType().getIntOrFloatBitWidth() != 32)
    return false;
  for (auto [product, added] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())})
    if (auto multiply = product.template getDefiningOp<Multiply>(); multiply && added == body.getArgument(2))
      return of(multiply.getLhs(), 0) && of(multiply.getRhs(), 1);
  return false;
}

/// Whether an input of an integer product is unsigned.
static bool isWidenedWithoutSign(linalg::GenericOp op, unsigned input) {
  return llvm::any_of(op.getBody()->getArgument(input).getUsers(), llvm::IsaPred<arith::ExtUIOp>);
}

/// The tensors from which elementwise generics compute a value.
static llvm::SmallSetVector<unsigned, 4> sourcesOf(const FusedKernel &kernel, Value value) {
  llvm::SmallSetVector<unsigned, 4> sources;
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::optional<unsigned> tensor = kernel.tensorOf(values[i]))
      sources.insert(*tensor);
    if (auto generic = values[i].getDefiningOp<linalg::GenericOp>())
      values.insert(generic.getInputs().begin(), generic.getInputs().end());
  }
  return sources;
}

/// The operand of a product that is a value, or from which it is computed: the only tensor with the summed loop.
static std::optional<unsigned> operandOf(const FusedKernel &kernel, Value value) {
  std::optional<unsigned> found;
  for (unsigned tensor : sourcesOf(kernel, value))
    if (kernel.isAlong(tensor, 2)) {
      if (found)
        return std::nullopt;
      found = tensor;
    }
  return found;
}

/// Whether the other tensors from which a multiplied value is computed have an element for each row of the operand in
/// memory, or are a row of columns, or one element.
bool FusedKernel::checkComputed(Value value, unsigned operand) {
  const std::vector<int> &own = tensors[operand].dims;
  for (unsigned tensor : sourcesOf(*this, value)) {
    const std::vector<int> &dims = tensors[tensor].dims;
    const bool isOne = dims == std::vector<int>{-1, -1};
    const bool isOfRows = dims == std::vector<int>{own.front(), -1}, isRow = dims == std::vector<int>{-1, own.back()};
    if (tensor == operand || isOne || isOfRows || isRow)
      continue;
    function.emitOpError("[cpu_c5] expects tensors beside an operand of a matrix product to have its rows or its "
                         "columns, found '")
        << tensors[tensor].name << "'";
    return false;
  }
  return true;
}

// The loops of each tensor follow from the contract's shapes.
bool FusedKernel::readContraction() {
  kind = Kind::Contraction;
  isStretched = bool(function->getAttrOfType<IntegerAttr>(te::TeDialect::kBatchedAttr));
  loops = 3;
  for (KernelTensor &tensor : tensors) {
    auto dims = function.getArgAttrOfType<DenseI64ArrayAttr>(tensor.argument.getArgNumber(), te::TeDialect::kDimsAttr);
    const bool isOfRows = tensor.output && dims && dims.asArrayRef() == ArrayRef<int64_t>{0};
    if (!dims || (!isOfRows && dims.size() != 2) || int64_t(tensor.dims.size()) != dims.size()) {
      function.emitOpError(
          "[cpu_c5] expects tensors of a matrix product to have two dimensions with loops, or an output "
          "that of its rows");
      return false;
    }
    tensor.dims.assign(dims.asArrayRef().begin(), dims.asArrayRef().end());
    tensor.dims.resize(2, -1); // an element for each row
  }
  std::optional<unsigned> left, right;
  if (auto found = llvm::find_if(generics, isProduct); found != generics.end()) {
    product = *found;
    left = operandOf(*this, product.getInputs()[0]);
    right = operandOf(*this, product.getInputs()[1]);
    if (!tensorOf(product.getInputs()[0]))
      leftComputed = product.getInputs()[0];
    if (!tensorOf(product.getInputs()[1]))
      rightComputed = product.getInputs()[1];
  }
  auto isOver = [&](std::optional<unsigned> tensor, int first, int second) {
    const std::vector<int> forward = {first, second}, backward = {second, first};
    return tensor && !tensors[*tensor].output &&
           (tensors[*tensor].dims == forward || tensors[*tensor].dims == backward);
  };
  auto isFloat = [&](unsigned input) {
    Type type = getElementTypeOrSelf(product.getInputs()[input].getType());
    return type.isF16() || type.isBF16() || type.isF32();
  };
  auto isByte = [&](unsigned tensor) {
    const Element &element = tensors[tensor].element;
    return element.kind == Element::Plain && element.memory->isIntegerTy(8);
  };
  auto isRows = [&](linalg::GenericOp op) {
    return op.getNumLoops() == 2 && op.getNumReductionLoops() == 1 &&
           op.getIteratorTypesArray().back() == utils::IteratorType::reduction;
  };
  auto isEpilogue = [&](linalg::GenericOp op) { return op == product || op.getNumReductionLoops() == 0 || isRows(op); };
  const bool isOfTwo = isOver(left, 0, 2) && isOver(right, 2, 1);
  const bool isOfFloats = isOfTwo && isFloat(0) && isFloat(1) && addsProduct<arith::AddFOp, arith::MulFOp>(product);
  const bool isComputed = leftComputed || rightComputed;
  isOfBytes = isOfTwo && !isComputed && isByte(*left) && isByte(*right) &&
              addsProduct<arith::AddIOp, arith::MulIOp>(product) && !tensors[*right].windows;
  if ((!isOfFloats && !isOfBytes) || !llvm::all_of(generics, isEpilogue)) {
    function.emitOpError(
        "[cpu_c5] expects a matrix product of two inputs over (m, k) and (k, n), accumulated in f32, or of bytes in "
        "i32, elementwise generics before and after it, and reductions of rows after it");
    return false;
  }
  if ((leftComputed && !checkComputed(leftComputed, *left)) || (rightComputed && !checkComputed(rightComputed, *right)))
    return false;
  if (isOfBytes)
    for (unsigned input : {0u, 1u})
      tensors[input ? *right : *left].isUnsigned = isWidenedWithoutSign(product, input);
  for (unsigned i = 0; i < tensors.size(); ++i) {
    const std::vector<int> &dims = tensors[i].dims;
    bool isResult = (dims[0] == 0 || dims[0] == -1) && (dims[1] == 1 || dims[1] == -1);
    const bool isWhole = dims == std::vector<int>{0, 1} || (reducesRows() && dims == std::vector<int>{0, -1});
    if (i != *left && i != *right && (!isResult || (tensors[i].output && !isWhole))) {
      function.emitOpError("[cpu_c5] expects tensors beside the operands of a matrix product to have its rows and "
                           "columns, found '")
          << tensors[i].name << "'";
      return false;
    }
  }
  leftOperand = *left;
  rightOperand = *right;
  return true;
}

StringRef FusedKernel::ofShapeKey() const {
  return te::TeDialect::shapeKeyOf(function);
}

/// One input has windows, over (R0, R1, K) or as the right operand of a product, (k, n).
bool FusedKernel::checkWindows() {
  unsigned count = unsigned(llvm::count_if(tensors, [](const KernelTensor &tensor) { return bool(tensor.windows); }));
  bool isNeeded = kind == Kind::Windows, isAllowed = isNeeded || kind == Kind::Contraction;
  bool isRight = kind != Kind::Contraction || !windowed ||
                 (*windowed == rightOperand && tensors[*windowed].dims == std::vector<int>{2, 1});
  bool isWhole = kind != Kind::Windows || !windowed || tensors[*windowed].dims.size() == 3;
  if (count > unsigned(isAllowed) || (isNeeded && count == 0) || !isRight || !isWhole ||
      (windowed && tensors[*windowed].output)) {
    function.emitOpError("[cpu_c5] expects one input with windows, over all loops of the shape key 'windows' or "
                         "as the right operand of a matrix product, found ")
        << count;
    return false;
  }
  return true;
}

/// All sorts of a kernel sort one tensor, along one loop and in one direction.
bool FusedKernel::readSorts() {
  auto isAlike = [&](Operation *op) {
    auto first = dyn_cast<te::SortOp>(scans.front()), sort = dyn_cast<te::SortOp>(op);
    return first && sort && sort.getLoop() && *sort.getLoop() <= 1 && sort.getLoop() == first.getLoop() &&
           sort.getDescending() == first.getDescending();
  };
  if (scans.empty() || !llvm::all_of(scans, isAlike) ||
      llvm::count_if(tensors, [](const KernelTensor &tensor) { return tensor.sorted && !tensor.output; }) != 1) {
    function.emitOpError(
        "[cpu_c5] expects sorts of one tensor in a kernel of the shape key 'sorted', along one loop and "
        "in one direction");
    return false;
  }
  scanned = unsigned(*cast<te::SortOp>(scans.front()).getLoop());
  return true;
}

/// A kernel that scatters has one output, which an input of its type initialises.
bool FusedKernel::readScattered() {
  const KernelTensor &output = tensors.back();
  if (stored.size() != 1 || !output.indices || !begunAs || tensors[*begunAs].output ||
      tensors[*begunAs].element.memory != output.element.memory) {
    function.emitOpError(
        "[cpu_c5] expects a kernel of the shape key 'scattered' to have one output, with the places of "
        "its elements and the input that it begins as");
    return false;
  }
  return true;
}

/// The scans of a kernel are along one loop, in one direction.
bool FusedKernel::readScans() {
  for (linalg::GenericOp generic : generics)
    for (Operation &op : generic.getBody()->without_terminator())
      if (isa<te::ScanOp, te::SortOp>(op))
        scans.push_back(&op);
  if (kind == Kind::Sorted)
    return readSorts();
  auto isAlike = [&](Operation *op) {
    auto first = dyn_cast<te::ScanOp>(scans.front()), scan = dyn_cast<te::ScanOp>(op);
    return first && scan && scan.getLoop() && *scan.getLoop() <= 1 && scan.getLoop() == first.getLoop() &&
           scan.getReverse() == first.getReverse();
  };
  if (scans.empty() != (kind != Kind::Scanned) || !llvm::all_of(scans, isAlike)) {
    function.emitOpError("[cpu_c5] expects scans in kernels of the shape key 'scanned', along one loop and in one "
                         "direction");
    return false;
  }
  if (!scans.empty())
    scanned = unsigned(*cast<te::ScanOp>(scans.front()).getLoop());
  return true;
}

/// Elements are looked up only in inputs with `places` along these dimensions, and such inputs are read in no
/// other way.
bool FusedKernel::checkLookups() {
  auto isGood = [&](linalg::GenericOp generic, te::GatherOp gather) {
    auto argument = dyn_cast<BlockArgument>(gather.getOperand());
    if (kind != Kind::Lookup || !argument || argument.getOwner() != generic.getBody() ||
        argument.getArgNumber() >= generic.getInputs().size())
      return false;
    std::optional<unsigned> tensor = tensorOf(generic.getInputs()[argument.getArgNumber()]);
    return tensor && !tensors[*tensor].places.empty() &&
           llvm::all_of(gather.getDims().getAsValueRange<StringAttr>(),
                        [&](StringRef dim) { return llvm::is_contained(tensors[*tensor].places, dim); });
  };
  for (linalg::GenericOp generic : generics) {
    for (te::GatherOp gather : generic.getBody()->getOps<te::GatherOp>())
      if (!isGood(generic, gather)) {
        gather.emitError(
            "[cpu_c5] expects elements of an input with 'te.places' in a kernel of the shape key 'lookup'");
        return false;
      }
    for (auto [input, argument] : llvm::zip(generic.getInputs(), generic.getBody()->getArguments())) {
      std::optional<unsigned> tensor = tensorOf(input);
      if (!tensor || tensors[*tensor].places.empty())
        continue;
      for (OpOperand &use : argument.getUses())
        if (!isa<te::GatherOp>(use.getOwner()) || use.getOperandNumber() != 0) {
          use.getOwner()->emitError("[cpu_c5] expects an input with 'te.places' in te.gather alone, before the places");
          return false;
        }
    }
  }
  return true;
}

// The loops of the function are those of its generics.
bool FusedKernel::readKind() {
  const StringRef key = ofShapeKey();
  if (key == "contraction")
    return readContraction();
  loops = 0;
  bool reduces = false;
  for (linalg::GenericOp op : generics) {
    loops = std::max(loops, op.getNumLoops());
    reduces |= op.getNumReductionLoops() != 0;
  }
  if (key.starts_with("reduce_rows"))
    kind = Kind::ReduceRows;
  else if (key.starts_with("reduce_columns"))
    kind = Kind::ReduceColumns;
  else if (key == "split_rows")
    kind = Kind::SplitRows;
  else if (key == "columns")
    kind = Kind::Columns;
  else if (key == "windows")
    kind = Kind::Windows;
  else if (key == "gather" && !reduces)
    kind = Kind::Gather;
  else if (key == "counted" && !reduces)
    kind = Kind::Counted;
  else if (key == "scanned" && !reduces)
    kind = Kind::Scanned;
  else if (key == "lookup" && !reduces)
    kind = Kind::Lookup;
  else if (key == "sorted" && !reduces)
    kind = Kind::Sorted;
  else if (key == "scattered" && !reduces)
    kind = Kind::Scattered;
  else
    // Blocks of a row operator consist of rows, whether or not its body reduces.
    kind = reduces || key == "rows_short" || key == "rows_long" ? Kind::Rows : Kind::Elementwise;
  isOuter = function->hasAttr(te::TeDialect::kOuterAttr);
  outerRuns = te::TeDialect::outerRunsOf(function);
  batchRuns = te::TeDialect::batchRunsOf(function);
  ofLaunch = kind == Kind::Elementwise && key == "any";
  strided = kind == Kind::Elementwise && key == "strided";
  const bool hasRows = kind == Kind::Rows || kind == Kind::Gather || counts() || kind == Kind::Scanned ||
                       kind == Kind::Sorted || kind == Kind::Scattered;
  bool fits = ofLaunch                    ? loops == 2
              : kind == Kind::Elementwise ? loops == 1 || loops == 2
                                          : loops == (hasRows ? 2u : 3u);
  if (!fits) {
    function.emitOpError("[cpu_c5] expects the loops of its shape key, found ") << loops;
    return false;
  }
  if (!readScans() || !checkLookups() || (kind == Kind::Scattered && !readScattered()))
    return false;
  // Row-major over the loops: dimension d of a tensor of full rank is loop d. If there are more loops, a tensor of
  // rank 1 is indexed by the item.
  unsigned items = itemLoop();
  for (KernelTensor &tensor : tensors) {
    unsigned rank = tensor.dims.size();
    if (rank != loops && rank != 1) {
      function.emitOpError("[cpu_c5] expects tensors of rank ") << loops << " or 1";
      return false;
    }
    for (unsigned d = 0; d < rank; ++d)
      if (tensor.dims[d] >= 0)
        tensor.dims[d] = int(rank == loops ? d : items);
    bool full = tensor.dims == std::vector<int>{0, 1}, one = tensor.dims == std::vector<int>{-1, -1};
    if (tensor.ofLaunch ? !ofLaunch || tensor.output || !full : ofLaunch && !full && (tensor.output || !one)) {
      function.emitOpError(
          "[cpu_c5] expects tensors of the key 'any' to be full, or inputs of one element, and the launch "
          "to decide about full inputs alone; found '")
          << tensor.name << "' of type " << tensor.argument.getType();
      return false;
    }
  }
  return true;
}

/// The float type whose elements a body moves from tensors to tensors, perhaps by way of f32, without computing
/// anything from them; null if there is none. Of two types it is the narrower one.
Type FusedKernel::movedFloat() {
  if ((kind != Kind::Elementwise && kind != Kind::Gather && kind != Kind::Lookup) || generics.size() != 1)
    return nullptr;
  linalg::GenericOp generic = generics.front();
  Block *body = generic.getBody();
  Type wanted;
  for (Type type : body->getArgumentTypes())
    if (type.isF16() || type.isBF16() || (!wanted && type.isF32()))
      wanted = type;
  llvm::SmallPtrSet<Value, 8> moved;
  for (auto [value, argument] : llvm::zip(generic->getOperands(), body->getArguments())) {
    if (argument.getType() == wanted && !value.getDefiningOp<linalg::FillOp>())
      moved.insert(argument);
    else if (argument.getType() == wanted || argument.getType().isF16() || argument.getType().isBF16())
      return nullptr;
  }
  auto isMoved = [&](Value value) { return moved.contains(value); };
  for (Operation &op : body->without_terminator()) {
    const bool selects = isa<arith::SelectOp>(op) && llvm::all_of(llvm::drop_begin(op.getOperands()), isMoved);
    const bool gathers = isa<te::GatherOp>(op) && isMoved(op.getOperand(0));
    const bool widens = isa<arith::ExtFOp>(op) && isMoved(op.getOperand(0)) && op.getOperand(0).getType() == wanted &&
                        op.getResult(0).getType().isF32();
    const bool narrows = isa<arith::TruncFOp>(op) && isMoved(op.getOperand(0)) && op.getResult(0).getType() == wanted &&
                         llvm::all_of(op.getUsers(), [](Operation *user) { return isa<linalg::YieldOp>(user); });
    if (selects || gathers || widens || narrows)
      moved.insert(op.getResult(0));
    else if (llvm::any_of(op.getOperands(), isMoved))
      return nullptr;
  }
  const bool stores = llvm::all_of(body->getTerminator()->getOperands(),
                                   [&](Value value) { return (value.getType() == wanted) == isMoved(value); });
  return stores ? wanted : Type();
}

// Not of i1, since a kernel that computes writes 0 or 1 for any byte.
std::optional<unsigned> FusedKernel::copiedInput() const {
  if ((kind != Kind::Elementwise && kind != Kind::Gather) || generics.size() != 1 || stored.size() != 1)
    return std::nullopt;
  linalg::GenericOp generic = generics.front();
  Value value = generic.getBody()->getTerminator()->getOperand(0);
  // Halves that are only moved are plain numbers also where the body takes them by way of f32 (movedFloat).
  const bool areHalves = tensors[firstOutput()].element.memory->isIntegerTy(16);
  while (Operation *op = value.getDefiningOp()) {
    if (!areHalves || !isa<arith::ExtFOp, arith::TruncFOp>(op) || op->getBlock() != generic.getBody())
      break;
    value = op->getOperand(0);
  }
  auto yielded = dyn_cast<BlockArgument>(value);
  if (generic.getNumResults() != 1 || stored.front() != generic->getResult(0) || !yielded ||
      yielded.getOwner() != generic.getBody() || yielded.getArgNumber() >= generic.getNumDpsInputs())
    return std::nullopt;
  std::optional<unsigned> input = tensorOf(generic.getInputs()[yielded.getArgNumber()]);
  auto isPlain = [&](unsigned tensor) { return tensors[tensor].element.kind == Element::Plain; };
  if (!input || !isPlain(*input) || !isPlain(firstOutput()) ||
      tensors[*input].element.memory != tensors[firstOutput()].element.memory)
    return std::nullopt;
  return input;
}

std::optional<FusedKernel> FusedKernel::read(func::FuncOp function, llvm::ArrayRef<std::string> tensorNames,
                                             llvm::LLVMContext &context) {
  FusedKernel kernel;
  kernel.function = function;
  kernel.name = function.getName().str();
  if (auto nest = function->getAttrOfType<IntegerAttr>(te::TeDialect::kNestAttr))
    kernel.suffix = "_n" + std::to_string(nest.getInt());
  if (!kernel.readArguments(tensorNames, context) || !kernel.readBody() || !kernel.readKind() || !kernel.checkWindows())
    return std::nullopt;
  // Kernels of types of one width then share their code, and a signalling NaN does not become a quiet one by way of
  // float32.
  if (Type moved = kernel.movedFloat())
    for (KernelTensor &tensor : kernel.tensors)
      if (cast<MemRefType>(tensor.argument.getType()).getElementType() == moved)
        tensor.element = *Element::of(IntegerType::get(function.getContext(), moved.getIntOrFloatBitWidth()), context);
  return kernel;
}

} // namespace opc::cpu
