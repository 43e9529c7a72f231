#include "test/unit/runtime/device/conformance/ConformanceFolder.h"

#include "runtime/program/format/Sha256.h"
#include "test/unit/runtime/device/sim/AddReluProgram.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdlib.h>

namespace fs = std::filesystem;

namespace opc::test {

const char *conformanceLibrary() {
  return OPC_CONFORMANCE_LIBRARY;
}

TilingFunction conformanceTiling() {
  TilingFunction function;
  function.inputs = {{TilingInput::NumElements, 0, 0}, {TilingInput::MaxBlocks, 0, 0}};
  function.numRegisters = 8;
  function.code = {{ScalarOp::Const, 2, 0, 0, 1024}, {ScalarOp::CeilDiv, 3, 0, 2, 0}, {ScalarOp::Min, 4, 3, 1, 0},
                   {ScalarOp::Const, 5, 0, 0, 1},    {ScalarOp::Max, 6, 4, 5, 0},     {ScalarOp::CeilDiv, 7, 0, 6, 0}};
  function.outputs = {{{"block_num", TilingField::UInt64}, 6},
                      {{"tile_length", TilingField::UInt64}, 2},
                      {{"block_length", TilingField::UInt64}, 7},
                      {{"total", TilingField::UInt64}, 0}};
  return function;
}

Manifest conformanceManifest() {
  Manifest manifest;
  manifest.opType = "AddRelu";
  manifest.name = "add_relu";
  manifest.version = "1.0.0";
  manifest.compiler = "opc test";
  manifest.target = "Ascend310B1";
  manifest.body = "aicore";
  manifest.contractSha256 = std::string(64, 'a');
  for (const char *name : {"x1", "x2", "y"}) {
    ManifestTensor tensor;
    tensor.name = name;
    tensor.types = {ElementType::Float32, ElementType::Int32};
    tensor.formats = {"ND", "ND"};
    ManifestDim pack;
    pack.kind = ManifestDim::Pack;
    pack.name = "S";
    tensor.shape = {pack};
    (tensor.name == "y" ? manifest.outputs : manifest.inputs).push_back(tensor);
  }
  for (const char *name : {"add_relu_float32", "trail_float32"}) {
    ManifestKernel kernel;
    kernel.name = name;
    kernel.tilingKey = manifest.kernels.size();
    kernel.typeRow = unsigned(manifest.kernels.size());
    kernel.tiling = conformanceTiling();
    manifest.kernels.push_back(kernel);
  }
  return manifest;
}

/// The program of AddReluProgram.h under this manifest's tiling data.
static std::vector<uint8_t> simulatorProgram() {
  SimulatorProgram program = addReluProgram(ElementType::Float32).program;
  program.kernel = "add_relu_float32";
  for (ScalarInstruction &instruction : program.code)
    if (instruction.op == ScalarOp::Param)
      ++instruction.imm; // behind block_num
  program.tilingData.insert(program.tilingData.begin(), {"block_num", TilingField::UInt64});
  program.tilingData.push_back({"total", TilingField::UInt64});
  return writeProgram(program);
}

ConformanceFolder::ConformanceFolder() : description(conformanceManifest()) {
  std::string name = (fs::temp_directory_path() / "opc-conformance-XXXXXX").string();
  folder = mkdtemp(name.data());
  fs::create_directories(folder + "/sim");
  fs::create_directories(folder + "/cpu");
  auto add = [this](const std::string &file, const std::string &bytes) {
    std::ofstream(folder + "/" + file, std::ios::binary) << bytes;
    description.files.push_back({file, sha256(bytes)});
  };
  std::ifstream library(conformanceLibrary(), std::ios::binary);
  add("cpu/add_relu.so", std::string(std::istreambuf_iterator<char>(library), {}));
  std::vector<uint8_t> program = simulatorProgram();
  add("sim/add_relu_float32.opcsim", std::string(program.begin(), program.end()));
  description.cpuLibrary = "cpu/add_relu.so";
  description.kernels[0].simulatorProgram = "sim/add_relu_float32.opcsim";
  std::ofstream(folder + "/manifest.json") << writeManifest(description);
}

ConformanceFolder::~ConformanceFolder() {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

} // namespace opc::test
