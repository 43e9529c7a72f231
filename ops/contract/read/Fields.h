// Reads typed values from YAML nodes and checks the rules of every value: known keys, required keys, kinds, closed
// sets, names and texts. Rules of one part of a contract are in the file that reads the part.

#ifndef OPC_OPS_CONTRACT_READ_FIELDS_H
#define OPC_OPS_CONTRACT_READ_FIELDS_H

#include "ops/contract/read/Mappings.h"
#include "ops/contract/read/Yaml.h"

#include <cstdint>
#include <utility>

namespace opc {

/// The values of a mapping. The constructor reports unknown keys and a node that is not a mapping.
class Fields {
public:
  /// `mapping` outlives the object.
  Fields(ContractErrors &errors, const YamlNode &node, const Mapping &mapping);

  /// nullptr when the key is absent.
  const YamlNode *find(std::string_view key) const;
  /// As find, but reports an absent key, unless the node is not a mapping, which was reported already.
  const YamlNode *require(std::string_view key) const;
  bool isMap() const { return node.kind == YamlNode::Map; }
  Location location() const { return errors.at(node.line, node.column); }
  Location keyLocation(std::string_view key) const;

private:
  ContractErrors &errors;
  const YamlNode &node;
  const Mapping &mapping;
};

// Each function reports an error and returns nullopt (or nullptr) when the value is of another kind. A nullptr
// node gives nullopt without an error, so that calls chain with find and require. `what` names the value in
// messages: "'minimum'".

std::optional<int64_t> readInt(ContractErrors &errors, const YamlNode *node, const std::string &what);
std::optional<double> readNumber(ContractErrors &errors, const YamlNode *node, const std::string &what);
std::optional<bool> readBool(ContractErrors &errors, const YamlNode *node, const std::string &what);
/// Text of one line, with 1 to `limit` characters.
std::optional<std::string> readText(ContractErrors &errors, const YamlNode *node, const std::string &what,
                                    size_t limit = 1000);
/// An identifier (rule 16).
std::optional<std::string> readName(ContractErrors &errors, const YamlNode *node, const std::string &what);
/// A list of `minimum` to `maximum` items.
const std::vector<YamlNode> *readList(ContractErrors &errors, const YamlNode *node, const std::string &what,
                                      size_t minimum = 0, size_t maximum = 64);

/// A word of a closed set. `table` pairs words with values.
template <typename Value> using Choices = std::vector<std::pair<std::string_view, Value>>;

std::optional<size_t> readChoiceIndex(ContractErrors &errors, const YamlNode *node, const std::string &what,
                                      const std::vector<std::string> &words);

template <typename Value>
std::optional<Value> readChoice(ContractErrors &errors, const YamlNode *node, const std::string &what,
                                const Choices<Value> &table) {
  std::vector<std::string> words;
  for (const auto &choice : table)
    words.emplace_back(choice.first);
  std::optional<size_t> index = readChoiceIndex(errors, node, what, words);
  if (!index)
    return std::nullopt;
  return table[*index].second;
}

} // namespace opc

#endif // OPC_OPS_CONTRACT_READ_FIELDS_H
