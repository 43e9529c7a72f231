// Registration, attribute syntax, and the rules of the dialect's attributes on functions.

#include "dialect/aicore/AICoreDialect.h"
#include "dialect/aicore/AICoreOps.h"
#include "dialect/aicore/OperandNeeds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opc::aicore;

#include "dialect/aicore/AICoreDialect.cpp.inc"
#include "dialect/aicore/AICoreEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/aicore/AICoreAttrs.cpp.inc"

namespace {
/// Prints memory spaces, which most types of a kernel contain, as the aliases #ub and #gm.
class Aliases : public OpAsmDialectInterface {
public:
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attribute, raw_ostream &stream) const override {
    auto space = dyn_cast<SpaceAttr>(attribute);
    if (!space)
      return AliasResult::NoAlias;
    stream << stringifySpace(space.getValue());
    if (space.getLayout() != Layout::ND)
      stream << "_" << stringifyLayout(space.getLayout());
    return AliasResult::FinalAlias;
  }
};
} // namespace

void AICoreDialect::initialize() {
  addInterfaces<Aliases>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/aicore/AICoreAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/aicore/AICoreOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// #aicore.size
//===----------------------------------------------------------------------===//

static bool hasDimension(SizeKind kind) {
  return kind == SizeKind::Dim || kind == SizeKind::Reduced;
}

// `<` kind [dim] [`of` string] `>`
Attribute SizeAttr::parse(AsmParser &parser, Type) {
  SMLoc location = parser.getCurrentLocation();
  FailureOr<SizeKind> kind = failure();
  int64_t dim = 0;
  StringAttr tensor;
  if (parser.parseLess())
    return {};
  kind = FieldParser<SizeKind>::parse(parser);
  if (failed(kind))
    return {};
  if (hasDimension(*kind) && parser.parseInteger(dim))
    return {};
  if (succeeded(parser.parseOptionalKeyword("of")) && parser.parseAttribute(tensor))
    return {};
  if (parser.parseGreater())
    return {};
  return SizeAttr::getChecked([&] { return parser.emitError(location); }, parser.getContext(), *kind, dim, tensor);
}

void SizeAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifySizeKind(getKind());
  if (hasDimension(getKind()))
    printer << " " << getDim();
  if (getTensor())
    printer << " of " << getTensor();
  printer << ">";
}

LogicalResult SizeAttr::verify(function_ref<InFlightDiagnostic()> emitError, SizeKind kind, int64_t dim,
                               StringAttr tensor) {
  bool ofTensor = kind != SizeKind::MaxBlocks;
  if (ofTensor != static_cast<bool>(tensor))
    return emitError() << "[size_c1] expects '" << stringifySizeKind(kind) << "' "
                       << (ofTensor ? "of a tensor: of \"name\"" : "without a tensor");
  if (dim < -8 || dim > 7)
    return emitError() << "[size_c2] expects a dimension from -8 to 7, found " << dim;
  return success();
}

LogicalResult SpaceAttr::verify(function_ref<InFlightDiagnostic()> emitError, Space space, Layout layout) {
  bool fits = layout == Layout::ND;
  switch (space) {
  case Space::GM:
  case Space::UB:
  case Space::BT:
    break;
  case Space::L1:
    fits |= layout == Layout::NZ;
    break;
  case Space::L0A:
    fits = layout == Layout::ZZ;
    break;
  case Space::L0B:
    fits = layout == Layout::ZN;
    break;
  case Space::L0C:
    fits = layout == Layout::NZ;
    break;
  }
  if (fits)
    return success();
  return emitError()
         << "[space_c1] expects a layout that the memory has, nd in gm, ub and bt, nd or nz in l1, zz in l0a, "
            "zn in l0b, nz in l0c; found "
         << stringifyLayout(layout) << " in " << stringifySpace(space);
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t tile, int64_t rows,
                                   int64_t slots, bool prefetch, int64_t alignment, bool, int64_t expansion) {
  if (tile < 256 || tile > (int64_t(1) << 20) || tile % 256 != 0)
    return emitError() << "[schedule_c1] expects 'tile' to be a multiple of 256, from 256 to 1048576, found " << tile;
  if (rows < 1 || rows > 4095)
    return emitError() << "[schedule_c2] expects 'rows' from 1 to 4095, found " << rows;
  if (slots < 1 || slots > 2 || (prefetch && slots != 2))
    return emitError() << "[schedule_c3] expects 'slots' to be 1 or 2, and 2 with 'prefetch', found " << slots;
  if (alignment < 32 || alignment > 4096 || !llvm::isPowerOf2_64(alignment))
    return emitError() << "[schedule_c4] expects 'alignment' to be a power of two from 32 to 4096, found " << alignment;
  if (expansion != 16 && expansion != 32)
    return emitError() << "[schedule_c5] expects 'expansion' to be 16 or 32, found " << expansion;
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes on functions
//===----------------------------------------------------------------------===//

// A kernel's arguments are GM memrefs of rank 1, then scalars, and it returns nothing.
static LogicalResult verifyKernelSignature(FunctionOpInterface function) {
  if (function.getNumResults() != 0)
    return function.emitOpError("[kernel_c1] expects a kernel to return nothing, found ")
           << function.getNumResults() << " results";
  bool seenScalar = false;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      if (!type.isIntOrFloat())
        return function.emitOpError("[kernel_c2] expects arguments of a kernel to be memrefs in gm, "
                                    "then scalars of a number type; argument ")
               << index << " is " << type;
      seenScalar = true;
      continue;
    }
    if (seenScalar)
      return function.emitOpError("[kernel_c2] expects memrefs before scalars; argument ")
             << index << " is a memref after a scalar";
    if (spaceOf(type) != Space::GM || memref.getRank() != 1 || !memref.getLayout().isIdentity())
      return function.emitOpError("[kernel_c3] expects tensors as memref<?xT, #aicore.space<gm>>; argument ")
             << index << " is " << type;
  }
  return success();
}

static LogicalResult verifyTilingSignature(FunctionOpInterface function) {
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (!type.isIndex())
      return function.emitOpError("[tiling_c1] expects arguments of a tiling function to be index; argument ")
             << index << " is " << type;
    if (!function.getArgAttrOfType<SizeAttr>(index, AICoreDialect::kSizeAttr))
      return function.emitOpError("[tiling_c2] expects each argument of a tiling function to say which "
                                  "size it receives (aicore.size); argument ")
             << index << " does not";
  }
  llvm::SmallDenseSet<StringAttr> names;
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    if (!type.isIndex())
      return function.emitOpError("[tiling_c1] expects results of a tiling function to be index; result ")
             << index << " is " << type;
    auto name = function.getResultAttrOfType<StringAttr>(index, AICoreDialect::kNameAttr);
    if (!name)
      return function.emitOpError("[tiling_c3] expects each result of a tiling function to have a name "
                                  "(aicore.name); result ")
             << index << " has none";
    if (!names.insert(name).second)
      return function.emitOpError("[tiling_c3] expects results of different names, found ") << name << " twice";
  }
  if (function.getNumResults() == 0 ||
      function.getResultAttrOfType<StringAttr>(0, AICoreDialect::kNameAttr).getValue() != "block_num")
    return function.emitOpError("[tiling_c4] expects the first result of a tiling function to be \"block_num\"");
  return success();
}

template <typename Kind> static bool is(Attribute attribute) {
  return isa<Kind>(attribute);
}

static bool isListOfNeeds(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list && !list.empty() && llvm::all_of(list, llvm::IsaPred<NeedsAttr>);
}

static bool isDirect(Attribute attribute) {
  auto text = dyn_cast<StringAttr>(attribute);
  return text && text.getValue() == AICoreDialect::kDirect;
}

LogicalResult AICoreDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  StringRef name = attribute.getName();
  if (name == "aicore.rows")
    return op->emitOpError(
        "[rows_c2] expects the form for rows as a keyword, 'aicore.vadd rows ins(...)', on vadd, vsub, "
        "vmul, vdiv, vmax or vmin; found the attribute 'aicore.rows'");
  if (!function)
    return op->emitOpError("[function_c1] expects '") << name << "' on a function";
  if (name == kKernelAttr)
    return verifyKernelSignature(function);
  if (name == kTilingAttr)
    return verifyTilingSignature(function);
  struct Known {
    StringRef name;
    bool (*fits)(Attribute);
    StringRef expected;
  };
  static const Known known[] = {
      {kPhaseAttr, is<PhaseAttr>, "to be an #aicore.phase"},
      {kTilingFunctionAttr, is<FlatSymbolRefAttr>, "to name a function"},
      {kTilingKeyAttr, is<IntegerAttr>, "to be an integer"},
      {kNeedsAttr, is<NeedsAttr>, "to be an #aicore.needs"},
      {kNeedsVariantsAttr, isListOfNeeds, "to be a list of #aicore.needs, at least one"},
      {kNeedsOfLeftAttr, is<NeedsAttr>, "to be an #aicore.needs"},
      {kNeedsOfRightAttr, is<NeedsAttr>, "to be an #aicore.needs"},
      {kLinesAttr, is<ArrayAttr>, "to be the names of tensors"},
      {kScheduleAttr, is<ScheduleAttr>, "to be an #aicore.schedule"},
      {kEventIdsAttr, is<StringAttr>, "to be a string"},
      {kFixToVAttr, isDirect, "to be \"direct\""},
  };
  for (const Known &one : known) {
    if (name != one.name)
      continue;
    if (one.fits(attribute.getValue()))
      return success();
    return op->emitOpError("[function_c2] expects '") << name << "' " << one.expected;
  }
  return op->emitOpError("[function_c3] has an unknown attribute '") << name << "'";
}

static LogicalResult verifyNameOrSize(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == AICoreDialect::kNameAttr && isa<StringAttr>(attribute.getValue()))
    return success();
  if (attribute.getName() == AICoreDialect::kSizeAttr && isa<SizeAttr>(attribute.getValue()))
    return success();
  return op->emitOpError("[function_c4] expects 'aicore.name' to be a string and 'aicore.size' an "
                         "#aicore.size on arguments and results; found '")
         << attribute.getName() << "' = " << attribute.getValue();
}

LogicalResult AICoreDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verifyNameOrSize(op, attribute);
}

LogicalResult AICoreDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verifyNameOrSize(op, attribute);
}
