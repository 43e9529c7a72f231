// YAML as plain values: the tree that yaml-cpp parsed, within the limits of a contract.
//
// Only Yaml.cpp uses yaml-cpp, which throws; the functions here do not. It handles the parser's events instead of
// using the node API, because only events report anchors, aliases, tags and duplicate keys, and because an event
// handler can limit the depth.

#ifndef OPC_OPS_CONTRACT_READ_YAML_H
#define OPC_OPS_CONTRACT_READ_YAML_H

#include "ops/contract/Rules.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

struct YamlEntry;

struct YamlNode {
  enum Kind : uint8_t { Null, Scalar, List, Map };
  Kind kind = Null;
  bool quoted = false; ///< of a scalar: never a number, true or false
  std::string text;    ///< of a scalar
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries; ///< keys are unique, in the order of the file
  unsigned line = 0, column = 0;

  const YamlEntry *find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  unsigned line = 0, column = 0; ///< of the key
  YamlNode value;
};

/// Describes a node in messages: "a list", "a mapping", "nothing", "'abc'".
std::string describe(const YamlNode &node);

/// Checks rules 1 and 2: size, UTF-8, no control characters. True when the text may be parsed.
bool checkText(std::string_view text, ContractErrors &errors);

/// Parses a text and checks rules 3 to 8. The root is a mapping. Returns nullopt when parsing stopped early;
/// otherwise a tree, possibly with errors reported, so that the rest of the contract is checked in the same run.
std::optional<YamlNode> readYaml(std::string_view text, ContractErrors &errors);

} // namespace opc

#endif // OPC_OPS_CONTRACT_READ_YAML_H
