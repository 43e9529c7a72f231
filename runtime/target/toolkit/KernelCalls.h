// Which forms of the kernel-side calls exist for which element types, by version of the toolkit: the rows of
// KernelCalls.def, and what an intrinsic needs of them.

#ifndef OPC_RUNTIME_TARGET_TOOLKIT_KERNELCALLS_H
#define OPC_RUNTIME_TARGET_TOOLKIT_KERNELCALLS_H

#include "runtime/target/Intrinsics.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// Versions of the toolkit whose headers the table was read from.
enum class Cann : uint8_t { V8_1, V9_1 };
inline constexpr Cann kCannVersions[] = {Cann::V8_1, Cann::V9_1};
/// "8.1", "9.1".
std::string_view cannName(Cann version);
std::optional<Cann> findCann(std::string_view name);

/// What becomes of a call in a version.
enum class CallFate : uint8_t {
  Emits,   ///< becomes instructions
  Nothing, ///< compiles, and the chip does nothing
  Refused, ///< does not compile: no such form, or not for these types
  Absent,  ///< the version has no such name
  Unknown, ///< the table has no such name or form, or is not sure of the types
};

/// The fate of a call in a form, on a row of types as KernelCalls.def spells it: "f16>i8", "f32", "f16:ui8", "any".
CallFate callFate(Cann version, std::string_view name, std::string_view form, std::string_view row);
/// Whether a version has a name, in any form.
bool hasCall(Cann version, std::string_view name);
/// Whether a version has it in a form that becomes instructions.
bool emitsCall(Cann version, std::string_view name);
/// Whether the table has a name.
bool knowsCall(std::string_view name);
/// The rows of types that a version makes instructions of, in the call's first form that has any; as the
/// table spells them.
std::string callRows(Cann version, std::string_view name);
/// What both versions take instead of a name of one; empty for other names.
std::string_view callOfBoth(std::string_view name);
/// Whether a version rounds a cast by a mode.
bool castRounds(Cann version, TypeRow types, RoundingMode mode);

/// The form of an intrinsic's call that kernels have, as the table names it.
std::string_view callForm(const IntrinsicInfo &info);
/// A row of an intrinsic's types as the table spells it: a mask that is read stands beside the source.
std::string callRow(const IntrinsicInfo &info, TypeRow types);

} // namespace opc

#endif // OPC_RUNTIME_TARGET_TOOLKIT_KERNELCALLS_H
