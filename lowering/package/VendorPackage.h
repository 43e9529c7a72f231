// From op folders and host sources to the files of a package that the vendor's framework recognises.
//
//   package.json                                   files that are included, files that are missing, checksums
//   version.info, bin/set_env.bash
//   framework/onnx/<op>_plugin.cpp, <op>_schema.py; framework/mindspore/<op>_mindspore.py
//   op_api/include/aclnn_<op>.h
//   op_proto/inc/op_proto.h, op_proto/src/<op>_proto.cpp
//   op_impl/ai_core/tbe/
//     config/ascend310b/aic-ascend310b-ops-info.json
//     <vendor>_impl/dynamic/<op>.cpp, <op>_tiling.h, <op>.py
//     kernel/ascend310b/<op>/<Op>_<hash>.json, kernel/config/ascend310b/<op>.json, binary_info_config.json
//     op_tiling/src/<op>_tiling.cpp
//   op_pkg/<op>/<version>/{op_proto,op_impl,tests,docs}
//
// `op_pkg/<op>/<version>/op_impl` is the op folder: manifest, contract, simulator programs, CPU library. In the layout
// `custom` the vendor's four trees have a folder `custom` below the first one, where older frameworks look for them.
//
// This stage does not access the disk. The same input gives the same bytes.
//
// Rule package_c3: runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_PACKAGE_VENDORPACKAGE_H
#define OPC_LOWERING_PACKAGE_VENDORPACKAGE_H

#include "lowering/package/Package.h"
#include "runtime/program/PackageManifest.h"

namespace opc {

enum class VendorLayout { Vendors, Custom };

/// An operator, compiled and described. Texts are empty if they do not exist.
struct VendorOperator {
  const Contract *contract = nullptr; ///< under its name in the package
  std::vector<PackageFile> opFolder;  ///< the files made by packageOperator
  std::vector<PackageFile> tests;     ///< contract, bodies and reference as the author wrote them
  size_t tilingBytes = 0;             ///< size of the tiling data, a multiple of 8
  bool shadowsBuiltin = false;
  std::string opHost, inferSource, tilingSource, aclnnHeader, kernelEntry, onnxPlugin, onnxSchema, mindspore, docs,
      operatorJson;
};

struct VendorPackageRequest {
  std::string vendor, version, compiler;
  const Target *target = nullptr;
  VendorLayout layout = VendorLayout::Vendors;
  std::vector<VendorOperator> operators;
  std::string protoHeader;          ///< op_proto.h for all operators
  std::vector<PackageFile> support; ///< headers that the sources include
};

/// All files of the package, package.json last; nullopt after an error if a rule is broken.
std::optional<std::vector<PackageFile>> packageVendor(const VendorPackageRequest &request, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_PACKAGE_VENDORPACKAGE_H
