// The JSON files with which the vendor's framework finds compiled kernels.
//
// A type row is one binary, `<Op>_<hash>.o`, whose name contains the first 32 digits of the SHA-256 of operator, row
// and contract. Only the vendor's compiler makes the binary, so the checksum of the binary is empty until then.

#ifndef OPC_LOWERING_PACKAGE_KERNELJSON_H
#define OPC_LOWERING_PACKAGE_KERNELJSON_H

#include "ops/contract/Contract.h"
#include "runtime/program/Manifest.h"

#include <string>
#include <vector>

namespace opc {

/// The input of the three kinds of files.
struct KernelJsonOperator {
  const Contract *contract = nullptr;
  const Manifest *manifest = nullptr; ///< manifest of the op folder, with the kernels by type row
  size_t tilingBytes = 0;
};

/// The type rows that have a kernel, in order.
std::vector<unsigned> compiledRows(const Manifest &manifest);
/// "AddRelu_0123...": the name of a row's binary, without suffix.
std::string kernelBinaryName(const KernelJsonOperator &op, unsigned row);
/// "AddRelu/d=0,p=1/1,2/1,2/1,2" and p=0, then the same with d=1 for deterministic results.
std::vector<std::string> simplifiedKeys(const Contract &contract, unsigned row);

/// kernel/ascend310b/<op>/<Op>_<hash>.json.
std::string kernelJson(const KernelJsonOperator &op, unsigned row);
/// kernel/config/ascend310b/<op>.json.
std::string kernelConfigJson(const KernelJsonOperator &op);
/// kernel/config/ascend310b/binary_info_config.json.
std::string binaryInfoJson(const std::vector<KernelJsonOperator> &ops);

} // namespace opc

#endif // OPC_LOWERING_PACKAGE_KERNELJSON_H
