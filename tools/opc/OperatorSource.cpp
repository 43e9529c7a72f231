#include "tools/opc/OperatorSource.h"

#include "ops/contract/read/Reader.h"
#include "runtime/core/cache/KernelCache.h"
#include "runtime/core/launch/LaunchRows.h"
#include "runtime/core/launch/Presence.h"
#include "runtime/device/null/NullDevice.h"
#include "tools/opc/libraries/Libraries.h"

#include <algorithm>
#include <filesystem>

namespace opc::tool {

namespace fs = std::filesystem;

bool OperatorSource::openFolder(const std::string &path, Diagnostics &diagnostics) {
  folder = openOpFolder(path, diagnostics);
  if (!folder)
    return false;
  outline = folder->manifest;
  owned.push_back(path + "/manifest.json");
  for (const ManifestFile &file : outline.files)
    owned.push_back(path + "/" + file.path);
  return true;
}

bool OperatorSource::openContract(const std::string &path, Diagnostics &diagnostics) {
  contract = loadContract(path, diagnostics);
  std::optional<Manifest> found =
      contract ? compiler().createCacheCompiler()->outline(path, diagnostics) : std::nullopt;
  if (!found)
    return false;
  outline = std::move(*found);
  owned = {path, contract->filePath(contract->reference)};
  for (const ContractBody &body : contract->bodies)
    for (const std::string &file : body.files())
      owned.push_back(contract->filePath(file));
  if (!contract->schedule.empty())
    owned.push_back(contract->filePath(contract->schedule));
  return true;
}

/// Opens the entry that was used last; false without an error when the cache has no entry of that name.
bool OperatorSource::openEntry(const std::string &name, Diagnostics &diagnostics) {
  std::optional<CacheSettings> settings = settingsOf(cache, diagnostics);
  if (!settings || settings->path.empty())
    return false;
  disk.emplace(settings->path);
  std::vector<std::string> known;
  for (DiskEntry &entry : disk->list()) {
    known.push_back(entry.key.opType);
    if (entry.problem.empty() && (entry.key.opType == name || snakeCase(entry.key.opType) == name))
      ofTheName.push_back(std::move(entry));
  }
  for (const DiskEntry &entry : ofTheName) {
    DiskCache::Loaded loaded = disk->load(entry.key);
    if (loaded.found != DiskCache::Found::Yes)
      continue;
    outline = std::move(loaded.folder.manifest);
    return true;
  }
  if (std::string nearest = nearestName(name, known); !nearest.empty())
    diagnostics.error(Code::E0500, {},
                      "expects an op folder, a contract or an operator of the kernel cache, found '" + printable(name) +
                          "'",
                      {}, "did you mean '" + nearest + "'?");
  return false;
}

std::optional<OperatorSource> OperatorSource::open(const std::string &named, const CacheFlags &cache,
                                                   Diagnostics &diagnostics) {
  OperatorSource source;
  source.cache = cache;
  std::error_code error;
  bool opened = false;
  size_t before = diagnostics.errorCount();
  if (std::string inside = named + "/op_contract.yaml"; fs::is_directory(named, error) &&
                                                        !fs::exists(named + "/manifest.json", error) &&
                                                        fs::is_regular_file(inside, error))
    opened = source.openContract(inside, diagnostics);
  else if (std::string suffix = fs::path(named).extension().string();
           fs::is_regular_file(named, error) && (suffix == ".yaml" || suffix == ".yml"))
    opened = source.openContract(named, diagnostics);
  else if (!fs::exists(named, error) && named.find('/') == std::string::npos)
    opened = source.openEntry(named, diagnostics);
  // When nothing else matches, report the error of an invalid op folder.
  if (!opened && diagnostics.errorCount() == before)
    opened = source.openFolder(named, diagnostics);
  return opened ? std::optional(std::move(source)) : std::nullopt;
}

std::optional<OpFolder> OperatorSource::compiled(unsigned row, bool chosen, const std::vector<NamedValue> &attributes,
                                                 Diagnostics &diagnostics) const {
  std::optional<CacheSettings> settings = settingsOf(cache, diagnostics);
  if (!settings)
    return std::nullopt;
  KernelRequest request = requestFor(*contract, row, KernelRequest().target, "", attributes);
  if (chosen)
    addOutputTypes(request, *contract, row);
  registerKernelCompiler(compiler().createCacheCompiler());
  KernelCache kernels(*settings, createNullDevice());
  std::shared_ptr<Operator> op = kernels.get(request, contract->opType, diagnostics).op;
  if (!op)
    return std::nullopt;
  return OpFolder{op->path(), op->manifest(), op};
}

std::optional<OpFolder> OperatorSource::kept(unsigned row, Diagnostics &diagnostics) const {
  std::vector<std::string> types, formats;
  std::string text;
  for (const auto *tensors : {&outline.inputs, &outline.outputs})
    for (const ManifestTensor &tensor : *tensors) {
      formats.push_back(tensor.formats[row]);
      types.emplace_back(elementTypeName(tensor.types[row]));
      text += (text.empty() ? "" : ", ") + tensor.name + " " + types.back();
    }
  for (const DiskEntry &entry : ofTheName) {
    if (entry.key.types != types || entry.key.formats != formats)
      continue;
    DiskCache::Loaded loaded = disk->load(entry.key);
    if (loaded.found == DiskCache::Found::Yes)
      return std::move(loaded.folder);
  }
  diagnostics.error(Code::E0522, {}, "the kernel cache has no kernel of '" + outline.opType + "' for " + text, {},
                    "name the contract, and it is compiled");
  return std::nullopt;
}

std::optional<OpFolder> OperatorSource::folderFor(const std::vector<const Tensor *> &inputs,
                                                  std::optional<unsigned> wanted,
                                                  const std::vector<NamedValue> &attributes,
                                                  Diagnostics &diagnostics) const {
  if (folder)
    return folder;
  std::optional<unsigned> row = pickTypeRow(outline, inputs, wanted, diagnostics);
  if (!row)
    return std::nullopt;
  if (!contract)
    return kept(*row, diagnostics);
  std::vector<bool> isGiven;
  for (const Tensor *input : inputs)
    isGiven.push_back(input != nullptr);
  std::map<std::string, std::string> presence;
  if (!choosePresence(outline, isGiven, attributes, presence, diagnostics))
    return std::nullopt;
  std::vector<NamedValue> all = attributes;
  all.insert(all.end(), presence.begin(), presence.end());
  return compiled(*row, wanted.has_value(), all, diagnostics);
}

} // namespace opc::tool
