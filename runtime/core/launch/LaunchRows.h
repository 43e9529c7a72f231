// Selects the row of the type table for a launch.

#ifndef OPC_RUNTIME_CORE_LAUNCH_LAUNCHROWS_H
#define OPC_RUNTIME_CORE_LAUNCH_LAUNCHROWS_H

#include "runtime/core/tensor/Tensor.h"
#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/Manifest.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

/// The name of a row: the type of the first input ("float16"); where rows share that type, the types of all tensors
/// joined by "_" ("float32_int8").
std::string typeRowName(const Manifest &manifest, size_t row);
/// The row with this name; nullopt after reporting E0522 with the nearest name when there is none.
std::optional<unsigned> findTypeRow(const Manifest &manifest, const std::string &name, Diagnostics &diagnostics);
/// "x1 float16, x2 float16": the types of a row's inputs.
std::string rowText(const Manifest &manifest, size_t row);

/// The row with the types of inputs and outputs, where several rows have the types of the inputs; nullopt otherwise.
/// An element of `outputs` is nullopt when its type is unknown.
std::optional<unsigned> rowOfOutputs(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                                     const std::vector<std::optional<ElementType>> &outputs);

/// The row with the types of the inputs, or `wanted` where several rows have them. Returns nullopt after reporting
/// E0522, with the nearest row, when no row matches or several match.
std::optional<unsigned> pickTypeRow(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                                    std::optional<unsigned> wanted, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_LAUNCHROWS_H
