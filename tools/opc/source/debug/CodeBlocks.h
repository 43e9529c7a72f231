// The blocks of a kernel's own code, each with an estimate of the instructions that the scalar unit takes for it.
//
// A kernel is compiled with -fsanitize-coverage=trace-pc: each block of its code begins with a call of
// __sanitizer_cov_trace_pc. The linker keeps the relocations of these calls, so no disassembler is needed to find
// them. The lines between one such call and the next are those of the block.
//
//   for (uint32_t i = 0; i < n; ++i)       3 places: the comparison, the increment, the branch
//     sum += x.GetValue(i) * w;            2 places: the product, the sum; GetValue itself is a call
//
// The estimate: each position of the source, identified by line and column, is one instruction. It does not depend on
// the host's instruction set, and only a little on its compiler. Code of opc's headers does not count, since the
// simulator counts calls itself.

#ifndef OPC_TOOLS_OPC_SOURCE_DEBUG_CODEBLOCKS_H
#define OPC_TOOLS_OPC_SOURCE_DEBUG_CODEBLOCKS_H

#include "runtime/diagnostic/Diagnostic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class DWARFContext;
namespace object {
class ObjectFile;
}
} // namespace llvm

namespace opc::tool {

struct CodeBlock {
  struct Line {
    Location place; ///< absolute path
    uint32_t count = 0;
  };
  uint64_t offset = 0; ///< the return address of the call that it begins with, from the load address
  std::vector<Line> lines;
};

/// The blocks with instructions outside the folder `headers`, by offset. Empty for an object that was compiled or
/// linked without these calls and their relocations.
std::vector<CodeBlock> readCodeBlocks(const llvm::object::ObjectFile &object, llvm::DWARFContext &context,
                                      const std::string &headers);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_DEBUG_CODEBLOCKS_H
