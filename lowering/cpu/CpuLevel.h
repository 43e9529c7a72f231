// The levels of CPU that kernels are compiled for: what a level's code may use, as a table.
//
// A library of x86-64 holds one table of entries for each of its levels and whoever runs it takes the best that its
// machine has. aarch64 is another architecture and so another file.

#ifndef OPC_LOWERING_CPU_CPULEVEL_H
#define OPC_LOWERING_CPU_CPULEVEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace opc {

struct CpuLevel {
  llvm::StringLiteral name;      ///< "x86-64-v4": in tables, manifests and messages
  llvm::StringLiteral shortName; ///< "v4": on the command line
  llvm::StringLiteral triple;
  llvm::StringLiteral cpu;      ///< LLVM's name
  llvm::StringLiteral features; ///< LLVM's names, beyond those of the cpu
  unsigned vectorBits;          ///< of one register
  bool masks;                   ///< partial vectors of every element type in one instruction
  bool streams;                 ///< stores past the caches, of aligned registers, worth their while
  int64_t streamAhead;          ///< bytes that their loads are asked for ahead by loops with little to do

  bool isX86() const { return triple.starts_with("x86_64"); }
  /// Vectors that a turn of a loop with functions in it works on. Each has a dozen constants: the 16 registers of
  /// AVX2 hold those and one vector, 32 registers two.
  unsigned functionVectors() const { return vectorBits == 256 ? 1 : 2; }
};

/// All levels, the plainest of an architecture first.
llvm::ArrayRef<CpuLevel> cpuLevels();
/// By name or short name; nullptr when there is none.
const CpuLevel *cpuLevelByName(llvm::StringRef name);

} // namespace opc

#endif // OPC_LOWERING_CPU_CPULEVEL_H
