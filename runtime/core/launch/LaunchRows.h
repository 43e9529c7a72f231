// The row of the type table that a launch takes.

#ifndef OPC_RUNTIME_CORE_LAUNCH_LAUNCHROWS_H
#define OPC_RUNTIME_CORE_LAUNCH_LAUNCHROWS_H

#include "runtime/core/tensor/Tensor.h"
#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/Manifest.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

/// What a row is called: the type of the first input ("float16"); where rows share it, the types of all tensors
/// joined by "_" ("float32_int8").
std::string typeRowName(const Manifest &manifest, size_t row);
/// The row of that name; nothing, with E0522 and the nearest name, when there is none.
std::optional<unsigned> findTypeRow(const Manifest &manifest, const std::string &name, Diagnostics &diagnostics);
/// "x1 float16, x2 float16": the types of a row's inputs.
std::string rowText(const Manifest &manifest, size_t row);

/// The row that the types of inputs and outputs name, where those of the inputs leave a choice; nothing otherwise.
/// `outputs`: nothing for a type that is not known.
std::optional<unsigned> rowOfOutputs(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                                     const std::vector<std::optional<ElementType>> &outputs);

/// The row that the inputs' types are, `wanted` where several are; nothing, with E0522 and the nearest row, when
/// there is none or a choice is left.
std::optional<unsigned> pickTypeRow(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                                    std::optional<unsigned> wanted, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_LAUNCHROWS_H
