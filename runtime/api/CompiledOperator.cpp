// Operators that the C interface opens as contracts: their kernels come from the kernel cache or, on a miss, from
// the compiler.
//
//   launch with new shapes   types and attributes -> key found before -> in memory?   the usual case
//                                                 -> contract read, key -> disk -> compiler
//
// This library does not link the compiler. A compiler that is linked into the process registers itself; otherwise
// opening the first contract loads the compiler's library from the folder of this library. A board has no compiler:
// it can open op folders, but not contracts.

#include "runtime/api/Runtime.h"
#include "runtime/core/launch/LaunchRows.h"
#include "runtime/core/launch/Presence.h"

#include <dlfcn.h>
#include <iostream>

namespace opc::api {

/// The compiler's library, in the folder of this library, and the function that it exports.
static constexpr char kCompilerLibrary[] = "libopc_pipelines.so";
static constexpr char kRegister[] = "opc_register_kernel_compiler";

static std::shared_ptr<KernelCompiler> findCompiler() {
  static std::once_flag looked;
  if (!kernelCompiler())
    std::call_once(looked, [] {
      Dl_info here;
      if (!dladdr(reinterpret_cast<const void *>(&kCompilerLibrary), &here) || !here.dli_fname)
        return;
      std::string path = here.dli_fname;
      path = path.substr(0, path.rfind('/') + 1) + kCompilerLibrary;
      void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (void *symbol = library ? dlsym(library, kRegister) : nullptr)
        reinterpret_cast<void (*)()>(symbol)();
    });
  return kernelCompiler();
}

std::unique_ptr<CompiledOperator> CompiledOperator::create(std::shared_ptr<RuntimeState> state,
                                                           const std::string &contract, Diagnostics &diagnostics) {
  std::shared_ptr<KernelCompiler> compiler = findCompiler();
  if (!compiler) {
    diagnostics.error(Code::E0621, {contract}, "expects a compiler that reads the contract, and none is registered", {},
                      "open a folder that 'opc compile' wrote");
    return nullptr;
  }
  if (state->settings.path.empty()) {
    diagnostics.error(Code::E0113, {}, "setting 'path' expects a folder, and there is no HOME", {},
                      "set ASCEND_CACHE_PATH");
    return nullptr;
  }
  std::optional<Manifest> outline = compiler->outline(contract, diagnostics);
  if (!outline)
    return nullptr;
  std::unique_ptr<CompiledOperator> op(new CompiledOperator());
  op->state = std::move(state);
  op->contract = contract;
  op->contractOutline = std::move(*outline);
  return op;
}

std::optional<KernelRequest> CompiledOperator::requestFor(const std::vector<std::optional<TensorForm>> &inputs,
                                                          const std::vector<NamedValue> &attributes,
                                                          const std::vector<std::optional<ElementType>> &outputTypes,
                                                          Diagnostics &diagnostics) const {
  // The list may omit the last tensors of an input with a count.
  const std::vector<ManifestTensor> &all = contractOutline.inputs;
  size_t least = all.size();
  while (least > 0 && !all[least - 1].count.empty() && !all[least - 1].required)
    --least;
  if (inputs.size() < least || inputs.size() > all.size()) {
    diagnostics.error(Code::E0529, {},
                      "'" + printable(contractOutline.opType) + "' expects " +
                          (least == all.size() ? "" : std::to_string(least) + " to ") + std::to_string(all.size()) +
                          " inputs, found " + std::to_string(inputs.size()));
    return std::nullopt;
  }
  std::vector<std::optional<Tensor>> tensors;
  std::vector<const Tensor *> given;
  for (const std::optional<TensorForm> &form : inputs)
    tensors.push_back(form ? Tensor::overPacked(form->type, {0, 0}, form->packed, nullptr) : std::nullopt);
  for (const std::optional<Tensor> &tensor : tensors)
    given.push_back(tensor ? &*tensor : nullptr);
  given.resize(all.size());
  std::optional<unsigned> named = rowOfOutputs(contractOutline, given, outputTypes);
  std::optional<unsigned> row = pickTypeRow(contractOutline, given, named, diagnostics);
  if (!row)
    return std::nullopt;
  KernelRequest request;
  request.contract = contract;
  request.target = state->chip;
  // One type for all tensors of an input with a count.
  for (size_t i = 0; i < all.size(); ++i)
    if (i == 0 || all[i].count.empty() || all[i - 1].count.empty())
      request.types.push_back(
          std::string(elementTypeName(all[i].types[*row])) +
          (all[i].isPacked(*row) ? ":" + std::string(formatOf(all[i].packedForm(*row))) : std::string()));
  if (named)
    for (const ManifestTensor &output : contractOutline.outputs)
      request.types.emplace_back(elementTypeName(output.types[*row]));
  for (const auto &[name, text] : attributes)
    for (const ManifestAttribute &attribute : contractOutline.attributes)
      if (attribute.name == name && attribute.bind == ManifestAttribute::Compile)
        request.attributes[name] = text;
  std::vector<bool> isGiven;
  for (const std::optional<TensorForm> &form : inputs)
    isGiven.push_back(form.has_value());
  if (!choosePresence(contractOutline, isGiven, attributes, request.attributes, diagnostics))
    return std::nullopt;
  return request;
}

std::shared_ptr<Operator> CompiledOperator::find(const std::vector<std::optional<TensorForm>> &inputs,
                                                 const std::vector<NamedValue> &attributes,
                                                 const std::vector<std::optional<ElementType>> &outputTypes,
                                                 Diagnostics &diagnostics) {
  std::optional<KernelRequest> request = requestFor(inputs, attributes, outputTypes, diagnostics);
  if (!request)
    return nullptr;
  const Shape *first = inputs.empty() || !inputs.front() ? nullptr : &inputs.front()->shape;
  std::string label = launchLabel(contractOutline.opType, first), hash;
  std::pair key(request->types, request->attributes);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto known = hashes.find(key); known != hashes.end())
      hash = known->second;
  }
  if (!hash.empty())
    if (std::shared_ptr<Operator> kept = state->kernels->findKept(hash, *request, label))
      return kept;
  KernelCache::Result found = state->kernels->get(*request, label, diagnostics);
  if (state->settings.logWarnings)
    for (const Diagnostic &diagnostic : diagnostics.all())
      if (diagnostic.severity == Severity::Warning)
        printText(std::cerr, diagnostic);
  std::lock_guard<std::mutex> lock(mutex);
  if (found.op)
    hashes[key] = found.hash;
  if (found.op && found.from == KernelCache::From::Compiler)
    reasons.push_back(found.reason);
  return found.op;
}

size_t CompiledOperator::numCompiles() const {
  std::lock_guard<std::mutex> lock(mutex);
  return reasons.size();
}

const std::string *CompiledOperator::compileReason(size_t index) const {
  std::lock_guard<std::mutex> lock(mutex);
  return index < reasons.size() ? &reasons[index] : nullptr;
}

} // namespace opc::api
