// Reads an ONNX model from its file.

#ifndef OPC_OPS_ONNX_READER_H
#define OPC_OPS_ONNX_READER_H

#include "ops/onnx/Model.h"
#include "runtime/diagnostic/Diagnostic.h"

namespace opc::onnx {

/// The newest IR version that opc supports. Newer files are read with a warning, and unknown fields are skipped. Opsets
/// of ONNX's own operators outside of kOldestOpset to kNewestOpset (ops/contract/Contract.h) are read with a warning
/// too: their operators count as missing.
inline constexpr int64_t kNewestIr = 14;

/// Maps and reads a file, and the files of its external data. nullptr after an error: E0600 for a file that cannot be
/// read, E1000 to E1004 for one that breaks a rule (onnx_c1 to onnx_c17).
std::unique_ptr<Model> loadModel(const std::string &path, Diagnostics &diagnostics);

/// As loadModel, for bytes that the caller keeps alive; does not open external data. `path` names them in messages.
std::unique_ptr<Model> readModel(std::string_view bytes, const std::string &path, Diagnostics &diagnostics);

} // namespace opc::onnx

#endif // OPC_OPS_ONNX_READER_H
