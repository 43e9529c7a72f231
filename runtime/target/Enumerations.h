// Enumerations of a chip: pipes, intrinsics, modes. They are separate from their descriptions because kernels include
// this header: it declares no name outside its namespace.

#ifndef OPC_RUNTIME_TARGET_ENUMERATIONS_H
#define OPC_RUNTIME_TARGET_ENUMERATIONS_H

#include <cstdint>

namespace opc {

/// The instruction queues of an AI Core. Each issues in order; only flags order instructions of two of them.
enum class Pipe : uint8_t { S, V, M, MTE1, MTE2, MTE3, FIX };
inline constexpr unsigned kNumPipes = 7;

/// How a kernel orders FIX and V, a pair of pipes for which the toolkit has no flag: through MTE1, or by a flag of the
/// pair itself, which assumes that the chip has one.
enum class FixToV : uint8_t { Relay, Direct };

/// The memories of an AI Core. BT is the bias table.
enum class Memory : uint8_t { GM, UB, L1, L0A, L0B, L0C, BT };
inline constexpr unsigned kNumMemories = 7;

/// Stored in program files by name, never by number.
enum class Intrinsic : uint8_t {
#define OPC_INTRINSIC(NAME, ASCENDC, FORM, TYPES) NAME,
#include "runtime/target/Intrinsics.def"
#undef OPC_INTRINSIC
};

enum class RoundingMode : uint8_t { None, Rint, Floor, Ceil, Round, Trunc, Odd };
enum class CompareMode : uint8_t { Lt, Gt, Eq, Le, Ge, Ne };

} // namespace opc

#endif // OPC_RUNTIME_TARGET_ENUMERATIONS_H
