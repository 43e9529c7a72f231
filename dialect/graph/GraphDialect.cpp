// Registration, and the rules of attributes and types.

#include "dialect/graph/GraphDialect.h"
#include "dialect/graph/GraphOps.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opc::graph;

#include "dialect/graph/GraphDialect.cpp.inc"
#include "dialect/graph/GraphEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/graph/GraphAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/graph/GraphTypes.cpp.inc"

void GraphDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/graph/GraphAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/graph/GraphTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/graph/GraphOps.cpp.inc"
      >();
}

LogicalResult DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  if (getNames().size() != shape.size())
    return emitError() << "[graph_c3] expects a text for each of " << shape.size()
                       << " dimensions in #graph.dims, found " << getNames().size();
  for (auto [name, size] : llvm::zip(getNames(), shape))
    if (!name.empty() && !ShapedType::isDynamic(size))
      return emitError() << "[graph_c3] expects names for sizes that are not known, found " << name << " for " << size;
  return success();
}

LogicalResult GraphDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  if (attribute.getName() == kNameAttr && isa<StringAttr>(attribute.getValue()))
    return success();
  return op->emitOpError("has an unknown attribute '") << attribute.getName() << "' at an argument";
}
