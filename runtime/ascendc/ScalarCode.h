// Counts the kernel's own scalar code: how often each of its blocks ran since the last call.
//
// The kernel is compiled with -fsanitize-coverage=trace-pc, so each block of its code calls
// __sanitizer_cov_trace_pc. The process that loads the object knows the blocks from the debug information and sets
// `opc_kernel_code` before it calls the kernel; before that, and for code of the headers, nothing is counted.

#ifndef OPC_RUNTIME_ASCENDC_SCALARCODE_H
#define OPC_RUNTIME_ASCENDC_SCALARCODE_H

#include <cstddef>
#include <cstdint>

namespace opc::ascendc {

struct BlockCounts {
  uintptr_t begin = 0; ///< address of the object's code
  size_t bytes = 0;
  const uint32_t *blockAt = nullptr; ///< by return address of the call, from `begin`: block + 1; 0: not counted
  uint64_t *runs = nullptr;          ///< by block
  uint32_t *ran = nullptr;           ///< blocks whose `runs` is not 0, in the order in which they first ran
  size_t numRan = 0;
  uintptr_t last = 0; ///< return address of the last call, for faults
};

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_SCALARCODE_H
