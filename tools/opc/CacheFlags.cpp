#include "tools/opc/CacheFlags.h"

#include "ops/contract/AttributeText.h"
#include "ops/contract/Places.h"
#include "tools/opc/Assignment.h"

#include <cstdio>

namespace opc::tool {

void addCacheFlags(Arguments &arguments, CacheFlags &flags) {
  arguments
      .option("--cache-path", flags.path,
              "folder of the cache (default ASCEND_CACHE_PATH, else the configuration, else ~/.cache/opc)")
      .typeName("DIR");
  arguments
      .option("--cache-setting", flags.settings,
              "setting of the cache, which overrides its variable and the configuration: kernels, bytes, launches, "
              "disable, disk_mb, remain_percent, log, trace")
      .typeName("NAME=VALUE")
      .oneEach();
}

std::optional<CacheSettings> settingsOf(const CacheFlags &flags, Diagnostics &diagnostics) {
  std::map<std::string, std::string> given;
  if (!flags.path.empty())
    given["path"] = flags.path;
  for (const auto &[name, value] : parseAttributes(flags.settings, diagnostics, "--cache-setting"))
    if (!given.emplace(name, value).second)
      diagnostics.error(Code::E0109, {}, "--cache-setting names '" + printable(name) + "' twice");
  return diagnostics.hasErrors() ? std::nullopt : readCacheSettings(given, diagnostics);
}

PackedStore packedStoreIn(const CacheSettings &settings) {
  return PackedStore(settings.path + "/packed/v1", uint64_t(settings.diskMegabytes) << 20);
}

std::optional<PackedStore> packedStore(Diagnostics &diagnostics) {
  const std::optional<CacheSettings> settings = readCacheSettings({}, diagnostics, /*needsPath=*/false);
  const bool isOn = settings && !settings->path.empty() && settings->diskMegabytes != 0;
  return isOn ? std::optional(packedStoreIn(*settings)) : std::nullopt;
}

KernelRequest requestFor(const Contract &contract, unsigned row, const std::string &target, const std::string &body,
                         const std::vector<NamedValue> &attributes) {
  KernelRequest request;
  request.contract = contract.path;
  request.target = target;
  request.body = body;
  for (const ContractTensor &input : writtenInputs(contract))
    request.types.push_back(std::string(elementTypeName(input.types[row])) +
                            (input.isPacked(row) ? ":" + std::string(formatOf(input.packedForm(row))) : std::string()));
  for (const auto &[name, text] : attributes)
    if (const ContractAttribute *attribute = contract.findAttribute(name);
        attribute && attribute->binding == Binding::Compile)
      request.attributes[name] = text;
  return request;
}

bool bindCompileAttributes(Contract &contract, const std::vector<NamedValue> &attributes, Diagnostics &diagnostics) {
  std::map<std::string, std::string> values;
  for (const auto &[name, text] : attributes)
    if (const ContractAttribute *attribute = contract.findAttribute(name);
        attribute && attribute->binding == Binding::Compile)
      values.emplace(name, text);
  return bindAttributes(contract, values, diagnostics);
}

void addOutputTypes(KernelRequest &request, const Contract &contract, unsigned row) {
  for (const ContractTensor &output : contract.outputs)
    request.types.emplace_back(elementTypeName(output.types[row]));
}

std::string byteText(uint64_t bytes) {
  char text[32];
  if (bytes < 10000)
    std::snprintf(text, sizeof text, "%llu B", static_cast<unsigned long long>(bytes));
  else if (bytes < 10'000'000)
    std::snprintf(text, sizeof text, "%.1f kB", double(bytes) / 1e3);
  else
    std::snprintf(text, sizeof text, "%.1f MB", double(bytes) / 1e6);
  return text;
}

} // namespace opc::tool
