#include "runtime/api/Weights.h"

#include "runtime/api/Error.h"
#include "runtime/api/Runtime.h"
#include "runtime/core/tensor/DLPack.h"
#include "runtime/core/tensor/PackedMatrix.h"

#include <algorithm>
#include <deque>
#include <mutex>

using namespace opc;
using namespace opc::api;

namespace opc::api {

/// Beyond the codes of DLPack.
static constexpr uint8_t kPackedCode = 224;

namespace {
/// The packed types of this process. A type is never removed, since descriptions and keys of launches have its number.
struct PackedTypes {
  std::mutex mutex;
  std::deque<PackedType> all;
};
} // namespace

static PackedTypes &packedTypes() {
  static PackedTypes types;
  return types;
}

std::optional<DLDataType> dataTypeOf(const PackedType &type) {
  auto isSame = [&](const PackedType &other) {
    return other.type == type.type && other.form == type.form && other.opType == type.opType &&
           other.input == type.input;
  };
  PackedTypes &types = packedTypes();
  std::lock_guard<std::mutex> lock(types.mutex);
  const auto found = std::find_if(types.all.begin(), types.all.end(), isSame);
  const auto number = size_t(found - types.all.begin()) + 1;
  if (number > UINT16_MAX)
    return std::nullopt;
  if (found == types.all.end())
    types.all.push_back(type);
  return DLDataType{kPackedCode, uint8_t(elementSize(type.type) * 8), uint16_t(number)};
}

std::optional<PackedType> packedTypeOf(DLDataType type) {
  if (type.code != kPackedCode)
    return std::nullopt;
  PackedTypes &types = packedTypes();
  std::lock_guard<std::mutex> lock(types.mutex);
  if (type.lanes == 0 || type.lanes > types.all.size())
    return std::nullopt;
  const PackedType &found = types.all[size_t(type.lanes) - 1];
  return type.bits == elementSize(found.type) * 8 ? std::optional(found) : std::nullopt;
}

} // namespace opc::api

/// Whether an operator has an input of this name; false after setting `status`.
static bool hasInput(const Manifest &manifest, const std::string &name, opc_status &status) {
  std::vector<std::string> names;
  for (const ManifestTensor &input : manifest.inputs)
    names.push_back(input.name);
  if (std::find(names.begin(), names.end(), name) != names.end())
    return true;
  std::string all;
  for (const std::string &each : names)
    all += (all.empty() ? "" : ", ") + printable(each);
  const std::string nearest = nearestName(name, names);
  status = fail(Code::E0521, "'" + printable(manifest.opType) + "' has no input '" + printable(name) + "'", {},
                nearest.empty() ? "one of: " + all : "did you mean '" + nearest + "'?");
  return false;
}

extern "C" opc_status opc_weight_open(const opc_operator *op, const char *input, const char *path,
                                      opc_weight **weight) {
  return guarded([&] {
    if (!op || !input || !path || !weight)
      return failNull(!op ? "op" : !input ? "input" : !path ? "path" : "weight");
    const Manifest &manifest = op->manifest();
    opc_status status = OPC_OK;
    if (!hasInput(manifest, input, status))
      return status;
    Diagnostics diagnostics;
    std::optional<Tensor> tensor = mapPacked(path, manifest.opType, input, diagnostics);
    if (!tensor)
      return fail(diagnostics, {manifest.opType, {}});
    const std::optional<DLDataType> type =
        dataTypeOf(PackedType{tensor->type(), manifest.opType, input, tensor->packedForm()});
    if (!type)
      return fail(Code::E0901, "more operators and inputs have packed weights than this process can tell apart");
    auto opened = std::make_unique<opc_weight>(opc_weight{std::move(*tensor), {}});
    opened->description = describe(opened->tensor);
    opened->description.dtype = *type;
    *weight = opened.release();
    return OPC_OK;
  });
}

extern "C" const DLTensor *opc_weight_tensor(const opc_weight *weight) {
  return weight ? &weight->description : nullptr;
}

extern "C" void opc_weight_close(opc_weight *weight) {
  delete weight;
}
