// The JSON files by which the vendor's framework finds compiled kernels.
//
// A type row is one binary, `<Op>_<hash>.o`. The hash names it: the first 32 digits of the SHA-256 of operator, row and
// contract. Only the vendor's compiler makes the binary, so its own checksum is the empty string until it is there.

#ifndef OPC_LOWERING_PACKAGE_KERNELJSON_H
#define OPC_LOWERING_PACKAGE_KERNELJSON_H

#include "ops/contract/Contract.h"
#include "runtime/program/Manifest.h"

#include <string>
#include <vector>

namespace opc {

/// What the three kinds of files are written from.
struct KernelJsonOperator {
  const Contract *contract = nullptr;
  const Manifest *manifest = nullptr; ///< of the op folder: kernels by type row
  size_t tilingBytes = 0;
};

/// Type rows that have a kernel, in order.
std::vector<unsigned> compiledRows(const Manifest &manifest);
/// "AddRelu_0123...": name of a row's binary, without suffix.
std::string kernelBinaryName(const KernelJsonOperator &op, unsigned row);
/// "AddRelu/d=0,p=1/1,2/1,2/1,2" and p=0, then both with d=1, the deterministic form.
std::vector<std::string> simplifiedKeys(const Contract &contract, unsigned row);

/// kernel/ascend310b/<op>/<Op>_<hash>.json.
std::string kernelJson(const KernelJsonOperator &op, unsigned row);
/// kernel/config/ascend310b/<op>.json.
std::string kernelConfigJson(const KernelJsonOperator &op);
/// kernel/config/ascend310b/binary_info_config.json.
std::string binaryInfoJson(const std::vector<KernelJsonOperator> &ops);

} // namespace opc

#endif // OPC_LOWERING_PACKAGE_KERNELJSON_H
