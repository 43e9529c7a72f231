// The input of the host emitters: the contract, and what the kernels in the IR require of a launch.
//
// Everything that the vendor's framework, compiler and model converters need to know about an operator is printed
// from this value, so there is no second description to keep in step. It contains no MLIR; the compiler of the
// operator fills it in.
//
// Rule host_c1: runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_EMIT_HOST_HOSTOPERATOR_H
#define OPC_LOWERING_EMIT_HOST_HOSTOPERATOR_H

#include "ops/contract/Contract.h"
#include "runtime/program/Bytecode.h"

#include <string>
#include <vector>

namespace opc {

/// A kernel. The kernels of a type row share a tiling function. If a row has several kernels, its output "tiling_key"
/// selects one, as in launches by the runtime (ManifestKernel).
struct HostKernel {
  std::string name; ///< "add_relu_float16"
  uint64_t tilingKey = 0;
  unsigned typeRow = 0;
  std::string tilingFunction;          ///< symbol in the IR: "add_relu_tiling"
  std::vector<TilingInput> sizes;      ///< its arguments, in order
  std::vector<TilingField> fields;     ///< of the tiling data, including launch attributes
  std::vector<std::string> attributes; ///< launch attributes, in the order of the last fields
};

struct HostOperator {
  const Contract *contract = nullptr;
  std::string writtenAs; ///< op_type in the contract before a prefix was added; otherwise empty
  std::string vendor;    ///< "customize"
  std::vector<HostKernel> kernels;
};

/// The texts of an operator. Each is complete: it compiles against the vendor's headers and, if needed,
/// `opc_host_shapes.h` and `<op>_tiling.h` next to it.
struct HostSources {
  std::string opHost;       ///< op_host/<op>.cpp: inference, tiling and the OpDef class
  std::string inferSource;  ///< inference alone, registered for the operator prototype's library
  std::string tilingSource; ///< tiling alone, registered for the tiling library
  std::string aclnnHeader;  ///< aclnn_<op>.h, two phases
  std::string kernelEntry;  ///< <op>.py, through which the vendor's compiler compiles <op>.cpp
  std::string onnxPlugin;   ///< parser plugin, C++
  std::string onnxSchema;   ///< Python, `schema()` returns an onnx.defs.OpSchema
  std::string mindspore;    ///< Python, a cell over ops.Custom (aot)
  std::string docs;         ///< Markdown
};

/// Returns false and reports E0391 (host_c1) at the contract's line if the vendor's side cannot express the contract.
bool emitHost(const HostOperator &op, HostSources &sources, Diagnostics &diagnostics);

/// The size of the tiling data in bytes: that of the struct in `<op>_tiling.h`, rounded up to 8.
size_t tilingDataBytes(const HostOperator &op);

/// op_proto.h: declares every operator for the vendor's graph engine.
std::string opProtoHeader(const std::vector<HostOperator> &ops);

/// Files that the sources include: opc_host_shapes.h, opc_onnx_attributes.h.
struct HostSupportFile {
  const char *name;
  const char *text;
};
const std::vector<HostSupportFile> &hostSupportFiles();

} // namespace opc

#endif // OPC_LOWERING_EMIT_HOST_HOSTOPERATOR_H
