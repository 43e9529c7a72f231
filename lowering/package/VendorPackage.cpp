// Lays out the files, then lists them with their checksums.

#include "lowering/package/VendorPackage.h"

#include "lowering/package/KernelJson.h"
#include "lowering/package/OpsInfo.h"

#include "runtime/program/ManifestNames.h"
#include "runtime/program/SimulatorProgram.h"
#include "runtime/program/format/Sha256.h"
#include "runtime/program/opc_kernel_library.h"

#include <algorithm>
#include <set>

using namespace opc;

static constexpr const char *kChip = "ascend310b";
static constexpr const char *kCompilerOfVendor = "the vendor's compiler and its headers";

namespace {

class Layout {
public:
  explicit Layout(const VendorPackageRequest &request) : request(request) {}
  bool build(Diagnostics &diagnostics);
  std::vector<PackageFile> take();

private:
  void add(const std::string &path, const std::string &bytes) { files.push_back({path, bytes}); }
  void absent(const std::string &path) { manifest.absent.push_back({path, kCompilerOfVendor}); }
  /// The root of one of the vendor's trees: "op_impl" or "op_impl/custom".
  std::string tree(const std::string &name) const {
    return request.layout == VendorLayout::Custom ? name + "/custom" : name;
  }
  std::string tbe() const { return tree("op_impl") + "/ai_core/tbe"; }
  std::string implementation() const {
    return (request.layout == VendorLayout::Custom ? std::string("custom") : request.vendor) + "_impl";
  }
  void addOperator(const VendorOperator &op, const KernelJsonOperator &kernels);
  void addShared(const std::vector<KernelJsonOperator> &kernels);
  void addSupport(const std::string &folder);

  const VendorPackageRequest &request;
  std::vector<PackageFile> files;
  PackageManifest manifest;
};

} // namespace

static std::string bytesOf(const std::vector<PackageFile> &files, const std::string &path) {
  for (const PackageFile &file : files)
    if (file.path == path)
      return file.bytes;
  return {};
}

void Layout::addSupport(const std::string &folder) {
  for (const PackageFile &file : request.support)
    add(folder + "/" + file.path, file.bytes);
}

void Layout::addOperator(const VendorOperator &op, const KernelJsonOperator &kernels) {
  const Contract &contract = *op.contract;
  const std::string &name = contract.name;
  std::string kernelSource = bytesOf(op.opFolder, "ascendc/" + name + ".cpp");
  std::string tilingHeader = bytesOf(op.opFolder, "ascendc/" + name + "_tiling.h");

  add(tree("framework") + "/onnx/" + name + "_plugin.cpp", op.onnxPlugin);
  add(tree("framework") + "/onnx/" + name + "_schema.py", op.onnxSchema);
  add(tree("framework") + "/mindspore/" + name + "_mindspore.py", op.mindspore);
  add(tree("op_api") + "/include/aclnn_" + name + ".h", op.aclnnHeader);
  add(tree("op_proto") + "/src/" + name + "_proto.cpp", op.inferSource);
  std::string dynamic = tbe() + "/" + implementation() + "/dynamic/" + name;
  add(dynamic + ".cpp", kernelSource);
  add(dynamic + "_tiling.h", tilingHeader);
  add(dynamic + ".py", op.kernelEntry);
  add(tbe() + "/op_tiling/src/" + name + "_tiling.cpp", op.tilingSource);
  add(tbe() + "/op_tiling/src/" + name + "_tiling.h", tilingHeader);
  std::string kernel = tbe() + "/kernel/" + kChip + "/" + name + "/";
  for (unsigned row : compiledRows(*kernels.manifest)) {
    add(kernel + kernelBinaryName(kernels, row) + ".json", kernelJson(kernels, row));
    absent(kernel + kernelBinaryName(kernels, row) + ".o");
  }
  add(tbe() + "/kernel/config/" + kChip + "/" + name + ".json", kernelConfigJson(kernels));

  std::string folder = "op_pkg/" + name + "/" + contract.version;
  add(folder + "/op_proto/op.json", op.operatorJson);
  add(folder + "/op_proto/op_host/" + name + ".cpp", op.opHost);
  add(folder + "/op_proto/op_host/" + name + "_tiling.h", tilingHeader);
  addSupport(folder + "/op_proto/op_host");
  for (const PackageFile &file : op.opFolder)
    add(folder + "/op_impl/" + file.path, file.bytes);
  for (const PackageFile &file : op.tests)
    add(folder + "/tests/" + file.path, file.bytes);
  add(folder + "/docs/" + name + ".md", op.docs);
  manifest.operators.push_back({contract.opType, name, contract.version, kernels.manifest->contractSha256,
                                folder + "/op_impl", op.shadowsBuiltin});
}

/// Sets the environment of a package, wherever it was installed.
static const char *kSetEnv =
    R"(# Makes this package known to the vendor's framework: source it, do not run it.
opc_vendor_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
export ASCEND_CUSTOM_OPP_PATH="$opc_vendor_folder${ASCEND_CUSTOM_OPP_PATH:+:$ASCEND_CUSTOM_OPP_PATH}"
export LD_LIBRARY_PATH="$opc_vendor_folder/op_api/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
unset opc_vendor_folder
)";

void Layout::addShared(const std::vector<KernelJsonOperator> &kernels) {
  std::vector<const Contract *> contracts;
  for (const VendorOperator &op : request.operators)
    contracts.push_back(op.contract);
  add("version.info", "custom_opp_compiler_version=" + request.compiler + "\n");
  add("bin/set_env.bash", kSetEnv);
  add(tree("op_proto") + "/inc/op_proto.h", request.protoHeader);
  add(tbe() + "/config/" + kChip + "/aic-" + kChip + "-ops-info.json", opsInfoJson(contracts));
  add(tbe() + "/kernel/config/" + kChip + "/binary_info_config.json", binaryInfoJson(kernels));
  addSupport(tree("framework") + "/onnx");
  addSupport(tree("op_proto") + "/src");
  addSupport(tbe() + "/op_tiling/src");
  absent(tree("op_api") + "/lib/libcust_opapi.so");
  // The boards are aarch64.
  absent(tree("op_proto") + "/lib/linux/aarch64/libcust_opsproto_rt2.0.so");
  absent(tbe() + "/op_tiling/lib/linux/aarch64/libcust_opmaster_rt2.0.so");
  absent(tbe() + "/op_tiling/liboptiling.so");
}

bool Layout::build(Diagnostics &diagnostics) {
  manifest.vendor = request.vendor;
  manifest.version = request.version;
  manifest.layout = request.layout == VendorLayout::Custom ? "custom" : "vendors";
  manifest.compiler = request.compiler;
  manifest.target = std::string(request.target->name());
  manifest.chips = {kChip};
  manifest.formats = {kManifestVersion, kSimulatorProgramVersion, OPC_KERNEL_LIBRARY_VERSION};
  std::set<std::string> types, names;
  for (const VendorOperator &op : request.operators)
    if (!types.insert(op.contract->opType).second || !names.insert(op.contract->name).second) {
      diagnostics.error(Code::E0392, op.contract->location,
                        "expects operators of different types and names, found '" + op.contract->opType + "' ('" +
                            op.contract->name + "') again",
                        "package_c3");
      return false;
    }
  std::vector<Manifest> manifests(request.operators.size());
  std::vector<KernelJsonOperator> kernels;
  for (size_t i = 0; i < request.operators.size(); ++i) {
    const VendorOperator &op = request.operators[i];
    std::string wrong = readManifest(bytesOf(op.opFolder, "manifest.json"), manifests[i]);
    if (!wrong.empty()) {
      diagnostics.error(Code::E0900, op.contract->location,
                        "the compiler wrote a manifest that cannot be read: " + wrong);
      return false;
    }
    kernels.push_back({op.contract, &manifests[i], op.tilingBytes});
  }
  for (size_t i = 0; i < request.operators.size(); ++i)
    addOperator(request.operators[i], kernels[i]);
  addShared(kernels);

  auto byPath = [](const auto &a, const auto &b) { return a.path < b.path; };
  std::sort(files.begin(), files.end(), byPath);
  std::sort(manifest.absent.begin(), manifest.absent.end(), byPath);
  for (const PackageFile &file : files)
    manifest.files.push_back({file.path, sha256(file.bytes), file.bytes.size()});
  if (std::string wrong = checkPackageManifest(manifest); !wrong.empty()) {
    diagnostics.error(Code::E0900, {}, "the package's manifest cannot be taken: " + wrong);
    return false;
  }
  add(kPackageManifestName, writePackageManifest(manifest));
  return true;
}

std::vector<PackageFile> Layout::take() {
  return std::move(files);
}

std::optional<std::vector<PackageFile>> opc::packageVendor(const VendorPackageRequest &request,
                                                           Diagnostics &diagnostics) {
  Layout layout(request);
  if (!layout.build(diagnostics))
    return std::nullopt;
  return layout.take();
}
