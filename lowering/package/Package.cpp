// Collects and hashes files, and writes the manifest that lists them.

#include "lowering/package/Package.h"

#include "lowering/package/ContractManifest.h"
#include "lowering/package/OpsInfo.h"

#include "ops/contract/write/Canonical.h"
#include "runtime/program/Manifest.h"
#include "runtime/program/format/Sha256.h"

#include <fstream>
#include <sstream>

using namespace opc;

/// Copies the contract as its author wrote it.
static bool copyContract(const Contract &contract, std::vector<PackageFile> &files, Diagnostics &diagnostics) {
  std::ifstream in(contract.path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || !text) {
    diagnostics.error(Code::E0600, {contract.path}, "cannot read '" + printablePath(contract.path) + "' again");
    return false;
  }
  files.push_back({"op_contract.yaml", text.str()});
  return true;
}

static ManifestKernel manifestKernel(const PackageKernel &kernel) {
  ManifestKernel entry;
  entry.name = kernel.name;
  entry.tilingKey = kernel.tilingKey;
  entry.typeRow = kernel.typeRow;
  entry.tiling = kernel.tiling;
  entry.launchAttributes = kernel.launchAttributes;
  entry.cpuAlone = kernel.cpuAlone;
  entry.assumesFixToV = kernel.assumesFixToV;
  return entry;
}

static void addKernels(const PackageRequest &request, Manifest &manifest, std::vector<PackageFile> &files) {
  for (const PackageKernel &kernel : request.kernels) {
    ManifestKernel entry = manifestKernel(kernel);
    if (!kernel.simulatorProgram.empty()) {
      entry.simulatorProgram = "sim/" + kernel.name + ".opcsim";
      files.push_back({entry.simulatorProgram, kernel.simulatorProgram});
    }
    manifest.kernels.push_back(std::move(entry));
  }
  for (const PackageKernel &kernel : request.cpuKernels)
    manifest.cpuKernels.push_back(manifestKernel(kernel));
}

std::optional<std::vector<PackageFile>> opc::packageOperator(const PackageRequest &request, Diagnostics &diagnostics) {
  const Contract &contract = *request.contract;
  Manifest manifest;
  std::vector<PackageFile> files;
  fillFromContract(contract, request.shapes, manifest);
  if (!copyContract(contract, files, diagnostics))
    return std::nullopt;
  manifest.compiler = request.compiler;
  manifest.target = std::string(request.target->name());
  manifest.body = std::string(bodyLevelName(request.body));
  manifest.contractSha256 = contractHash(request.written ? *request.written : contract);

  addKernels(request, manifest, files);
  if (!request.cpuLibrary.empty()) {
    manifest.cpuLibrary = "cpu/" + contract.name + ".so";
    manifest.cpuLevels = request.cpuLevels;
    files.push_back({manifest.cpuLibrary, request.cpuLibrary});
    if (!request.cpuObjects.empty())
      files.push_back({"cpu/" + contract.name + ".a", request.cpuObjects});
  }
  if (!request.kernelSource.empty()) {
    files.push_back({"ascendc/" + contract.name + ".cpp", request.kernelSource});
    files.push_back({"ascendc/" + contract.name + "_tiling.h", request.tilingHeader});
  }
  // Files for the vendor's framework are only written for operators that it can run.
  if (!manifest.kernels.empty())
    files.push_back({"aic-ascend310b-ops-info.json", opsInfoJson(contract)});

  for (const PackageFile &file : files)
    manifest.files.push_back({file.path, sha256(file.bytes)});
  if (std::string problem = checkManifest(manifest); !problem.empty()) {
    diagnostics.error(Code::E0390, contract.location, "expects a manifest that runtimes take: " + problem,
                      "package_c1");
    return std::nullopt;
  }
  files.push_back({"manifest.json", writeManifest(manifest)});
  return files;
}
