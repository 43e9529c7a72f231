// The vector intrinsics with names, forms and types, for dialect, verifiers, emitters and simulator.

#ifndef OPC_RUNTIME_TARGET_INTRINSICS_H
#define OPC_RUNTIME_TARGET_INTRINSICS_H

#include "runtime/target/ElementType.h"
#include "runtime/target/Enumerations.h"
#include "runtime/target/IntrinsicForm.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// A row of types: the type that is read and the type that is written.
struct TypeRow {
  ElementType source;
  ElementType destination;
};

struct IntrinsicInfo {
  Intrinsic intrinsic;
  std::string_view name;    ///< "vaddrelu"
  std::string_view ascendC; ///< "AddRelu"
  IntrinsicForm form;
  std::vector<TypeRow> types;
};

const IntrinsicInfo &intrinsicInfo(Intrinsic intrinsic);
const std::vector<IntrinsicInfo> &allIntrinsics();
/// Finds an intrinsic by mnemonic ("vaddrelu").
std::optional<Intrinsic> findIntrinsic(std::string_view name);
/// Arithmetic operations per counted element in a roofline model: 1 for a function (exp, div and max too) and for an
/// element of a reduction, 2 or 3 for compound intrinsics, 0 for casts, copies, masks, logic on bits and sorting.
unsigned arithmeticSteps(Intrinsic intrinsic);

/// "rint", "none", ...; as Ascend C: "CAST_RINT".
std::string_view roundingModeName(RoundingMode mode);
std::string_view ascendCRoundingName(RoundingMode mode);
/// "lt", ...; as Ascend C: "LT".
std::string_view compareModeName(CompareMode mode);

} // namespace opc

#endif // OPC_RUNTIME_TARGET_INTRINSICS_H
