// `opc cache`: the contents of the kernel cache, reasons of misses, and its recommended size.

#include "runtime/core/cache/Advice.h"
#include "runtime/core/cache/KernelCache.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/CacheFlags.h"
#include "tools/opc/Command.h"
#include "tools/opc/cache/CacheWhy.h"
#include "tools/opc/source/compiler/PrecompiledHeader.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>

namespace opc::tool {

using Json = nlohmann::ordered_json;

static void put(const Json &record) {
  std::cout << writeJson(record) << '\n';
}

/// Settings for commands that only read: a --cache-path that does not exist is E0104, not an empty cache.
static std::optional<CacheSettings> settingsToLook(const CacheFlags &flags, Diagnostics &diagnostics) {
  std::error_code error;
  if (!flags.path.empty() && !std::filesystem::is_directory(flags.path, error)) {
    diagnostics.error(Code::E0104, {},
                      "--cache-path expects the folder of a cache: '" + printablePath(flags.path) + "' is none", {},
                      "look at its spelling; 'opc bench' and 'opc warmup' make caches");
    return std::nullopt;
  }
  return settingsOf(flags, diagnostics);
}

/// The text after the cache's folder when the folder does not exist yet.
static const char *notMade(const DiskCache &disk) {
  std::error_code error;
  return std::filesystem::is_directory(disk.folder(), error) ? "" : ", not there yet";
}

// ---- stats ----

static ExitCode stats(const CacheFlags &flags, Context &context) {
  Diagnostics diagnostics;
  std::optional<CacheSettings> settings = settingsToLook(flags, diagnostics);
  if (!settings)
    return context.finish(diagnostics);
  DiskCache disk(settings->path);
  CacheCounters counters = readCounters(disk.folder());
  std::vector<CompileRecord> compiles = readCompileRecords(disk.folder());
  uint64_t bytes = 0;
  size_t entries = 0;
  for (const DiskEntry &entry : disk.list()) {
    bytes += entry.bytes;
    ++entries;
  }
  const PackedStore::Files packed = packedStoreIn(*settings).list();
  if (context.json()) {
    Json record = {{"schema_version", 1},
                   {"path", disk.folder()},
                   {"entries", entries},
                   {"bytes", bytes},
                   {"limit_bytes", uint64_t(settings->diskMegabytes) << 20},
                   {"packed_models", packed.files},
                   {"packed_bytes", packed.bytes},
                   {"lookups", counters.lookups()},
                   {"memory_hits", counters.memoryHits},
                   {"disk_hits", counters.diskHits},
                   {"compiles", counters.compiles},
                   {"failures", counters.failures},
                   {"damaged", counters.damaged},
                   {"purged", counters.purged},
                   {"unwritable", counters.unwritable},
                   {"hit_rate", counters.hitRate()}};
    Json settingRecords = Json::object();
    for (const auto &[name, origin] : settings->origins)
      settingRecords[name] = origin;
    record["settings_from"] = std::move(settingRecords);
    Json reasons = Json::array();
    for (const CompileRecord &compile : compiles)
      reasons.push_back({{"time", compile.time},
                         {"op", compile.opType},
                         {"key", compile.hash},
                         {"reason", compile.reason},
                         {"ms", compile.milliseconds}});
    record["compile_reasons"] = std::move(reasons);
    put(record);
    return context.finish(diagnostics);
  }
  std::printf("%-18s %s (%s)%s\n", "folder", disk.folder().c_str(), settings->origins.at("path").c_str(),
              notMade(disk));
  std::printf("%-18s %zu, %s of %zu MB\n", "entries", entries, byteText(bytes).c_str(), settings->diskMegabytes);
  if (packed.files)
    std::printf("%-18s %zu with packed constants, %s of %zu MB\n", "models", packed.files,
                byteText(packed.bytes).c_str(), settings->diskMegabytes);
  std::printf("%-18s %llu\n", "look-ups", static_cast<unsigned long long>(counters.lookups()));
  std::printf("%-18s %.1f %% (%llu from memory, %llu from disk)\n", "hit rate", counters.hitRate() * 100,
              static_cast<unsigned long long>(counters.memoryHits), static_cast<unsigned long long>(counters.diskHits));
  std::printf("%-18s %llu, %llu failed\n", "compiles", static_cast<unsigned long long>(counters.compiles),
              static_cast<unsigned long long>(counters.failures));
  std::printf("%-18s %llu damaged, %llu purged, %llu that could not be written\n", "entries lost",
              static_cast<unsigned long long>(counters.damaged), static_cast<unsigned long long>(counters.purged),
              static_cast<unsigned long long>(counters.unwritable));
  // The last compilations with their reasons.
  size_t first = compiles.size() > 10 ? compiles.size() - 10 : 0;
  for (size_t i = first; i < compiles.size(); ++i)
    std::printf("%-18s %s, %.0f ms: %s\n", i == first ? "last compiles" : "", compiles[i].opType.c_str(),
                compiles[i].milliseconds, compiles[i].reason.c_str());
  return context.finish(diagnostics);
}

// ---- list, verify, gc ----

static ExitCode list(const CacheFlags &flags, bool verify, Context &context) {
  Diagnostics diagnostics;
  std::optional<CacheSettings> settings = settingsToLook(flags, diagnostics);
  if (!settings)
    return context.finish(diagnostics);
  DiskCache disk(settings->path);
  size_t damaged = 0;
  std::vector<DiskEntry> entries = disk.list(verify);
  if (!context.json() && !entries.empty())
    std::printf("%-12s  %-20s %-28s %-12s %10s  %s\n", "key", "operator", "types", "chip", "size",
                verify ? "state" : "used");
  for (const DiskEntry &entry : entries) {
    // Another process has replaced the damaged entry meanwhile.
    if (verify && !entry.problem.empty() && !disk.isStillDamaged(entry.hash))
      continue;
    damaged += !entry.problem.empty();
    std::string types;
    for (const std::string &type : entry.key.types)
      types += (types.empty() ? "" : ",") + type;
    if (context.json()) {
      Json record = {{"schema_version", 1},      {"key", entry.hash},          {"op", entry.key.opType},
                     {"types", entry.key.types}, {"target", entry.key.target}, {"compiler", entry.key.compiler},
                     {"bytes", entry.bytes},     {"last_used", entry.lastUsed}};
      if (!entry.problem.empty())
        record["problem"] = entry.problem;
      put(record);
    } else {
      char used[32] = "";
      std::time_t time = std::time_t(entry.lastUsed);
      std::tm parts{};
      if (gmtime_r(&time, &parts))
        std::strftime(used, sizeof used, "%Y-%m-%d %H:%M:%S", &parts);
      std::string state = !entry.problem.empty() ? "DAMAGED: " + entry.problem : verify ? "whole" : std::string(used);
      std::printf("%-12.12s  %-20s %-28s %-12s %10s  %s\n", entry.hash.c_str(), printable(entry.key.opType).c_str(),
                  types.c_str(), entry.key.target.c_str(), byteText(entry.bytes).c_str(),
                  printable(state, 200).c_str());
    }
  }
  std::fflush(stdout);
  if (verify && damaged)
    diagnostics.error(Code::E0710, {},
                      std::to_string(damaged) + " of " + std::to_string(entries.size()) +
                          " entries are damaged and were set aside",
                      {}, "they are compiled again when they are needed");
  else
    context.info(std::to_string(entries.size()) + (entries.size() == 1 ? " entry" : " entries") +
                 (verify ? ", all whole" : "") + " in " + printablePath(disk.folder()) + notMade(disk));
  return context.finish(diagnostics);
}

static ExitCode collect(const CacheFlags &flags, bool all, Context &context) {
  Diagnostics diagnostics;
  std::optional<CacheSettings> settings = settingsToLook(flags, diagnostics);
  if (!settings)
    return context.finish(diagnostics);
  DiskCache disk(settings->path);
  DiskCache::Purged leftovers = disk.clearLeftovers();
  DiskCache::Purged purged =
      all ? disk.purge(0, 0) : disk.purge(uint64_t(settings->diskMegabytes) << 20, settings->remainPercent);
  const uint64_t headers = removePrecompiledHeaders(settings->path, all);
  const PackedStore::Files packed = packedStoreIn(*settings).purge(all ? 0 : uint64_t(settings->diskMegabytes) << 20);
  CacheCounters counters;
  counters.purged = purged.entries;
  if (purged.entries)
    addCounters(disk.folder(), counters);
  if (context.json())
    put({{"schema_version", 1},
         {"entries", purged.entries},
         {"bytes", purged.bytes},
         {"leftovers", leftovers.leftovers},
         {"header_bytes", headers},
         {"packed_bytes", packed.bytes}});
  context.info("removed " + std::to_string(purged.entries) + " entries of " + byteText(purged.bytes) + " and " +
               std::to_string(leftovers.leftovers) + " leftovers" +
               (headers ? ", and precompiled headers of " + byteText(headers) : "") +
               (packed.files
                    ? ", and packed constants of " + std::to_string(packed.files) + " models, " + byteText(packed.bytes)
                    : ""));
  return context.finish(diagnostics);
}

// ---- advise ----

static ExitCode advise(const std::string &trace, Context &context) {
  Diagnostics diagnostics;
  std::optional<std::vector<LookupRecord>> lookups = readTrace(trace, diagnostics);
  if (!lookups)
    return context.finish(diagnostics);
  if (lookups->empty()) {
    diagnostics.error(Code::E0114, {trace}, "expects look-ups of the kernel cache, found none", {},
                      "OPC_CACHE_TRACE=FILE records those of 'opc bench' and of opc_launch_once");
    return context.finish(diagnostics);
  }
  CacheAdvice advice = adviseCacheSize(*lookups);
  if (context.json()) {
    put({{"schema_version", 1},
         {"lookups", advice.lookups},
         {"keys", advice.keys},
         {"attainable_hit_rate", advice.attainable},
         {"entries", advice.entries},
         {"bytes", advice.bytes},
         {"kernels", advice.kernels},
         {"reached_hit_rate", advice.reached}});
  } else {
    std::printf("%zu look-ups of %zu kernel sets; at best %.1f %% hits\n", advice.lookups, advice.keys,
                advice.attainable * 100);
    if (advice.entries == 0) {
      std::printf("no kernel set was looked up twice: no size gives a hit\n");
    } else {
      std::printf("%zu %s of %s in memory: %.1f %% hits, 95 %% or more of the attainable hits\n", advice.entries,
                  advice.entries == 1 ? "entry" : "entries", byteText(advice.bytes).c_str(), advice.reached * 100);
      std::printf("OPC_CACHE_BYTES=%llu\n", static_cast<unsigned long long>(advice.bytes));
      if (advice.kernels)
        std::printf("ACLNN_KERNEL_CACHE_SIZE=%llu\n", static_cast<unsigned long long>(advice.kernels));
    }
  }
  return context.finish(diagnostics);
}

static Action declare(Declaration &declaration) {
  auto flags = std::make_shared<CacheFlags>();
  auto everything = std::make_shared<bool>(false);
  auto trace = std::make_shared<std::string>();

  Arguments statsApp = declaration.sub("stats", "show counters, the hit rate and the reasons of the last compilations",
                                       "  opc cache stats\n  opc cache stats --format=json\n");
  addCacheFlags(statsApp, *flags);
  declaration.on(statsApp, [flags](Context &context) { return stats(*flags, context); });

  declareWhy(declaration);

  Arguments listApp = declaration.sub("list", "list all entries, most recently used first", "  opc cache list\n");
  addCacheFlags(listApp, *flags);
  declaration.on(listApp, [flags](Context &context) { return list(*flags, false, context); });

  Arguments verifyApp = declaration.sub("verify", "check every file of every entry, and set damaged entries aside",
                                        "  opc cache verify\n");
  addCacheFlags(verifyApp, *flags);
  declaration.on(verifyApp, [flags](Context &context) { return list(*flags, true, context); });

  Arguments gcApp = declaration.sub("gc", "remove leftovers, and the least recently used entries that exceed the limit",
                                    "  opc cache gc\n  opc cache gc --all\n");
  gcApp.flag("--all", *everything, "remove every entry that is not in use");
  addCacheFlags(gcApp, *flags);
  declaration.on(gcApp, [flags, everything](Context &context) { return collect(*flags, *everything, context); });

  Arguments adviseApp = declaration.sub("advise", "compute the cache size that reaches 95 % of the attainable hit rate",
                                        "  opc cache advise trace.json\n");
  adviseApp.option("trace", *trace, "trace of look-ups that OPC_CACHE_TRACE recorded").required().typeName("FILE");
  declaration.on(adviseApp, [trace](Context &context) { return advise(*trace, context); });
  return {};
}

const Command &cacheCommand() {
  static const Command command = {"cache", "inspect and maintain the kernel cache",
                                  "  opc cache stats\n  opc cache verify\n", declare};
  return command;
}

} // namespace opc::tool
