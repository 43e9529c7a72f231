// `opc warmup`: compiles into the kernel cache what a list or a recorded trace names, so that nobody
// waits for it later.
//
// A list is {"schema_version": 1, "kernels": [{"contract": "op_contract.yaml", "types": ["float16", "float16"],
// "target": "Ascend310B1", "body": "te", "attributes": {"axis": "1"}}]}; without "types" all rows of the contract are
// meant, without "attributes" their defaults. Paths are relative to the list. A trace is what OPC_CACHE_TRACE recorded.

#include "lowering/pipelines/CacheCompiler.h"
#include "ops/contract/read/Reader.h"
#include "runtime/core/File.h"
#include "runtime/core/cache/KernelCache.h"
#include "runtime/device/null/NullDevice.h"
#include "runtime/program/JsonText.h"
#include "tools/opc/CacheFlags.h"
#include "tools/opc/Command.h"

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

/// "[json.exception.type_error.302] type must be ..." without its first word.
static std::string reasonOf(const nlohmann::json::exception &error) {
  const std::string text = error.what();
  const size_t end = text.find("] ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

/// Whether it is a line of a trace; one line alone is JSON as a list is, and has 'kernels' as well.
static bool isLookup(const nlohmann::json &json) {
  return json.is_object() && json.contains("key") && json.contains("bytes");
}

/// Requests of a list; those without types stand for every row.
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
      // A key that is misspelt would ask for more than was meant: without types for all rows.
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
      // A level that is none is told with the requests.
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
    // A trace is a look-up to a line, and no JSON as a whole; its first line is.
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
  settings->trace.clear(); // what warms up is no use of its own
  registerKernelCompiler(createCacheCompiler());
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
  // A kernel that a full or read-only disk did not take was served from memory, which ends here.
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
  declaration.arguments.option("file", options->file, "list of kernels, or a trace that OPC_CACHE_TRACE recorded")
      .required()
      .typeName("FILE");
  addCacheFlags(declaration.arguments, options->cache);
  return [options](Context &context) { return execute(*options, context); };
}

const Command &warmupCommand() {
  static const Command command = {
      "warmup", "compile into the kernel cache before it is needed",
      "  opc warmup kernels.json\n"
      "  opc warmup trace.json --cache-path=/var/cache/opc\n"
      "kernels.json: {\"schema_version\": 1, \"kernels\": [{\"contract\": \"op_contract.yaml\", "
      "\"types\": [\"float16\", \"float16\"]}]}",
      declare};
  return command;
}

} // namespace opc::tool
