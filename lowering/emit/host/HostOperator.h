// What the host side of an operator is written from: the contract, and what the kernels of the IR ask of a launch.
//
// Everything that the vendor's framework, its compiler and its model converters need to know of an operator is
// printed from this one value: there is no second description to keep equal. No MLIR is left here; whoever compiled
// the operator fills it in.
//
// Rule host_c1: runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_EMIT_HOST_HOSTOPERATOR_H
#define OPC_LOWERING_EMIT_HOST_HOSTOPERATOR_H

#include "ops/contract/Contract.h"
#include "runtime/program/Bytecode.h"

#include <string>
#include <vector>

namespace opc {

/// One kernel. The kernels of a type row have one tiling function, whose output "tiling_key" picks one of them where
/// there are several, as at the runtime's launches (ManifestKernel).
struct HostKernel {
  std::string name; ///< "add_relu_float16"
  uint64_t tilingKey = 0;
  unsigned typeRow = 0;
  std::string tilingFunction;          ///< symbol in IR: "add_relu_tiling"
  std::vector<TilingInput> sizes;      ///< its arguments, in order
  std::vector<TilingField> fields;     ///< of the tiling data, launch attributes among them
  std::vector<std::string> attributes; ///< launch attributes, in the order of the last fields
};

struct HostOperator {
  const Contract *contract = nullptr;
  std::string writtenAs; ///< op_type of the contract before a prefix was put before it; else empty
  std::string vendor;    ///< "customize"
  std::vector<HostKernel> kernels;
};

/// The texts of one operator. Each is whole: it compiles against the vendor's headers and, where it needs them,
/// `opc_host_shapes.h` and `<op>_tiling.h` beside it.
struct HostSources {
  std::string opHost;       ///< op_host/<op>.cpp: inference, tiling and the OpDef class
  std::string inferSource;  ///< inference alone, registered for the operator prototype's library
  std::string tilingSource; ///< tiling alone, registered for the tiling library
  std::string aclnnHeader;  ///< aclnn_<op>.h, two phases
  std::string kernelEntry;  ///< <op>.py, through which the vendor's compiler reaches <op>.cpp
  std::string onnxPlugin;   ///< parser plugin, C++
  std::string onnxSchema;   ///< Python, `schema()` returns an onnx.defs.OpSchema
  std::string mindspore;    ///< Python, a cell over ops.Custom (aot)
  std::string docs;         ///< Markdown
};

/// False, with E0391 (host_c1) at the contract's line, when the vendor's side cannot say what the contract says.
bool emitHost(const HostOperator &op, HostSources &sources, Diagnostics &diagnostics);

/// Bytes of the tiling data: those of the struct in `<op>_tiling.h`, rounded up to 8.
size_t tilingDataBytes(const HostOperator &op);

/// op_proto.h: every operator as the vendor's graph engine declares it.
std::string opProtoHeader(const std::vector<HostOperator> &ops);

/// Files that the sources include, by name: opc_host_shapes.h, opc_onnx_attributes.h.
struct HostSupportFile {
  const char *name;
  const char *text;
};
const std::vector<HostSupportFile> &hostSupportFiles();

} // namespace opc

#endif // OPC_LOWERING_EMIT_HOST_HOSTOPERATOR_H
