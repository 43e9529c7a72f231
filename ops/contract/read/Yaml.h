// YAML as plain values: what yaml-cpp read, held to the limits of a contract.
//
// Yaml.cpp is the only file that sees yaml-cpp, which throws; here nothing does. It listens to the parser's events
// rather than to its node API, because only events tell anchors, aliases, tags and both of two equal keys, and
// because the listener can stop the parser at a depth of its own choosing.

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

/// "a list", "a mapping", "nothing", "'abc'": what a message says it found.
std::string describe(const YamlNode &node);

/// Rules 1 and 2: size, UTF-8, no control characters. True when the text may be read.
bool checkText(std::string_view text, ContractErrors &errors);

/// Rules 3 to 8. The root is a mapping. nullopt when the text could not be read to its end; a tree may come back with
/// errors reported, so that the rest of the contract can be checked in the same run.
std::optional<YamlNode> readYaml(std::string_view text, ContractErrors &errors);

} // namespace opc

#endif // OPC_OPS_CONTRACT_READ_YAML_H
