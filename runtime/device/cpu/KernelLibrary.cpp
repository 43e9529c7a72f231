#include "runtime/device/cpu/KernelLibrary.h"

#include "runtime/device/cpu/LibraryFile.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace opc {

namespace {

/// The segments of a loaded library.
struct Extent {
  uintptr_t base = 0;
  std::vector<ElfW(Phdr)> segments;

  bool holds(const void *pointer, uint64_t length, bool code) const {
    for (const ElfW(Phdr) &segment : segments) {
      uintptr_t start = base + segment.p_vaddr, address = reinterpret_cast<uintptr_t>(pointer);
      bool kind = !code || (segment.p_flags & PF_X);
      if (kind && address >= start && address - start <= segment.p_memsz &&
          length <= segment.p_memsz - (address - start))
        return true;
    }
    return false;
  }
  template <typename T> bool holdsArray(const T *pointer, uint64_t count) const {
    bool aligned = reinterpret_cast<uintptr_t>(pointer) % alignof(T) == 0;
    return aligned && count <= (uint64_t(1) << 20) && holds(pointer, count * sizeof(T), false);
  }
  bool holdsText(const char *text) const {
    for (uint64_t length = 0; length < 4096; ++length) {
      if (!holds(text, length + 1, false))
        return false;
      if (text[length] == '\0')
        return true;
    }
    return false;
  }
};

} // namespace

static Extent extentOf(void *handle) {
  Extent extent;
  struct link_map *map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void *>(&map)) != 0)
    return extent;
  extent.base = map->l_addr;
  dl_iterate_phdr(
      [](struct dl_phdr_info *info, size_t, void *data) {
        auto *extent = static_cast<Extent *>(data);
        if (info->dlpi_addr != extent->base)
          return 0;
        for (unsigned i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_LOAD)
            extent->segments.push_back(info->dlpi_phdr[i]);
        return 1;
      },
      &extent);
  return extent;
}

// Why a level is refused, empty when all its pointers point into the library.
static std::string checkLevel(const opc_kernel_level &level, const Extent &extent) {
  if (!extent.holdsText(level.cpu_level) || !extent.holdsArray(level.entries, level.entry_count))
    return "a level leads out of the library";
  for (uint64_t i = 0; i < level.entry_count; ++i) {
    const opc_kernel_entry &entry = level.entries[i];
    bool inside = extent.holdsText(entry.name) && extent.holds(entry.tiling_code, entry.tiling_size, false) &&
                  extent.holds(reinterpret_cast<const void *>(entry.function), 1, true);
    if (!inside)
      return "entry " + std::to_string(i) + " leads out of the library";
  }
  return {};
}

static std::string checkTable(const opc_kernel_library *table, const Extent &extent) {
  if (!extent.holdsArray(table, 1) || !extent.holdsText(table->op_type) || table->level_count == 0 ||
      !extent.holdsArray(table->levels, table->level_count))
    return "its table leads out of the library";
  for (uint32_t i = 0; i < table->level_count; ++i)
    if (std::string reason = checkLevel(table->levels[i], extent); !reason.empty())
      return reason;
  return {};
}

bool cpuHasLevel(std::string_view level) {
#if defined(__x86_64__)
  if (level == "x86-64-v3")
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("sse4.2");
  if (level == "x86-64-v4")
    return cpuHasLevel("x86-64-v3") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  if (level == "x86-64-v3-vnni")
    return cpuHasLevel("x86-64-v3") && __builtin_cpu_supports("avxvnni");
  if (level == "x86-64-v4-vnni")
    return cpuHasLevel("x86-64-v4") && __builtin_cpu_supports("avx512vnni");
#elif defined(__aarch64__)
  // NEON is part of the architecture.
  if (level == "aarch64")
    return true;
#endif
  return false;
}

static bool readWhole(const std::string &path, std::vector<unsigned char> &bytes) {
  constexpr off_t kLargest = off_t(1) << 30;
  // O_NONBLOCK: opening a pipe without a writer must not hang.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status{};
  size_t done = 0;
  if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= kLargest)
    bytes.resize(size_t(status.st_size));
  while (done < bytes.size()) {
    ssize_t count = read(fd, bytes.data() + done, bytes.size() - done);
    if (count == 0 || (count < 0 && errno != EINTR))
      break;
    done += count > 0 ? size_t(count) : 0;
  }
  if (fd >= 0)
    close(fd);
  return done > 0 && done == bytes.size();
}

static std::shared_ptr<KernelLibrary> refuse(const std::string &path, Code code, const std::string &message,
                                             const std::string &rule, Diagnostics &diagnostics) {
  diagnostics.error(code, {path, 0, 0}, message, rule, "compile the operator again");
  return nullptr;
}

namespace {

/// A checked and loaded file.
struct LoadedFile {
  std::shared_ptr<void> handle; ///< null after an error
  Extent extent;

  /// A function of the file; null when it has none of that name.
  void *function(const char *name) const {
    void *symbol = dlsym(handle.get(), name);
    return symbol && extent.holds(symbol, 1, true) ? symbol : nullptr;
  }
};

} // namespace

/// Loads a file that exports only `symbol`.
static LoadedFile loadFile(const std::string &path, const char *symbol, Diagnostics &diagnostics) {
  LoadedFile file;
  std::vector<unsigned char> bytes;
  if (!readWhole(path, bytes)) {
    refuse(path, Code::E0600, "expects a kernel library, a regular file that can be read", "", diagnostics);
    return file;
  }
  if (LibraryFileCheck check = checkLibraryFile(bytes.data(), bytes.size(), symbol); !check.rule.empty()) {
    refuse(path, Code::E0590, "expects a kernel library: " + check.reason, check.rule, diagnostics);
    return file;
  }
  // dlopen searches system folders for a name without a slash.
  std::string name = path.find('/') == std::string::npos ? "./" + path : path;
  void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    refuse(path, Code::E0590, "expects a kernel library: " + printable(reason ? reason : "it cannot be loaded", 200),
           "", diagnostics);
    return file;
  }
  file.handle = {handle, [](void *handle) { dlclose(handle); }};
  file.extent = extentOf(handle);
  return file;
}

/// The table that a query returns; null after reporting the reason if there is none.
static const opc_kernel_library *tableOf(opc_kernel_library_query_function query, const Extent &extent,
                                         const std::string &path, Diagnostics &diagnostics) {
  const opc_kernel_library *table = query(OPC_KERNEL_LIBRARY_VERSION);
  const std::string version = std::to_string(OPC_KERNEL_LIBRARY_VERSION);
  if (!table)
    refuse(path, Code::E0591, "expects a kernel library of version " + version + " or older, found a newer one", "",
           diagnostics);
  else if (!extent.holdsArray(table, 1) || table->version != OPC_KERNEL_LIBRARY_VERSION)
    refuse(path, Code::E0591, "expects a kernel library of version " + version, "", diagnostics);
  else if (std::string reason = checkTable(table, extent); !reason.empty())
    refuse(path, Code::E0590, "expects a kernel library: " + reason, "library_c5", diagnostics);
  else
    return table;
  return nullptr;
}

/// The best level of this machine; null after reporting that it has none.
static const opc_kernel_level *levelOf(const opc_kernel_library &table, const std::string &path,
                                       Diagnostics &diagnostics) {
  const opc_kernel_level *chosen = nullptr;
  std::string lacked;
  for (uint32_t i = 0; i < table.level_count; ++i) {
    const opc_kernel_level &level = table.levels[i];
    if (cpuHasLevel(level.cpu_level))
      chosen = &level;
    lacked += (lacked.empty() ? "" : " or ") + printable(level.cpu_level);
  }
  if (!chosen)
    diagnostics.error(Code::E0593, {path, 0, 0}, "expects a machine of level " + lacked + ", found one that lacks it",
                      "", "use --device=sim");
  return chosen;
}

std::shared_ptr<KernelLibrary> KernelLibrary::open(const std::string &path, Diagnostics &diagnostics) {
  const LoadedFile file = loadFile(path, OPC_KERNEL_LIBRARY_QUERY, diagnostics);
  if (!file.handle)
    return nullptr;
  void *symbol = file.function(OPC_KERNEL_LIBRARY_QUERY);
  if (!symbol)
    return refuse(path, Code::E0590, "expects a kernel library: it has no function '" OPC_KERNEL_LIBRARY_QUERY "'",
                  "library_c5", diagnostics);
  std::shared_ptr<KernelLibrary> result(new KernelLibrary(file.handle));
  result->library =
      tableOf(reinterpret_cast<opc_kernel_library_query_function>(symbol), file.extent, path, diagnostics);
  result->chosen = result->library ? levelOf(*result->library, path, diagnostics) : nullptr;
  return result->chosen ? result : nullptr;
}

std::shared_ptr<KernelBundle> KernelBundle::open(const std::string &path, Diagnostics &diagnostics) {
  const LoadedFile file = loadFile(path, OPC_KERNEL_BUNDLE_QUERY, diagnostics);
  if (!file.handle)
    return nullptr;
  auto no = [&](Code code, const std::string &message, const char *rule) {
    refuse(path, code, message, rule, diagnostics);
    return nullptr;
  };
  void *symbol = file.function(OPC_KERNEL_BUNDLE_QUERY);
  if (!symbol)
    return no(Code::E0590, "expects a kernel library: it has no function '" OPC_KERNEL_BUNDLE_QUERY "'", "library_c5");
  const opc_kernel_bundle *table =
      reinterpret_cast<opc_kernel_bundle_query_function>(symbol)(OPC_KERNEL_LIBRARY_VERSION);
  if (!table || !file.extent.holdsArray(table, 1) || table->version != OPC_KERNEL_LIBRARY_VERSION)
    return no(Code::E0591, "expects a kernel library of version " + std::to_string(OPC_KERNEL_LIBRARY_VERSION), "");
  if (!file.extent.holdsArray(table->libraries, table->library_count))
    return no(Code::E0590, "expects a kernel library: its table leads out of the library", "library_c5");
  auto bundle = std::make_shared<KernelBundle>();
  for (uint32_t i = 0; i < table->library_count; ++i) {
    bundle->libraries.push_back(nullptr);
    opc_kernel_library_query_function query = table->libraries[i];
    if (!query)
      continue;
    if (!file.extent.holds(reinterpret_cast<const void *>(query), 1, true))
      return no(Code::E0590, "expects a kernel library: its table leads out of the library", "library_c5");
    std::shared_ptr<KernelLibrary> &library = bundle->libraries.back();
    library.reset(new KernelLibrary(file.handle));
    library->library = tableOf(query, file.extent, path, diagnostics);
    library->chosen = library->library ? levelOf(*library->library, path, diagnostics) : nullptr;
    if (!library->chosen)
      return nullptr;
  }
  return bundle;
}

const opc_kernel_entry *KernelLibrary::find(std::string_view name) const {
  for (uint64_t i = 0; i < chosen->entry_count; ++i)
    if (chosen->entries[i].name == name)
      return &chosen->entries[i];
  return nullptr;
}

} // namespace opc
