// Registration, and the rules of the dialect's attributes on functions.

#include "dialect/te/TeDialect.h"
#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opc::te;

#include "dialect/te/TeDialect.cpp.inc"
#include "dialect/te/TeEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/te/TeAttrs.cpp.inc"

void TeDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/te/TeAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/te/TeOps.cpp.inc"
      >();
}

llvm::StringRef TeDialect::shapeKeyOf(Operation *function) {
  auto key = function->getAttrOfType<StringAttr>(kShapeKeyAttr);
  llvm::StringRef name = key ? key.getValue() : "";
  if (auto nest = function->getAttrOfType<IntegerAttr>(kNestAttr))
    name.consume_back("_n" + std::to_string(nest.getInt()));
  return name;
}

static unsigned runsIn(Operation *function, StringRef name) {
  auto runs = function->getAttrOfType<IntegerAttr>(name);
  return runs ? unsigned(runs.getInt()) : 1;
}

unsigned TeDialect::outerRunsOf(Operation *function) {
  return runsIn(function, kOuterRunsAttr);
}

unsigned TeDialect::batchRunsOf(Operation *function) {
  return runsIn(function, kBatchRunsAttr);
}

/// What an attribute of a function is expected to be; empty when the value is correct.
static StringRef wrongFunctionAttribute(StringRef name, Attribute value) {
  auto isNumber = [&](Attribute attribute) {
    auto type = dyn_cast<TypeAttr>(attribute);
    return type && isNumberType(type.getValue());
  };
  if (name == TeDialect::kKernelAttr || name == TeDialect::kOfPairsAttr)
    return isa<UnitAttr>(value) ? "" : "a unit attribute";
  if (name == TeDialect::kPhaseAttr)
    return isa<PhaseAttr>(value) ? "" : "an #te.phase";
  if (name == TeDialect::kTypeRowAttr || name == TeDialect::kNestAttr) {
    auto row = dyn_cast<IntegerAttr>(value);
    return row && row.getType().isSignlessInteger(64) && row.getInt() >= 0 ? "" : "an i64, not negative";
  }
  if (name == TeDialect::kOuterRunsAttr || name == TeDialect::kBatchRunsAttr) {
    auto runs = dyn_cast<IntegerAttr>(value);
    return runs && runs.getType().isSignlessInteger(64) && runs.getValue().ugt(1) && runs.getValue().ule(8)
               ? ""
               : "an i64 from 2 to 8";
  }
  if (name == TeDialect::kShapeKeyAttr)
    return isa<StringAttr>(value) ? "" : "a string";
  if (name == TeDialect::kComputeAttr || name == TeDialect::kAccumulateAttr)
    return isNumber(value) ? "" : "a number type";
  if (name == TeDialect::kToleranceAttr) {
    auto pair = dyn_cast<DenseF64ArrayAttr>(value);
    return pair && pair.size() == 2 ? "" : "an array of two f64";
  }
  if (name == TeDialect::kBatchedAttr) {
    auto loops = dyn_cast<IntegerAttr>(value);
    const bool isCount =
        loops && loops.getType().isSignlessInteger(64) && loops.getValue().ugt(2) && loops.getValue().ule(6);
    return isCount || isa<UnitAttr>(value) ? "" : "a unit attribute, for two loops, or an i64 from 3 to 6";
  }
  if (name == TeDialect::kTensorsAttr)
    return isa<ArrayAttr>(value) && llvm::all_of(cast<ArrayAttr>(value), llvm::IsaPred<StringAttr>)
               ? ""
               : "an array of strings";
  if (name == TeDialect::kReducibleAttr)
    return isa<DenseI64ArrayAttr>(value) ? "" : "an array of i64";
  return "known";
}

LogicalResult TeDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kLoopAttr && op->getName().getStringRef() == "linalg.index") {
    auto loop = dyn_cast<IntegerAttr>(attribute.getValue());
    if (loop && loop.getType().isInteger(64) && loop.getValue().ult(3))
      return success();
    return op->emitOpError("[body_c1] expects 'te.loop' to be a loop of a kernel, 0 to 2, found ")
           << attribute.getValue();
  }
  if (name == kUnroundedAttr && isa<CastOp>(op) && isa<UnitAttr>(attribute.getValue()))
    return success();
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError("[body_c1] expects '") << name << "' on a function";
  StringRef expected = wrongFunctionAttribute(name, attribute.getValue());
  if (expected == "known")
    return op->emitOpError("[body_c1] has an unknown attribute '") << name << "'";
  if (!expected.empty())
    return op->emitOpError("[body_c1] expects '")
           << name << "' to be " << expected << ", found " << attribute.getValue();
  return success();
}

static LogicalResult verifyPlaceAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  bool good = ((name == TeDialect::kNameAttr || name == TeDialect::kPartOfAttr || name == TeDialect::kGatheredByAttr ||
                name == TeDialect::kScatteredAttr) &&
               isa<StringAttr>(value)) ||
              (name == TeDialect::kDimsAttr && isa<DenseI64ArrayAttr>(value)) ||
              ((name == TeDialect::kOfLaunchAttr || name == TeDialect::kAcrossAttr || name == TeDialect::kFromEndAttr ||
                name == TeDialect::kSortedAttr || name == TeDialect::kPackedAttr || name == TeDialect::kBatchedAttr ||
                name == TeDialect::kStillAttr) &&
               isa<UnitAttr>(value));
  if (name == TeDialect::kPlacesAttr) {
    auto dims = dyn_cast<ArrayAttr>(value);
    good = dims && !dims.empty() && llvm::all_of(dims, llvm::IsaPred<StringAttr>);
  }
  if (name == TeDialect::kWindowAttr) {
    // Stride and dilation, which are at least 1, and the padding, for each of two or three dimensions; a 1 after those,
    // if filters do not share the windows.
    auto steps = dyn_cast<DenseI64ArrayAttr>(value);
    good = steps && (steps.size() / 3 == 2 || steps.size() / 3 == 3) && steps.size() % 3 < 2 &&
           (steps.size() % 3 == 0 || steps[steps.size() - 1] == 1);
    for (int64_t i = 0; good && i < steps.size() / 3 * 3; ++i)
      good = steps[i] >= (i % 3 < 2) && steps[i] <= int64_t(1) << 24;
  }
  if (name == TeDialect::kElementAttr)
    if (auto type = dyn_cast<TypeAttr>(value))
      good = isNumberType(type.getValue());
  if (!good)
    return op->emitOpError(
               "[body_c2] expects 'te.name', 'te.part_of', 'te.gathered_by' and 'te.scattered' to be "
               "strings, 'te.dims' an array of i64, 'te.of_launch', 'te.across', 'te.from_end', "
               "'te.sorted', 'te.packed' and 'te.batched' unit attributes, 'te.places' strings, 'te.window' two or "
               "three "
               "strides, dilations and paddings and 'te.element' a number type on arguments and results; found '")
           << attribute.getName() << "' = " << value;
  return success();
}

LogicalResult TeDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verifyPlaceAttribute(op, attribute);
}

LogicalResult TeDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verifyPlaceAttribute(op, attribute);
}
