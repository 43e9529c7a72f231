// The mappings of a contract and their keys.

#ifndef OPC_OPS_CONTRACT_READ_MAPPINGS_H
#define OPC_OPS_CONTRACT_READ_MAPPINGS_H

#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// A mapping with a closed set of keys.
struct Mapping {
  std::string name; ///< in messages: "an input"
  std::vector<std::string> keys;
};

/// The mappings of a contract. Each has a name of its own.
namespace mappings {
extern const Mapping contract, input, output, reduces, values, attribute, range, dimension, window, boundary, precision,
    tolerance, chipTolerance, body, onnxForm, onnxAttribute;
} // namespace mappings

/// The mappings of a contract that have the key, as a list in words: "a body", "an input or an output". Empty when no
/// mapping has it.
std::string mappingsWith(std::string_view key);

} // namespace opc

#endif // OPC_OPS_CONTRACT_READ_MAPPINGS_H
