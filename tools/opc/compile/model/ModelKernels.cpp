#include "tools/opc/compile/model/ModelKernels.h"

#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/device/cpu/CpuDevice.h"
#include "tools/opc/compile/model/ModelContracts.h"
#include "tools/opc/libraries/Libraries.h"

#include <cstring>

namespace opc::tool {

static CacheSettings withCompiler(CacheSettings settings) {
  registerKernelCompiler(compiler().createCacheCompiler());
  return settings;
}

ModelKernels::ModelKernels(CacheSettings settings)
    : cache(withCompiler(std::move(settings)), createCpuDevice(/*threads=*/1)) {
}

std::shared_ptr<Operator> ModelKernels::get(KernelRequest request, const std::string &label, Diagnostics &diagnostics) {
  request.contract = contractFile(request.contract);
  return cache.get(request, label, diagnostics).op;
}

std::optional<std::vector<std::string>> ModelKernels::run(const KernelCall &call) {
  Diagnostics ignored;
  std::shared_ptr<Operator> op = get(call.request, "constant", ignored);
  if (!op)
    return std::nullopt;
  std::vector<std::optional<TensorForm>> inputs;
  std::vector<std::optional<ElementType>> types;
  std::vector<Tensor> tensors;
  std::vector<void *> addresses;
  auto add = [&](const KernelCall::Operand &operand) {
    std::optional<Tensor> tensor = Tensor::create(operand.type, operand.shape);
    const bool isResult = operand.bytes.empty();
    if (!tensor || (!isResult && static_cast<size_t>(tensor->numBytes()) != operand.bytes.size()))
      return false;
    if (!isResult)
      std::memcpy(tensor->data(), operand.bytes.data(), operand.bytes.size());
    addresses.push_back(tensor->data());
    tensors.push_back(std::move(*tensor));
    return true;
  };
  for (const std::optional<KernelCall::Operand> &operand : call.operands) {
    inputs.push_back(operand ? std::optional(TensorForm{operand->type, operand->shape}) : std::nullopt);
    if (!operand)
      addresses.push_back(nullptr);
    else if (!add(*operand))
      return std::nullopt;
  }
  const size_t firstResult = tensors.size();
  for (const KernelCall::Operand &result : call.results) {
    types.emplace_back(result.type);
    if (!add(result))
      return std::nullopt;
  }
  std::shared_ptr<PreparedLaunch> launch = PreparedLaunch::create(op, inputs, call.attributes, ignored, types);
  bool same = launch && launch->outputs().size() == call.results.size();
  for (size_t i = 0; same && i < call.results.size(); ++i)
    same = launch->outputs()[i] == TensorForm{call.results[i].type, call.results[i].shape};
  if (!same || !launch->run(addresses.data(), ignored))
    return std::nullopt;
  std::vector<std::string> results;
  for (size_t i = firstResult; i < tensors.size(); ++i)
    results.emplace_back(static_cast<const char *>(tensors[i].data()), static_cast<size_t>(tensors[i].numBytes()));
  return results;
}

} // namespace opc::tool
