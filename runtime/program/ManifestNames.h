// Names that the writer and the reader of manifest.json share.

#ifndef OPC_RUNTIME_PROGRAM_MANIFESTNAMES_H
#define OPC_RUNTIME_PROGRAM_MANIFESTNAMES_H

#include <string_view>

namespace opc {

inline constexpr int kManifestVersion = 1;

// Each array is in the order of its enumerators.
inline constexpr std::string_view kScalarOpNames[] = {"const", "add", "sub", "mul", "floor_div", "ceil_div",
                                                      "rem",   "min", "max", "lt",  "select",    "eq"};
inline constexpr std::string_view kTilingInputNames[] = {"num_elements", "dim", "rank", "max_blocks", "reduced"};
inline constexpr std::string_view kTilingFieldNames[] = {"uint32", "uint64", "float32"};
inline constexpr std::string_view kAttributeTypeNames[] = {"float",      "int",      "bool",      "string",
                                                           "list_float", "list_int", "list_bool", "list_string"};
inline constexpr std::string_view kBindNames[] = {"compile", "launch", "shape"};
inline constexpr std::string_view kBroadcastNames[] = {"none", "numpy", "scalar", "batch"};
inline constexpr std::string_view kBodyNames[] = {"aicore", "te"};
inline constexpr std::string_view kOpModeNames[] = {"dynamic", "static"};

/// Prefix of the name of a pack in a shape.
inline constexpr std::string_view kPackPrefix = "...";

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_MANIFESTNAMES_H
