// Reads the arguments, tiling function and fields of a kernel, in the order in which a launch passes them.

#include "lowering/emit/kernel/KernelInterface.h"

#include "dialect/aicore/AICoreOps.h"
#include "runtime/target/toolkit/DeviceMacros.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace opc;
using aicore::AICoreDialect;

bool opc::isKernel(func::FuncOp function) {
  return function->hasAttr(AICoreDialect::kKernelAttr);
}

std::optional<size_t> KernelInterface::findField(StringRef fieldName) const {
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == fieldName)
      return i;
  return std::nullopt;
}

// A single walk for all fields: a module has dozens of kernels, and a kernel has dozens of fields.
FieldBounds opc::readFieldBounds(Operation *module) {
  FieldBounds bounded;
  module->walk([&](aicore::TilingDataOp read) {
    bool isBounded = read.getMost() && *read.getMost() <= int64_t(UINT32_MAX);
    auto [field, added] = bounded.try_emplace(read.getName(), isBounded);
    if (!added)
      field->second &= isBounded;
  });
  bounded["block_num"] = true;
  return bounded;
}

static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

static LogicalResult readArguments(func::FuncOp kernel, KernelInterface &interface) {
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto name = kernel.getArgAttrOfType<StringAttr>(index, AICoreDialect::kNameAttr);
    if (!name)
      return kernel.emitOpError("[emit_c2] expects each argument to have a name (aicore.name); argument ")
             << index << " has none";
    if (auto memref = dyn_cast<MemRefType>(type)) {
      std::optional<ElementType> element = aicore::elementTypeOf(memref.getElementType());
      if (!element)
        return kernel.emitOpError("[emit_c3] expects tensors of a number type, found ") << type;
      interface.tensors.push_back({name.str(), *element});
      continue;
    }
    if (!type.isF32() && !(type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64))
      return kernel.emitOpError("[emit_c3] expects a launch attribute of f32, of an integer type "
                                "or of i1, found '")
             << name.getValue() << "' of type " << type;
    interface.launchAttributes.push_back(name.str());
    interface.fields.push_back({name.str(), type.isF32() ? TilingField::Float32 : TilingField::UInt64});
  }
  return success();
}

static LogicalResult readTilingFunction(func::FuncOp kernel, const FieldBounds &bounded, KernelInterface &interface) {
  auto symbol = kernel->getAttrOfType<FlatSymbolRefAttr>(AICoreDialect::kTilingFunctionAttr);
  if (!symbol)
    return kernel.emitOpError("[emit_c4] expects a kernel to name its tiling function (aicore.tiling_function)");
  interface.tiling = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(kernel, symbol);
  if (!interface.tiling || !interface.tiling->hasAttr(AICoreDialect::kTilingAttr))
    return kernel.emitOpError("[emit_c4] expects a kernel to name a tiling function, found ") << symbol;

  std::vector<TilingField> results;
  for (unsigned i = 0; i < interface.tiling.getNumResults(); ++i) {
    auto name = interface.tiling.getResultAttrOfType<StringAttr>(i, AICoreDialect::kNameAttr);
    if (!name)
      return interface.tiling.emitOpError("[emit_c4] expects each result to have a name (aicore.name)");
    results.push_back({name.str(), bounded.lookup(name) ? TilingField::UInt32 : TilingField::UInt64});
  }
  interface.fields.insert(interface.fields.begin(), results.begin(), results.end());
  return success();
}

FailureOr<KernelInterface> opc::readKernelInterface(func::FuncOp kernel) {
  return readKernelInterface(kernel, readFieldBounds(kernel->getParentOp()));
}

FailureOr<KernelInterface> opc::readKernelInterface(func::FuncOp kernel, const FieldBounds &bounds) {
  auto phase = kernel->getAttrOfType<aicore::PhaseAttr>(AICoreDialect::kPhaseAttr);
  if (!phase || phase.getValue() != aicore::Phase::Synced)
    return kernel.emitOpError("[emit_c1] expects a kernel at phase 'synced', found ")
           << (phase ? aicore::stringifyPhase(phase.getValue()) : "none");

  KernelInterface interface;
  interface.name = kernel.getName().str();
  if (failed(readArguments(kernel, interface)) || failed(readTilingFunction(kernel, bounds, interface)))
    return failure();

  // Names are printed in C++, so only identifiers are allowed.
  llvm::StringSet<> tensors, fields;
  for (const KernelInterface::Tensor &tensor : interface.tensors)
    if (!isIdentifier(tensor.name))
      return kernel.emitOpError("[emit_c2] expects names that are identifiers, found \"") << tensor.name << "\"";
  for (const TilingField &field : interface.fields)
    if (!isIdentifier(field.name))
      return kernel.emitOpError("[emit_c2] expects names that are identifiers, found \"") << field.name << "\"";
  for (const TilingField &field : interface.fields)
    if (isBuildMacro(field.name))
      return kernel.emitOpError("[emit_c2] expects launch attributes and tiling data whose names do "
                                "not start as macros of a build (DTYPE_, ORIG_DTYPE_, FORMAT_), "
                                "found '")
             << field.name << "'";
  for (const KernelInterface::Tensor &tensor : interface.tensors)
    if (!tensors.insert(tensor.name).second)
      return kernel.emitOpError("[emit_c2] expects tensors of different names, found '") << tensor.name << "' twice";
  for (const TilingField &field : interface.fields)
    if (!fields.insert(field.name).second)
      return kernel.emitOpError("[emit_c2] expects launch attributes and tiling data of different names, found '")
             << field.name << "' twice";

  WalkResult known = kernel.walk([&](aicore::TilingDataOp read) {
    if (interface.findField(read.getName()))
      return WalkResult::advance();
    read.emitOpError("[emit_c4] expects a result of the tiling function '")
        << interface.tiling.getName() << "', found \"" << read.getName() << "\"";
    return WalkResult::interrupt();
  });
  if (known.wasInterrupted())
    return failure();
  return interface;
}
