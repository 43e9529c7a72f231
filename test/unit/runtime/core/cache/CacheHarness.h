// A compiler for tests: its kernels are those of the conformance folder, its compiles are counted in a file that
// all processes share.

#ifndef OPC_TEST_UNIT_RUNTIME_CORE_CACHE_CACHEHARNESS_H
#define OPC_TEST_UNIT_RUNTIME_CORE_CACHE_CACHEHARNESS_H

#include "runtime/core/cache/KernelCache.h"
#include "test/unit/runtime/device/conformance/ConformanceFolder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

namespace opc::test {

/// Files of an op folder that all devices run.
inline std::vector<KernelFile> conformanceFiles() {
  ConformanceFolder folder;
  std::vector<KernelFile> files;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file()) {
      std::ifstream stream(entry.path(), std::ios::binary);
      files.push_back({entry.path().lexically_relative(folder.path()).string(),
                       std::string(std::istreambuf_iterator<char>(stream), {})});
    }
  return files;
}

class CountingCompiler : public KernelCompiler {
public:
  /// Compiles are counted in bytes of `log`; each takes `microseconds`.
  CountingCompiler(std::string log, unsigned microseconds)
      : log(std::move(log)), microseconds(microseconds), files(conformanceFiles()) {}

  std::optional<Manifest> outline(const std::string &, Diagnostics &) override { return conformanceManifest(); }
  std::optional<KernelKey> describe(const KernelRequest &request, Diagnostics &diagnostics) override {
    if (request.contract.empty()) {
      diagnostics.error(Code::E0600, {}, "no contract");
      return std::nullopt;
    }
    KernelKey key;
    key.opType = "AddRelu";
    key.types = request.types;
    key.formats = {"ND"};
    key.target = request.target;
    key.compiler = "test 1";
    key.schedule = "default";
    key.source = request.contract;
    key.attributes = request.attributes;
    return key;
  }
  std::vector<KernelFile> compile(const KernelRequest &request, Diagnostics &diagnostics) override {
    int fd = open(log.c_str(), O_WRONLY | O_APPEND | O_CREAT, 0666);
    EXPECT_EQ(write(fd, "c", 1), 1);
    close(fd);
    ++compiles;
    usleep(microseconds);
    if (request.body == "broken") {
      diagnostics.error(Code::E0302, {request.contract}, "the body is broken");
      return {};
    }
    std::vector<KernelFile> result = files;
    if (request.body == "large")
      for (KernelFile &file : result)
        if (file.path == "manifest.json")
          file.bytes += std::string(1 << 20, ' ');
    return result;
  }
  std::atomic<unsigned> compiles{0};

private:
  std::string log;
  unsigned microseconds;
  std::vector<KernelFile> files;
};

/// A folder for caches, gone with the object.
struct TemporaryFolder {
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "opc-cache-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

inline KernelRequest requestFor(const std::string &contract) {
  KernelRequest request;
  request.contract = contract;
  request.types = {"float32", "float32"};
  return request;
}

} // namespace opc::test

#endif // OPC_TEST_UNIT_RUNTIME_CORE_CACHE_CACHEHARNESS_H
