#include "lowering/import/Bind.h"

#include "dialect/aicore/AICoreDialect.h"
#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace opc {

using aicore::AICoreDialect;

static StringRef ref(std::string_view text) {
  return {text.data(), text.size()};
}

bool hasServingName(func::FuncOp function, const Contract &contract, StringRef kind) {
  std::vector<std::string> names = {contract.name};
  for (unsigned row = 0; row < contract.typeRows(); ++row)
    names.push_back(contract.kernelName(row));
  if (llvm::is_contained(names, function.getName()))
    return true;
  std::string nearest = nearestName(function.getName().str(), names);
  InFlightDiagnostic error = function.emitOpError("[bind_c9] expects a ")
                             << kind << " named '@" << contract.name << "', or that with a type row's name: found '@"
                             << function.getName() << "'";
  if (!nearest.empty())
    error << "; the nearest name is '@" << nearest << "'";
  return false;
}

LogicalResult checkFunctions(ModuleOp parsed, const Contract &contract) {
  bool good = true;
  for (Operation &op : *parsed.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function) {
      op.emitOpError("[bind_c9] expects a body to hold functions only");
      good = false;
      continue;
    }
    if (function->hasAttr(AICoreDialect::kTilingAttr))
      continue;
    if (!function->hasAttr(AICoreDialect::kKernelAttr)) {
      function.emitOpError("[bind_c9] expects 'aicore.kernel' or 'aicore.tiling' on '@") << function.getName() << "'";
      good = false;
    } else {
      good &= hasServingName(function, contract, "kernel");
    }
  }
  return success(good);
}

func::FuncOp findKernel(ModuleOp parsed, const Contract &contract, unsigned typeRow) {
  for (const std::string &name : {contract.kernelName(typeRow), contract.name})
    if (auto kernel = parsed.lookupSymbol<func::FuncOp>(name))
      return kernel;
  return {};
}

/// Checks bind_c6, then names the argument.
static LogicalResult nameArgument(func::FuncOp kernel, unsigned index, StringRef name) {
  if (auto given = kernel.getArgAttrOfType<StringAttr>(index, AICoreDialect::kNameAttr); given && given != name)
    return kernel.emitOpError("[bind_c6] expects argument ")
           << index << " to be '" << name << "' of the contract, found '" << given.getValue() << "'";
  kernel.setArgAttr(index, AICoreDialect::kNameAttr, StringAttr::get(kernel.getContext(), name));
  return success();
}

static LogicalResult bindTensor(func::FuncOp kernel, unsigned index, const ContractTensor &tensor, unsigned typeRow) {
  Type type = kernel.getArgumentTypes()[index];
  auto memref = dyn_cast<MemRefType>(type);
  std::string element;
  if (memref)
    llvm::raw_string_ostream(element) << memref.getElementType();
  StringRef expected = ref(mlirTypeName(tensor.types[typeRow]));
  if (element != expected)
    return kernel.emitOpError("[bind_c4] expects argument ")
           << index << ", tensor '" << tensor.name << "' of type row '" << ref(elementTypeName(tensor.types[typeRow]))
           << "', to have elements of " << expected << ", found " << type;
  return nameArgument(kernel, index, tensor.name);
}

static LogicalResult bindAttribute(func::FuncOp kernel, unsigned index, const ContractAttribute &attribute) {
  MLIRContext *context = kernel.getContext();
  Type expected;
  switch (attribute.type) {
  case AttributeType::Float:
    expected = Float32Type::get(context);
    break;
  case AttributeType::Int:
    expected = IntegerType::get(context, 64);
    break;
  case AttributeType::Bool:
    expected = IntegerType::get(context, 1);
    break;
  case AttributeType::String:
  case AttributeType::ListFloat:
  case AttributeType::ListInt:
  case AttributeType::ListBool:
  case AttributeType::ListString:
    return kernel.emitOpError("[bind_c5] expects launch attributes to be float, int or bool; '")
           << attribute.name << "' is none of them";
  }
  Type type = kernel.getArgumentTypes()[index];
  if (type != expected)
    return kernel.emitOpError("[bind_c5] expects argument ")
           << index << ", attribute '" << attribute.name << "', to be " << expected << ", found " << type;
  return nameArgument(kernel, index, attribute.name);
}

/// The argument of the kernel to which an op stores, which may be a store or a copy out of L0C; null for any other op.
static BlockArgument storedTensor(Operation *store) {
  Value tensor;
  if (auto copy = dyn_cast<aicore::StoreOp>(store))
    tensor = copy.getDestination();
  else if (auto fixpipe = dyn_cast<aicore::FixpipeOp>(store))
    tensor = fixpipe.getDestination();
  else
    return {};
  for (Operation *view = tensor.getDefiningOp(); isa_and_nonnull<memref::SubViewOp, memref::ReinterpretCastOp>(view);
       view = tensor.getDefiningOp())
    tensor = view->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(tensor);
  auto kernel = store->getParentOfType<func::FuncOp>();
  return argument && argument.getOwner() == &kernel.front() ? argument : BlockArgument();
}

/// bind_c10. Otherwise only a device that checks each access would find the error, at run time.
static LogicalResult checkStores(func::FuncOp kernel, unsigned inputs) {
  LogicalResult result = success();
  kernel.walk([&](Operation *store) {
    BlockArgument argument = storedTensor(store);
    if (!argument || argument.getArgNumber() >= inputs)
      return;
    store->emitOpError("[bind_c10] expects an output of the contract to store to, found input '")
        << kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), AICoreDialect::kNameAttr).getValue() << "'";
    result = failure();
  });
  return result;
}

SmallVector<StringRef> outputsWithoutStore(func::FuncOp kernel, const Contract &contract) {
  llvm::SmallDenseSet<unsigned> stored;
  kernel.walk([&](Operation *store) {
    if (BlockArgument argument = storedTensor(store))
      stored.insert(argument.getArgNumber());
  });
  SmallVector<StringRef> names;
  for (auto [index, output] : llvm::enumerate(contract.outputs))
    if (!stored.contains(unsigned(contract.inputs.size() + index)))
      names.push_back(output.name);
  return names;
}

LogicalResult bindKernel(func::FuncOp kernel, const Contract &contract, unsigned typeRow) {
  std::vector<const ContractTensor *> tensors;
  for (const ContractTensor &tensor : contract.inputs)
    tensors.push_back(&tensor);
  for (const ContractTensor &tensor : contract.outputs)
    tensors.push_back(&tensor);
  std::vector<const ContractAttribute *> attributes;
  for (const ContractAttribute &attribute : contract.attributes)
    if (attribute.binding == Binding::Launch)
      attributes.push_back(&attribute);

  unsigned expected = unsigned(tensors.size() + attributes.size());
  if (kernel.getNumArguments() != expected) {
    std::string names;
    for (const ContractTensor *tensor : tensors)
      names += (names.empty() ? "" : ", ") + tensor->name;
    for (const ContractAttribute *attribute : attributes)
      names += ", " + attribute->name;
    return kernel.emitOpError("[bind_c3] expects ") << expected << (expected == 1 ? " argument" : " arguments")
                                                    << ", inputs, outputs, then launch attributes of the contract ("
                                                    << names << "), found " << kernel.getNumArguments();
  }
  for (auto [index, tensor] : llvm::enumerate(tensors))
    if (failed(bindTensor(kernel, unsigned(index), *tensor, typeRow)))
      return failure();
  for (auto [index, attribute] : llvm::enumerate(attributes))
    if (failed(bindAttribute(kernel, unsigned(tensors.size() + index), *attribute)))
      return failure();
  return checkStores(kernel, unsigned(contract.inputs.size()));
}

/// bind_c8.
static LogicalResult checkSizes(func::FuncOp tiling, const Contract &contract) {
  std::vector<std::string> names;
  for (const ContractTensor &tensor : contract.inputs)
    names.push_back(tensor.name);
  for (const ContractTensor &tensor : contract.outputs)
    names.push_back(tensor.name);
  for (unsigned index = 0; index < tiling.getNumArguments(); ++index) {
    auto size = tiling.getArgAttrOfType<aicore::SizeAttr>(index, AICoreDialect::kSizeAttr);
    if (!size || !size.getTensor())
      continue;
    std::string name = size.getTensor().getValue().str();
    if (llvm::is_contained(names, name))
      continue;
    std::string nearest = nearestName(name, names);
    InFlightDiagnostic error = tiling.emitOpError("[bind_c8] expects argument ")
                               << index << " to be a size of a tensor of the contract, found '" << name << "'";
    if (!nearest.empty())
      error << "; the nearest name is '" << nearest << "'";
    return failure();
  }
  return success();
}

func::FuncOp bindTilingFunction(func::FuncOp kernel, ModuleOp parsed, const Contract &contract) {
  if (!kernel->hasAttr(AICoreDialect::kPhaseAttr)) {
    kernel.emitOpError("[bind_c7] expects a kernel to say its phase: aicore.phase = #aicore.phase<placed>");
    return {};
  }
  auto reference = kernel->getAttrOfType<FlatSymbolRefAttr>(AICoreDialect::kTilingFunctionAttr);
  if (!reference) {
    kernel.emitOpError("[bind_c7] expects a kernel to name its tiling function: aicore.tiling_function = @")
        << contract.name << "_tiling";
    return {};
  }
  auto tiling = parsed.lookupSymbol<func::FuncOp>(reference.getAttr());
  if (!tiling || !tiling->hasAttr(AICoreDialect::kTilingAttr)) {
    kernel.emitOpError("[bind_c7] expects a tiling function of the body, found '@") << reference.getValue() << "'";
    return {};
  }
  return succeeded(checkSizes(tiling, contract)) ? tiling : func::FuncOp();
}

const ContractTensor *inputOf(const Contract &contract, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getArgNumber() < contract.inputs.size() ? &contract.inputs[argument.getArgNumber()]
                                                                      : nullptr;
}

} // namespace opc
