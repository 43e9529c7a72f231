#include "lowering/pipelines/CacheCompiler.h"

#include "lowering/cpu/CpuLevel.h"
#include "lowering/package/ContractManifest.h"
#include "lowering/pipelines/Compile.h"
#include "lowering/pipelines/operator/TestLevels.h"
#include "ops/contract/AttributeText.h"
#include "ops/contract/Places.h"
#include "ops/contract/read/Reader.h"
#include "ops/contract/write/Canonical.h"
#include "runtime/program/format/Sha256.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace opc {

namespace {
/// A loaded object: its build id, the names of the objects that it needs, and whether it holds this code.
struct LoadedObject {
  std::string buildId;
  std::vector<std::string> needs;
  bool isThis = false;
};
using LoadedObjects = std::map<std::string, LoadedObject>;
} // namespace

static std::string buildIdIn(const char *at, const char *end) {
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const char *description = at + sizeof note + (note.n_namesz + 3) / 4 * 4;
    if (note.n_type == NT_GNU_BUILD_ID && description + note.n_descsz <= end)
      return std::string(description, note.n_descsz);
    at = description + (note.n_descsz + 3) / 4 * 4;
  }
  return {};
}

static std::vector<std::string> needsIn(const ElfW(Dyn) * dynamic, ElfW(Addr) base) {
  ElfW(Addr) strings = 0;
  for (const ElfW(Dyn) *entry = dynamic; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB)
      strings = entry->d_un.d_ptr;
  // glibc's loader has replaced the offset in the file by an address.
  if (strings < base)
    strings += base;
  std::vector<std::string> needs;
  for (const ElfW(Dyn) *entry = dynamic; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED)
      needs.push_back(reinterpret_cast<const char *>(strings) + entry->d_un.d_val);
  return needs;
}

static int addObject(dl_phdr_info *info, size_t, void *data) {
  std::string name = info->dlpi_name;
  LoadedObject &object = (*static_cast<LoadedObjects *>(data))[name.substr(name.rfind('/') + 1)];
  const auto here = reinterpret_cast<ElfW(Addr)>(&addObject);
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[i];
    const ElfW(Addr) begin = info->dlpi_addr + segment.p_vaddr, end = begin + segment.p_memsz;
    if (segment.p_type == PT_LOAD)
      object.isThis |= here >= begin && here < end;
    else if (segment.p_type == PT_NOTE && object.buildId.empty())
      object.buildId = buildIdIn(reinterpret_cast<const char *>(begin), reinterpret_cast<const char *>(end));
    else if (segment.p_type == PT_DYNAMIC)
      object.needs = needsIn(reinterpret_cast<const ElfW(Dyn) *>(begin), info->dlpi_addr);
  }
  return 0;
}

/// The build ids of the object with this code and of the objects of opc, MLIR and LLVM that it needs, by name: the same
/// in every program that loads the compiler, independent of its other libraries.
static std::string buildIds() {
  LoadedObjects objects;
  dl_iterate_phdr(addObject, &objects);
  std::map<std::string, std::string> ids;
  std::vector<std::string> names;
  for (const auto &[name, object] : objects)
    if (object.isThis)
      names.push_back(name);
  while (!names.empty()) {
    std::string name = std::move(names.back());
    names.pop_back();
    auto object = objects.find(name);
    if (object == objects.end() || !ids.emplace(name, object->second.buildId).second)
      continue;
    for (const std::string &need : object->second.needs)
      if (need.find("libopc") == 0 || need.find("libMLIR") == 0 || need.find("libLLVM") == 0)
        names.push_back(need);
  }
  std::string text;
  for (const auto &[name, id] : ids)
    text += name + id;
  return text;
}

/// " for x86-64-v4" where a test leaves out some of the levels; empty otherwise.
static std::string levelsText() {
  const std::string levels = fewerLevels();
  return levels.empty() ? "" : " for " + levels;
}

const std::string &compilerBuild() {
  static const std::string build = "opc " OPC_VERSION " " + sha256(buildIds()).substr(0, 16) + levelsText();
  return build;
}

namespace {
/// Prints the value of an attribute as it appears in a key.
struct Printer {
  std::string operator()(std::monostate) const { return "none"; }
  std::string operator()(double number) const {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", number);
    return text;
  }
  std::string operator()(int64_t number) const { return std::to_string(number); }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(const std::string &text) const { return text; }
  template <typename T> std::string operator()(const std::vector<T> &list) const {
    std::string text = "[";
    for (const auto &element : list)
      text += (text.size() > 1 ? "," : "") + (*this)(T(element));
    return text + "]";
  }
};
} // namespace

static std::string valueText(const AttributeValue &value) {
  return std::visit(Printer(), value);
}

namespace {
/// A request that was checked against its contract.
struct Read {
  std::unique_ptr<Contract> contract; ///< attributes have the values of the request
  std::string contractHash;           ///< hash of the contract as it was written
  const ContractBody *body = nullptr;
  const Target *target = nullptr;
  unsigned row = 0;
};

class CacheCompiler : public KernelCompiler {
public:
  std::optional<Manifest> outline(const std::string &contract, Diagnostics &diagnostics) override;
  std::optional<KernelKey> describe(const KernelRequest &request, Diagnostics &diagnostics) override;
  std::vector<KernelFile> compile(const KernelRequest &request, Diagnostics &diagnostics) override;
};
} // namespace

static std::string rowText(const Contract &contract, unsigned row) {
  std::string text;
  for (const ContractTensor &input : contract.inputs)
    text += (text.empty() ? "" : ", ") + input.name + " " + std::string(elementTypeName(input.types[row]));
  return text;
}

/// The type as in a request (KernelRequest::types).
static std::string typeText(const ContractTensor &tensor, unsigned row) {
  return std::string(elementTypeName(tensor.types[row])) +
         (tensor.isPacked(row) ? ":" + std::string(formatOf(tensor.packedForm(row))) : std::string());
}

static std::optional<unsigned> findRow(const Contract &contract, const std::vector<std::string> &types,
                                       Diagnostics &diagnostics) {
  std::string rows, found;
  const std::vector<ContractTensor> &inputs = writtenInputs(contract);
  for (unsigned row = 0; row < contract.typeRows(); ++row) {
    bool same = types.size() == inputs.size() || types.size() == inputs.size() + contract.outputs.size();
    for (size_t i = 0; same && i < types.size(); ++i) {
      const ContractTensor &tensor = i < inputs.size() ? inputs[i] : contract.outputs[i - inputs.size()];
      same = types[i] == typeText(tensor, row) || (types[i].empty() && !tensor.required) || isAbsent(contract, tensor);
    }
    if (same)
      return row;
    rows += (rows.empty() ? "" : "; ") + rowText(contract, row);
  }
  for (const std::string &type : types)
    found += (found.empty() ? "" : ", ") + printable(type);
  diagnostics.error(Code::E0522, contract.location,
                    "'" + contract.opType + "' expects a row of its type table (" + rows + "): found " + found,
                    "launch_c5");
  return std::nullopt;
}

static std::optional<Read> readRequest(const KernelRequest &request, Diagnostics &diagnostics) {
  Read read;
  std::optional<Contract> contract = loadContract(request.contract, diagnostics);
  if (!contract)
    return std::nullopt;
  read.contract = std::make_unique<Contract>(std::move(*contract));
  read.contractHash = contractHash(*read.contract);
  if (!bindAttributes(*read.contract, request.attributes, diagnostics))
    return std::nullopt;
  read.target = findTarget(request.target);
  if (!read.target) {
    diagnostics.error(Code::E0106, {}, "expects a chip that is known, found '" + printable(request.target) + "'");
    return std::nullopt;
  }
  read.body = &read.contract->bodies.front();
  if (!request.body.empty()) {
    std::optional<BodyLevel> level = parseBodyLevel(request.body);
    read.body = level ? read.contract->findBody(*level) : nullptr;
  }
  if (!read.body) {
    diagnostics.error(Code::E0104, read.contract->location,
                      "'" + read.contract->opType + "' has no body at the level '" + printable(request.body) + "'");
    return std::nullopt;
  }
  std::optional<unsigned> row = findRow(*read.contract, request.types, diagnostics);
  if (!row)
    return std::nullopt;
  read.row = *row;
  return read;
}

/// The bytes of a file of the contract; empty after E0600 if it cannot be read.
static std::string bytesOf(const Contract &contract, const std::string &file, Diagnostics &diagnostics) {
  std::string path = contract.filePath(file);
  auto bytes = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (bytes)
    return (*bytes)->getBuffer().str();
  diagnostics.error(Code::E0600, {path}, "cannot read the file: " + bytes.getError().message());
  return {};
}

std::optional<Manifest> CacheCompiler::outline(const std::string &path, Diagnostics &diagnostics) {
  std::optional<Contract> contract = loadContract(path, diagnostics);
  if (!contract)
    return std::nullopt;
  // Kernels for any number of tensors, and with and without an input, belong to one operator here.
  const ContractTensor *counted = countedInput(*contract);
  auto attribute = std::find_if(contract->attributes.begin(), contract->attributes.end(),
                                [&](const ContractAttribute &each) { return counted && each.name == counted->count; });
  const AttributeValue count = counted ? attribute->defaultValue : AttributeValue();
  if (counted) {
    attribute->defaultValue = int64_t(*attribute->maximum);
    if (const std::string wrong = bindPlaces(*contract); !wrong.empty()) {
      diagnostics.error(Code::E0526, contract->location, wrong, "launch_c7");
      return std::nullopt;
    }
    attribute->defaultValue = count;
  }
  Manifest manifest;
  fillFromContract(*contract, {}, manifest);
  size_t number = 0;
  for (size_t i = 0; i < contract->inputs.size(); ++i) {
    const ContractTensor &input = contract->inputs[i];
    manifest.inputs[i].presence = input.presence;
    manifest.inputs[i].count = input.count;
    manifest.inputs[i].required = input.count.empty() ? !input.isOptional() : double(number++) < *attribute->minimum;
  }
  return manifest;
}

std::optional<KernelKey> CacheCompiler::describe(const KernelRequest &request, Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount();
  std::optional<Read> read = readRequest(request, diagnostics);
  if (!read)
    return std::nullopt;
  const Contract &contract = *read->contract;
  KernelKey key;
  key.opType = contract.opType;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors) {
      key.types.emplace_back(elementTypeName(tensor.types[read->row]));
      key.formats.push_back(tensor.formats[read->row]);
    }
  for (const ContractAttribute &attribute : contract.attributes)
    if (attribute.binding == Binding::Compile)
      key.attributes[attribute.name] = valueText(attribute.defaultValue);
  key.target = std::string(read->target->name());
  key.compiler = compilerBuild();
  key.schedule = contract.schedule.empty() ? "default" : sha256(bytesOf(contract, contract.schedule, diagnostics));
  key.source = sha256(read->contractHash + std::string(bodyLevelName(read->body->level)) +
                      sha256(bytesOf(contract, read->body->fileOf(read->row), diagnostics)));
  return diagnostics.errorCount() == before ? std::optional(key) : std::nullopt;
}

std::vector<KernelFile> CacheCompiler::compile(const KernelRequest &request, Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount();
  std::optional<Read> read = readRequest(request, diagnostics);
  if (!read)
    return {};
  CompileOptions options;
  options.target = read->target;
  options.body = read->body;
  options.typeRows = {read->row};
  options.keepObjects = true;
  CompileResult result = compileOperator(*read->contract, options, diagnostics);
  if (diagnostics.errorCount() != before)
    return {};
  std::vector<KernelFile> files;
  for (CompiledFile &file : result.files)
    files.push_back({std::move(file.path), std::move(file.bytes)});
  return files;
}

std::shared_ptr<KernelCompiler> createCacheCompiler() {
  return std::make_shared<CacheCompiler>();
}

extern "C" void opc_register_kernel_compiler() {
  registerKernelCompiler(createCacheCompiler());
}

} // namespace opc
