// The CPU levels that kernels are compiled for, and what code for each level may use.
//
// A library for x86-64 holds a table of entries for each of its levels, and the caller takes the best one that its
// machine supports. aarch64 is another architecture and has libraries of its own.

#ifndef OPC_LOWERING_CPU_CPULEVEL_H
#define OPC_LOWERING_CPU_CPULEVEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace opc {

struct CpuLevel {
  llvm::StringLiteral name;      ///< "x86-64-v4": in tables, manifests and messages
  llvm::StringLiteral shortName; ///< "v4": on the command line
  llvm::StringLiteral triple;
  llvm::StringLiteral cpu;      ///< LLVM's name
  llvm::StringLiteral features; ///< LLVM's names, beyond those of the cpu
  unsigned vectorBits;          ///< of a register
  bool masks;                   ///< has masked operations on partial vectors of every element type
  bool dotsOfBytes;             ///< has dot products of four bytes that accumulate in i32 (VNNI)
  bool streams;                 ///< has non-temporal stores of aligned registers that are worth using
  int64_t streamAhead;          ///< prefetch distance in bytes, for loops with little computation

  bool isX86() const { return triple.starts_with("x86_64"); }
  /// Vectors that an iteration of a loop works on if it computes functions. Each function has a dozen constants: with
  /// the 16 registers of AVX2 there is room for one vector beside them, with 32 registers for two.
  unsigned functionVectors() const { return vectorBits == 256 ? 1 : 2; }
};

/// All levels; for each architecture, the most basic one comes first.
llvm::ArrayRef<CpuLevel> cpuLevels();
/// The names of the default levels of a library. Levels with products of four bytes are only for kernels that
/// multiply bytes.
std::vector<std::string> defaultCpuLevels(bool multipliesBytes);
/// By name or short name; nullptr if there is none.
const CpuLevel *cpuLevelByName(llvm::StringRef name);

} // namespace opc

#endif // OPC_LOWERING_CPU_CPULEVEL_H
