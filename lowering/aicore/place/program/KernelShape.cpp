#include "lowering/aicore/place/program/KernelShape.h"

#include "dialect/te/TeOps.h"
#include "runtime/target/toolkit/KernelCalls.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;

namespace opc::aicore {

bool isFusedInstance(func::FuncOp function) {
  auto phase = function->getAttrOfType<te::PhaseAttr>(te::TeDialect::kPhaseAttr);
  return !function.isExternal() && function->hasAttr(te::TeDialect::kKernelAttr) && phase &&
         phase.getValue() == te::Phase::Fused;
}

/// The broadcast kind of a value with this shape in the loops (m, n) of a two-loop instance; static sizes are
/// broadcast.
static Spread spreadOfShape(ArrayRef<int64_t> shape) {
  if (shape.size() == 1)
    return shape[0] == 1 ? Spread::One : Spread::Column;
  bool outer = shape[0] != 1, inner = shape[1] != 1;
  if (outer && inner)
    return Spread::Full;
  return outer ? Spread::Column : inner ? Spread::Row : Spread::One;
}

/// Sets the broadcast kind of a tensor in the loops (R0, m, n) or (R0, R1, K); results of reductions may lack the
/// reduced ones. A tensor that differs between pieces of a row has an element for each piece.
static void setSpreadInNest(KernelTensor &tensor, KernelForm form, ArrayRef<int64_t> shape) {
  if (shape.size() == 1) {
    tensor.spread = form == KernelForm::SplitRows ? Spread::Column : Spread::Row;
    return;
  }
  bool outer = shape[0] != 1, middle = shape[1] != 1, inner = shape[2] != 1;
  tensor.ofPieces = form == KernelForm::SplitRows && outer && !inner;
  tensor.spread = inner && (outer || middle) ? Spread::Full
                  : inner                    ? Spread::Row
                  : outer || middle          ? Spread::Column
                                             : Spread::One;
}

/// Whether an input gives the index of each element.
static bool gathersElements(func::FuncOp fused) {
  for (unsigned argument = 0; argument < fused.getNumArguments(); ++argument)
    if (fused.getArgAttr(argument, te::TeDialect::kGatheredByAttr) &&
        fused.getArgAttr(argument, te::TeDialect::kPlacesAttr))
      return true;
  return false;
}

/// The shape key. That of elements of long lines, which differs in what its tensors are marked with, counts as the
/// other one.
static StringRef keyOf(func::FuncOp fused) {
  StringRef key = te::TeDialect::shapeKeyOf(fused);
  key.consume_back("_elements");
  return key;
}

/// The form, from the loops that the generics reduce; nullopt for a combination that no shape key has.
static std::optional<KernelForm> formOf(func::FuncOp fused, unsigned loops) {
  const StringRef key = keyOf(fused);
  if (key == "contraction" || key == "contraction_wide") {
    for (unsigned argument = 0; argument < fused.getNumArguments(); ++argument)
      if (fused.getArgAttr(argument, te::TeDialect::kWindowAttr))
        return KernelForm::Convolution;
    return KernelForm::Contraction;
  }
  if (key.starts_with("resident") || key == "contraction_resident" || key.starts_with("contraction_long"))
    return KernelForm::Contraction;
  if (key == "windows")
    return KernelForm::Windows;
  if (loops == 1)
    return KernelForm::Flat;
  std::optional<unsigned> innermostReduced;
  bool reduces = false;
  fused.walk([&](linalg::GenericOp generic) {
    auto iterators = generic.getIteratorTypesArray();
    for (auto [loop, iterator] : llvm::enumerate(iterators))
      if (iterator == utils::IteratorType::reduction) {
        reduces = true;
        innermostReduced = loop;
      }
  });
  if (loops == 2) {
    // The shape key identifies an instance that works on rows without reducing them.
    const bool onRows = key == "rows_short" || key == "rows_long" || key == "rows_strided";
    if (key == "any")
      return KernelForm::Any;
    if (key == "scattered")
      return KernelForm::Scatter;
    if (key == "sorted")
      return KernelForm::Sorted;
    if (key == "gather")
      return gathersElements(fused) ? KernelForm::Grid : KernelForm::Gather;
    return reduces || onRows ? KernelForm::Rows : KernelForm::Grid;
  }
  if (loops != 3 || !reduces)
    return std::nullopt;
  // An operand that lacks a loop has no dimension for it in its generic: the key says what the loops are.
  if (fused->hasAttr(te::TeDialect::kBatchedAttr))
    return *innermostReduced == 2 || key.starts_with("split_rows") ? KernelForm::SplitRows : KernelForm::Columns;
  return *innermostReduced == 2 ? KernelForm::ReduceRows : KernelForm::ReduceColumns;
}

/// The element type of a tensor argument: the contract's type, if the memref cannot express its signedness.
static std::optional<ElementType> elementOf(func::FuncOp fused, unsigned index, MemRefType type) {
  if (auto element = fused.getArgAttrOfType<TypeAttr>(index, te::TeDialect::kElementAttr))
    return elementTypeOf(element.getValue());
  return elementTypeOf(type.getElementType());
}

/// The loops of a tensor's dimensions: (m, n, k) are 0, 1 and 2.
static ArrayRef<int64_t> loopsOf(func::FuncOp fused, BlockArgument argument) {
  auto dims = fused.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), te::TeDialect::kDimsAttr);
  return dims ? dims.asArrayRef() : ArrayRef<int64_t>();
}

/// The operands of the matrix product: both have k, the right one n.
static LogicalResult readOperands(func::FuncOp fused, ProductOperands &product) {
  std::optional<unsigned> left, right;
  unsigned tensor = 0;
  for (BlockArgument argument : fused.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    ArrayRef<int64_t> loops = loopsOf(fused, argument);
    if (loops.size() == 2 && llvm::is_contained(loops, 2)) {
      const bool isRight = llvm::is_contained(loops, 1), isAlongK = loops.back() == 2;
      (isRight ? right : left) = tensor;
      (isRight ? product.isRightAlongK : product.isLeftAlongK) = isAlongK;
    }
    ++tensor;
  }
  if (!left || !right)
    return fused.emitError("[place_c2] expects two operands of a matrix product, with the loops (m, k) and (k, n)");
  product.left = *left;
  product.right = *right;
  return success();
}

bool multipliesMatrices(linalg::GenericOp generic) {
  return generic.getNumReductionLoops() != 0 && generic.getNumLoops() == 3;
}

/// Whether a body computes an operand of its product from a tensor: it is read, but not by the product.
static bool isComputed(func::FuncOp fused, unsigned number) {
  unsigned tensor = 0;
  bool isRead = false;
  for (BlockArgument argument : fused.getArguments()) {
    if (!isa<MemRefType>(argument.getType()) || tensor++ != number)
      continue;
    for (Operation *load : argument.getUsers())
      for (Operation *user : load->getUsers()) {
        auto generic = dyn_cast<linalg::GenericOp>(user);
        isRead |= bool(generic);
        if (generic && multipliesMatrices(generic))
          return false;
      }
  }
  return isRead;
}

/// Which operands of a product the body computes, and the type of both.
static LogicalResult readComputed(func::FuncOp fused, KernelShape &shape) {
  ProductOperands &product = shape.product;
  product.isLeftComputed = isComputed(fused, product.left);
  product.isRightComputed = isComputed(fused, product.right);
  if (product.isLeftComputed && product.isRightComputed)
    return fused.emitError("[place_c3] expects a matrix product with at least one operand that is an input");
  product.type = shape.tensors[product.isLeftComputed ? product.right : product.left].type;
  return success();
}

/// The windows of an argument; nullopt if it has none.
static std::optional<WindowedOperand> windowsOf(func::FuncOp fused, unsigned index, unsigned tensor) {
  auto steps = fused.getArgAttrOfType<DenseI64ArrayAttr>(index, te::TeDialect::kWindowAttr);
  if (!steps)
    return std::nullopt;
  WindowedOperand windows;
  windows.tensor = tensor;
  ArrayRef<int64_t> each = steps.asArrayRef();
  windows.hasDepth = each.size() >= 9;
  if (windows.hasDepth) {
    windows.depthStride = each[0];
    windows.depthDilation = each[1];
    windows.depthPadBegin = each[2];
    each = each.drop_front(3);
  }
  for (unsigned axis = 0; axis < 2; ++axis) {
    windows.stride[axis] = each[3 * axis];
    windows.dilation[axis] = each[3 * axis + 1];
    windows.padBegin[axis] = each[3 * axis + 2];
  }
  windows.isShared = each.size() == 6;
  return windows;
}

/// Finds the indices of gathered tensors, by name.
static LogicalResult readIndices(func::FuncOp fused, KernelShape &shape) {
  unsigned tensor = 0;
  for (BlockArgument argument : fused.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    const unsigned number = argument.getArgNumber();
    KernelTensor &own = shape.tensors[tensor++];
    auto name = fused.getArgAttrOfType<StringAttr>(number, te::TeDialect::kGatheredByAttr);
    if (!name)
      continue;
    auto found = llvm::find_if(shape.tensors, [&](const KernelTensor &other) { return name == other.name; });
    const bool isKnown = found != shape.tensors.end() && !found->indices &&
                         (found->type == ElementType::Int32 || found->type == ElementType::Int64);
    // If indices vary along n, each element is at a different offset.
    const bool areApart = isKnown && (found->spread == Spread::Full || found->spread == Spread::Row);
    if (!isKnown || (areApart && own.places.empty() && shape.form != KernelForm::Scatter))
      return fused.emitError("[place_c2] expects 'te.gathered_by' to name an input of i32 or i64 that has one element "
                             "for each row, found ")
             << name;
    own.indices = unsigned(found - shape.tensors.begin());
    own.isFromEnd = bool(fused.getArgAttr(number, te::TeDialect::kFromEndAttr));
    // It has the loops of its indices too: a line does not vary along n by itself.
    if (areApart && !own.isApart && shape.form != KernelForm::Scatter)
      own.spread = own.spread == Spread::Full ? Spread::Column : Spread::One;
  }
  return success();
}

/// Finds the tensor that a scatter kernel begins with and the result of its updates, and changes the loops of one with
/// an index for each element.
static LogicalResult readScatter(func::FuncOp fused, KernelShape &shape) {
  KernelShape::Scatter scatter;
  StringAttr data;
  unsigned tensor = 0, results = 0;
  for (BlockArgument argument : fused.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    if (auto name = fused.getArgAttrOfType<StringAttr>(argument.getArgNumber(), te::TeDialect::kScatteredAttr)) {
      data = name;
      scatter.result = tensor;
      ++results;
    }
    ++tensor;
  }
  auto found = llvm::find_if(shape.tensors, [&](const KernelTensor &other) { return data && data == other.name; });
  const bool isWhole = results == 1 && found != shape.tensors.end() && !found->isOutput &&
                       found->type == shape.tensors[scatter.result].type && shape.tensors[scatter.result].indices &&
                       llvm::count_if(shape.tensors, [](const KernelTensor &each) { return each.isOutput; }) == 1;
  if (!isWhole)
    return fused.emitError(
        "[place_c2] expects 'te.scattered' on the one result of a kernel that scatters, which has the "
        "places of its elements, and an input of its type that it begins as");
  scatter.data = unsigned(found - shape.tensors.begin());
  scatter.indices = *shape.tensors[scatter.result].indices;
  const Spread spread = shape.tensors[scatter.indices].spread;
  scatter.ofElements = spread == Spread::Full || spread == Spread::Row;
  for (auto [number, own] : llvm::enumerate(shape.tensors)) {
    own.isStill = own.spread == Spread::One && number != scatter.indices && !own.indices;
    if (!scatter.ofElements)
      continue;
    own.movesAround = own.spread == Spread::Full || own.spread == Spread::Column;
    const bool isOfUpdates = own.spread == Spread::Full || own.spread == Spread::Row || own.indices;
    own.spread = isOfUpdates ? Spread::Full : Spread::One;
  }
  shape.scatter = scatter;
  return success();
}

/// Reads what the attributes of the function and its shape key say of the loops.
static void readLoops(func::FuncOp fused, KernelShape &shape) {
  const StringRef key = keyOf(fused);
  shape.isBatched = fused->hasAttr(te::TeDialect::kBatchedAttr);
  shape.isStretched = bool(fused->getAttrOfType<IntegerAttr>(te::TeDialect::kBatchedAttr));
  shape.outerRuns = te::TeDialect::outerRunsOf(fused);
  shape.batchRuns = te::TeDialect::batchRunsOf(fused);
  shape.isStrided = key == "strided" || key == "counted" || key == "scanned" || key == "lookup" || key == "gather" ||
                    key == "rows_strided";
  shape.isScanned = key == "scanned";
  shape.isResident = key.starts_with("resident");
  shape.hasResidentRight = key == "contraction_resident";
  shape.hasLongRows = key.starts_with("contraction_long");
  if (auto nest = fused->getAttrOfType<IntegerAttr>(te::TeDialect::kNestAttr))
    shape.suffix = "_n" + std::to_string(nest.getInt());
}

/// Reads what the attributes of an argument say of its tensor.
static void readMarks(func::FuncOp fused, unsigned index, KernelTensor &tensor) {
  const auto has = [&](StringRef mark) { return bool(fused.getArgAttr(index, mark)); };
  tensor.isPart = has(te::TeDialect::kPartOfAttr);
  tensor.isSorted = has(te::TeDialect::kSortedAttr);
  tensor.isPacked = has(te::TeDialect::kPackedAttr);
  tensor.isPackedBatch = tensor.isPacked && has(te::TeDialect::kBatchedAttr);
  tensor.isStill = has(te::TeDialect::kStillAttr);
  tensor.isOfLaunch = has(te::TeDialect::kOfLaunchAttr);
  if (auto places = fused.getArgAttrOfType<ArrayAttr>(index, te::TeDialect::kPlacesAttr))
    for (StringRef dim : places.getAsValueRange<StringAttr>())
      tensor.places.push_back(dim.str());
  const bool isAcross = has(te::TeDialect::kAcrossAttr);
  tensor.isApart = isAcross && !tensor.places.empty();
  tensor.isAcross = isAcross && tensor.places.empty();
}

static void setSpread(KernelTensor &tensor, KernelForm form, unsigned loops, ArrayRef<int64_t> shape) {
  if (loops == 1)
    tensor.spread = shape[0] == 1 ? Spread::One : Spread::Full;
  else if (loops == 2)
    tensor.spread = spreadOfShape(shape);
  else if (form == KernelForm::SplitRows || form == KernelForm::Columns || form == KernelForm::Windows)
    setSpreadInNest(tensor, form, shape);
  else if (shape.size() == 1)
    tensor.spread = form == KernelForm::ReduceRows ? Spread::Column : Spread::Row;
}

/// Reads the tensors and scalars among the arguments, of which memrefs have at most `loops` dimensions.
static LogicalResult readArguments(func::FuncOp fused, unsigned loops, KernelShape &shape) {
  llvm::SmallDenseSet<Value> written;
  fused.walk([&](bufferization::MaterializeInDestinationOp store) { written.insert(store.getDest()); });
  unsigned arguments = 0; // of the kernel so far
  StringAttr lastWhole;
  for (auto [index, argument] : llvm::enumerate(fused.getArguments())) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type) {
      shape.scalars.push_back(index);
      continue;
    }
    auto name = fused.getArgAttrOfType<StringAttr>(index, te::TeDialect::kNameAttr);
    std::optional<ElementType> element = elementOf(fused, index, type);
    if (!name || !element || type.getRank() < 1 || type.getRank() > 3)
      return fused.emitError("[place_c2] expects tensors with a name and elements of a number "
                             "type, of rank 1 to 3; argument ")
             << index << " is " << type;
    KernelTensor tensor;
    tensor.name = name.str();
    tensor.isOutput = written.contains(argument);
    // Truth values are bytes that are 0 or 1.
    tensor.type = *element == ElementType::Bool ? ElementType::Int8 : *element;
    readMarks(fused, index, tensor);
    setSpread(tensor, shape.form, loops, type.getShape());
    // Parts of a tensor are adjacent arguments.
    auto whole = fused.getArgAttrOfType<StringAttr>(index, te::TeDialect::kPartOfAttr);
    arguments += !whole || whole != lastWhole;
    lastWhole = whole;
    tensor.argument = arguments - 1;
    shape.isAcross |= tensor.isAcross;
    if (std::optional<WindowedOperand> windows = windowsOf(fused, index, unsigned(shape.tensors.size())))
      shape.windows = windows;
    shape.tensors.push_back(std::move(tensor));
  }
  return success();
}

/// Chooses the unit that multiplies windows: the cube, where it takes their types and all filters share them.
static LogicalResult chooseUnit(func::FuncOp fused, KernelShape &shape) {
  if (!shape.windows)
    return fused.emitError("[place_c2] expects the windows of 'te.window' on a memref");
  const ElementType left = shape.tensors[shape.product.left].type, right = shape.tensors[shape.product.right].type;
  if (keyOf(fused) != "contraction_wide" && shape.windows->isShared && left == right && cubeConvolves(left))
    shape.form = KernelForm::Contraction;
  return success();
}

/// Checks that the cube multiplies the matrices of a product as they lie.
static LogicalResult checkMatrices(func::FuncOp fused, const KernelShape &shape) {
  const ProductOperands &product = shape.product;
  const ElementType type = product.type, right = shape.tensors[product.right].type;
  const bool isOfTwo = !product.isLeftComputed && !product.isRightComputed && right != type;
  if (isOfTwo || !cubeMultiplies(type))
    return fused.emitError("[place_c3] expects matrices of one type that the cube multiplies, found ")
           << std::string(elementTypeName(type)) << " and " << std::string(elementTypeName(right));
  if ((!cubeTransposesLeft(type) && !product.isLeftAlongK) || (!cubeTransposesRight(type) && !product.isRightAlongK))
    return fused.emitError("[place_c3] expects the left matrix of ")
           << std::string(elementTypeName(type)) << " to lie along k, as [M, K]";
  return success();
}

FailureOr<KernelShape> readKernelShape(func::FuncOp fused) {
  KernelShape shape;
  unsigned loops = 0;
  for (Type type : fused.getArgumentTypes())
    if (auto memref = dyn_cast<MemRefType>(type))
      loops = std::max<unsigned>(loops, memref.getRank());
  std::optional<KernelForm> form = formOf(fused, loops);
  if (!form)
    return fused.emitError("[place_c2] expects an instance of one to three loops, the last or the "
                           "ones before it reduced");
  shape.form = *form;
  if (isProduct(shape.form) && failed(readOperands(fused, shape.product)))
    return failure();
  readLoops(fused, shape);
  if (failed(readArguments(fused, loops, shape)))
    return failure();
  const StringRef key = keyOf(fused);
  if ((key == "gather" || key == "scattered") && failed(readIndices(fused, shape)))
    return failure();
  if (key == "scattered" && failed(readScatter(fused, shape)))
    return failure();
  if (shape.form == KernelForm::Convolution && failed(chooseUnit(fused, shape)))
    return failure();
  if (shape.form == KernelForm::Contraction &&
      (failed(readComputed(fused, shape)) || failed(checkMatrices(fused, shape))))
    return failure();
  return shape;
}

} // namespace opc::aicore
