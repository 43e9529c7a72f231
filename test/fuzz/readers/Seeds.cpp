// A seed corpus from what the compiler wrote: manifests, simulator programs, tiling functions, package.json, ops-info
// and operator JSON of a package, its contracts; headers of .npy files and of packed weights.
//
//   fuzz_seeds <package> <output>     folders <output>/<reader>

#include "runtime/core/tensor/Npy.h"
#include "runtime/program/Manifest.h"
#include "runtime/program/model/PackedWeight.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;
using namespace opc;

static void write(const fs::path &file, const std::string &bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

static std::string read(const fs::path &file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: fuzz_seeds <package> <output>\n");
    return 2;
  }
  fs::path output = argv[2];
  size_t number = 0;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(argv[1])) {
    fs::path path = entry.path();
    std::string name = path.filename().string(), each = std::to_string(number++) + "_" + name;
    if (path.extension() == ".opcsim")
      write(output / "program" / each, read(path));
    else if (path.extension() == ".opcplan")
      write(output / "plan" / each, read(path));
    else if (path.extension() == ".opckernels")
      write(output / "kernels" / each, read(path));
    else if (name == "model.json")
      write(output / "model" / each, read(path));
    else if (name == "package.json")
      write(output / "package" / each, read(path));
    else if (name == "op_contract.yaml")
      write(output / "contract" / each, read(path));
    else if (name == "op.json")
      write(output / "proto" / each, read(path));
    else if (name == "aic-ascend310b-ops-info.json")
      write(output / "opsinfo" / each, read(path));
    if (name != "manifest.json")
      continue;
    std::string text = read(path);
    write(output / "manifest" / each, text);
    Manifest manifest;
    if (!readManifest(text, manifest).empty())
      return 1;
    for (const auto *kernels : {&manifest.kernels, &manifest.cpuKernels})
      for (const ManifestKernel &kernel : *kernels) {
        std::vector<uint8_t> bytes = writeTiling(kernel.tiling);
        write(output / "tiling" / (std::to_string(number++) + "_" + kernel.name),
              std::string(bytes.begin(), bytes.end()));
      }
  }
  for (const Shape &shape : {Shape{}, Shape{3}, Shape{2, 0, 5}, Shape{1, 2, 3, 4, 5, 6, 7, 8}})
    for (ElementType type : {ElementType::Float16, ElementType::BFloat16, ElementType::Bool})
      write(output / "npy" / std::to_string(number++), npyHeader(type, shape));
  for (const Shape &shape : {Shape{0, 7}, Shape{4096, 896}, Shape{896, 248320}, Shape{12, 2, 64, 128}}) {
    const std::vector<uint8_t> bytes = writePackedHeader({"Linear", "b", ElementType::Float16, shape, /*checksum=*/1});
    write(output / "packed" / std::to_string(number++), std::string(bytes.begin(), bytes.end()));
  }
  return number < 20;
}
