// `opc warmup`: compiles the kernels of a list or of a recorded trace into the kernel cache, so that later launches
// do not wait for them.
//
// A list is {"schema_version": 1, "kernels": [{"contract": "op_contract.yaml", "types": ["float16", "float16"],
// "target": "Ascend310B1", "body": "te", "attributes": {"axis": "1"}}]}; without "types" it means all rows of the
// contract, without "attributes" the defaults. Paths are relative to the list. OPC_CACHE_TRACE records traces.

#include "ops/contract/read/Reader.h"
#include "runtime/core/File.h"
#include "runtime/core/cache/KernelCache.h"
#include "runtime/device/null/NullDevice.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/CacheFlags.h"
#include "tools/opc/Command.h"
#include "tools/opc/libraries/Libraries.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

namespace opc::tool {

struct WarmupOptions {
  std::string file;
  CacheFlags cache;
};

static std::optional<std::vector<KernelRequest>> refuse(const std::string &file, const std::string &what,
                                                        Diagnostics &diagnostics, const std::string &nearest = {}) {
  diagnostics.error(Code::E0114, {file}, "expects a list of kernels: " + printable(what, 200), {},
                    nearest.empty() ? "'opc warmup --help' shows one" : "did you mean '" + nearest + "'?");
  return std::nullopt;
}

/// The message of an exception, "[json.exception.type_error.302] type must be ...", without its first word.
static std::string reasonOf(const nlohmann::json::exception &error) {
  const std::string text = error.what();
  const size_t end = text.find("] ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

/// Whether an object is a line of a trace. A trace of one line is valid JSON like a list, and also has a key 'kernels'.
static bool isLookup(const nlohmann::json &json) {
  return json.is_object() && json.contains("key") && json.contains("bytes");
}

/// The requests of a list; an item without types becomes a request for each row.
static std::optional<std::vector<KernelRequest>> readList(const nlohmann::json &json, const std::string &file,
                                                          Diagnostics &diagnostics) {
  std::vector<KernelRequest> requests;
  std::filesystem::path folder = std::filesystem::path(file).parent_path();
  try {
    if (json.at("schema_version").get<int>() != 1)
      return refuse(file, "'schema_version' is not 1", diagnostics);
    if (json.at("kernels").empty())
      return refuse(file, "it names none", diagnostics);
    for (const nlohmann::json &kernel : json.at("kernels")) {
      // Refuse misspelt keys: without "types" the item would mean all rows.
      static const std::vector<std::string> keys = {"contract", "types", "target", "body", "attributes"};
      for (const auto &[key, value] : kernel.items())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
          return refuse(file, "a kernel has no '" + key + "'", diagnostics, nearestName(key, keys));
      KernelRequest request;
      request.contract = (folder / kernel.at("contract").get<std::string>()).string();
      request.target = kernel.value("target", request.target);
      request.body = kernel.value("body", "");
      request.types = kernel.value("types", std::vector<std::string>());
      request.attributes = kernel.value("attributes", std::map<std::string, std::string>());
      if (!request.types.empty()) {
        requests.push_back(request);
        continue;
      }
      std::optional<Contract> contract = loadContract(request.contract, diagnostics);
      if (!contract)
        return std::nullopt;
      // Compiling the requests reports an invalid level.
      std::optional<BodyLevel> level = parseBodyLevel(request.body);
      const ContractBody *body = level ? contract->findBody(*level) : nullptr;
      for (unsigned row : contract->rowsOf(body ? *body : contract->bodies.front())) {
        requests.push_back(requestFor(*contract, row, request.target, request.body));
        requests.back().attributes = request.attributes;
      }
    }
  } catch (const nlohmann::json::exception &error) {
    return refuse(file, reasonOf(error), diagnostics);
  }
  return requests;
}

static std::optional<std::vector<KernelRequest>> readRequests(const std::string &file, Diagnostics &diagnostics) {
  std::optional<std::string> text = readFile(file, int64_t(1) << 30, diagnostics);
  if (!text)
    return std::nullopt;
  if (text->find_first_not_of(" \t\r\n") == std::string::npos)
    return refuse(file, "it names none", diagnostics);
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(*text);
  } catch (const nlohmann::json::exception &error) {
    // A trace has a JSON object on each line and is not JSON as a whole.
    nlohmann::json first = nlohmann::json::parse(text->substr(0, text->find('\n')), nullptr, false);
    if (!isLookup(first))
      return refuse(file, reasonOf(error), diagnostics);
  }
  if (!json.is_null() && !isLookup(json))
    return readList(json, file, diagnostics);
  std::optional<std::vector<LookupRecord>> trace = readTrace(file, diagnostics);
  if (!trace)
    return std::nullopt;
  std::vector<KernelRequest> requests;
  std::set<std::string> seen;
  for (const LookupRecord &lookup : *trace)
    if (!lookup.request.contract.empty() && seen.insert(lookup.hash).second)
      requests.push_back(lookup.request);
  if (requests.empty())
    return refuse(file, "it names none", diagnostics);
  return requests;
}

static ExitCode execute(const WarmupOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::optional<CacheSettings> settings = settingsOf(options.cache, diagnostics);
  std::optional<std::vector<KernelRequest>> requests =
      settings ? readRequests(options.file, diagnostics) : std::nullopt;
  if (!requests)
    return context.finish(diagnostics);
  settings->trace.clear(); // lookups of a warm-up are not recorded
  registerKernelCompiler(compiler().createCacheCompiler());
  KernelCache cache(*settings, createNullDevice());
  size_t compiled = 0, there = 0, failed = 0;
  std::set<std::string> wanted;
  for (const KernelRequest &request : *requests) {
    KernelCache::Result result =
        cache.get(request, std::filesystem::path(request.contract).stem().string(), diagnostics);
    if (result.op)
      wanted.insert(result.hash);
    ++(!result.op ? failed : result.from == KernelCache::From::Compiler ? compiled : there);
    if (context.json()) {
      nlohmann::ordered_json record = {{"schema_version", 1},
                                       {"contract", request.contract},
                                       {"types", request.types},
                                       {"result", !result.op                                   ? "failed"
                                                  : result.from == KernelCache::From::Compiler ? "compiled"
                                                                                               : "there"},
                                       {"reason", result.reason}};
      std::cout << writeJson(record) << '\n';
    }
  }
  // A kernel that could not be written to disk was served from memory, and is lost when this process ends.
  for (const DiskEntry &entry : cache.disk().list())
    if (entry.problem.empty())
      wanted.erase(entry.hash);
  if (!wanted.empty())
    diagnostics.error(Code::E0620, {},
                      "expects every kernel in '" + printablePath(cache.disk().folder()) +
                          "': " + std::to_string(wanted.size()) + " of them are not there",
                      {}, "name another folder by --cache-path, or allow it more by disk_mb");
  context.info(std::to_string(compiled) + " compiled, " + std::to_string(there) + " were there, " +
               std::to_string(failed) + " failed");
  return context.finish(diagnostics);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<WarmupOptions>();
  declaration.arguments.option("file", options->file, "list of kernels, or trace that OPC_CACHE_TRACE recorded")
      .required()
      .typeName("FILE");
  addCacheFlags(declaration.arguments, options->cache);
  return [options](Context &context) { return execute(*options, context); };
}

const Command &warmupCommand() {
  static const Command command = {
      "warmup", "compile kernels into the cache before they are needed",
      "  opc warmup kernels.json\n"
      "  opc warmup trace.json --cache-path=/var/cache/opc\n"
      "kernels.json: {\"schema_version\": 1, \"kernels\": [{\"contract\": \"op_contract.yaml\", "
      "\"types\": [\"float16\", \"float16\"]}]}",
      declare};
  return command;
}

} // namespace opc::tool
