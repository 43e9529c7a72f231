// The forms of kernel-side calls by element type and version of the toolkit: lookup in KernelCalls.def, and the form
// and row that an intrinsic uses.

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

/// The support of a call in a version of the toolkit.
enum class CallFate : uint8_t {
  Emits,   ///< becomes instructions
  Nothing, ///< compiles, and the chip does nothing
  Refused, ///< does not compile: no such form, or not for these types
  Absent,  ///< the version has no such name
  Unknown, ///< the table has no such name or form, or is not sure of the types
};

/// The fate of a call in a form, for a row of types in the notation of KernelCalls.def: "f16>i8", "f32",
/// "f16:ui8", "any".
CallFate callFate(Cann version, std::string_view name, std::string_view form, std::string_view row);
/// Whether a version has a name, in any form.
bool hasCall(Cann version, std::string_view name);
/// Whether a version has a name in a form that becomes instructions.
bool emitsCall(Cann version, std::string_view name);
/// Whether the table has a name.
bool knowsCall(std::string_view name);
/// The rows of types that a version compiles to instructions, in the first form of the call that has any; in the
/// notation of the table.
std::string callRows(Cann version, std::string_view name);
/// The name that both versions have, for a call that only one has under `name`; empty for other names.
std::string_view callOfBoth(std::string_view name);
/// Whether a version has a rounding mode for a cast.
bool castRounds(Cann version, TypeRow types, RoundingMode mode);

/// Whether the vector unit computes with the type, that is, can convert from it. Truth values are bytes. Integers of 64
/// bits are converted, too, but not all values are representable in the result.
bool vectorUnitTakes(ElementType type);

/// Whether the cube multiplies matrices of a type, with sums in productType: both versions have the call.
bool cubeMultiplies(ElementType type);
/// Whether the left or the right matrix of such a product may have any layout, since its fractals are transposed on the
/// way from L1 to L0: those of 16-bit elements, squares of float32, and squares of bytes on the right. Else it must be
/// contiguous along k.
bool cubeTransposesLeft(ElementType type);
bool cubeTransposesRight(ElementType type);
/// The type of sums of products of elements of a type: int32 or float32.
ElementType productType(ElementType type);
/// Whether the cube multiplies windows of such elements, too, which the vector unit gathers.
bool cubeConvolves(ElementType type);

/// The form, in the notation of the table, in which kernels call an intrinsic.
std::string_view callForm(const IntrinsicInfo &info);
/// A row of an intrinsic's types in the notation of the table; a mask that is read follows the source.
std::string callRow(const IntrinsicInfo &info, TypeRow types);

} // namespace opc

#endif // OPC_RUNTIME_TARGET_TOOLKIT_KERNELCALLS_H
