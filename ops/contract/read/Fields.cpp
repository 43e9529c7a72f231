// Typed values from YAML nodes. Numbers are read by <charconv>: decimal, no locale, no leading zeros or plus signs.

#include "ops/contract/read/Fields.h"

#include "ops/contract/Names.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace opc {

static Location placeOf(const ContractErrors &errors, const YamlNode &node) {
  return errors.at(node.line, node.column);
}

static void reportKind(ContractErrors &errors, const YamlNode &node, const std::string &what, const std::string &kind) {
  errors.report(ContractRule::Kind, placeOf(errors, node),
                "expects " + what + " to be " + kind + ", found " + describe(node));
}

/// The key that was meant, else the mappings of a contract that have this key, else the keys that are known.
static std::string fixOfUnknownKey(const std::string &key, const Mapping &mapping) {
  std::string fix = suggest(key, mapping.keys);
  std::string homes = mappingsWith(key);
  if (homes.empty() || !nearestName(key, mapping.keys).empty())
    return fix;
  return "'" + key + "' is a key of " + homes;
}

Fields::Fields(ContractErrors &errors, const YamlNode &node, const Mapping &mapping)
    : errors(errors), node(node), mapping(mapping) {
  if (node.kind != YamlNode::Map) {
    reportKind(errors, node, mapping.name, "a mapping");
    return;
  }
  for (const YamlEntry &entry : node.entries)
    if (std::find(mapping.keys.begin(), mapping.keys.end(), entry.key) == mapping.keys.end())
      errors.report(ContractRule::UnknownKey, errors.at(entry.line, entry.column),
                    "expects only known keys in " + mapping.name + ", found '" + printable(entry.key, 60) + "'",
                    fixOfUnknownKey(entry.key, mapping));
}

const YamlNode *Fields::find(std::string_view key) const {
  const YamlEntry *entry = node.find(key);
  return entry ? &entry->value : nullptr;
}

const YamlNode *Fields::require(std::string_view key) const {
  const YamlNode *value = find(key);
  if (!value && isMap())
    errors.report(ContractRule::MissingKey, location(),
                  "expects '" + std::string(key) + "' in " + mapping.name + ", found none",
                  "add '" + std::string(key) + ":'");
  return value;
}

Location Fields::keyLocation(std::string_view key) const {
  const YamlEntry *entry = node.find(key);
  return entry ? errors.at(entry->line, entry->column) : location();
}

/// Whether a scalar has the syntax of a JSON number: 010, +1, 0x10, .5, 1_000, inf and nan do not.
static bool looksLikeNumber(const YamlNode &node, bool whole) {
  if (node.kind != YamlNode::Scalar || node.quoted)
    return false;
  std::string_view text = node.text;
  if (!text.empty() && text.front() == '-')
    text.remove_prefix(1);
  auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !isDigit(text.front()))
    return false;
  if (text.front() == '0' && text.size() > 1 && isDigit(text[1]))
    return false;
  for (char c : text)
    if (!isDigit(c) && (whole || (c != '.' && c != 'e' && c != 'E' && c != '-' && c != '+')))
      return false;
  return true;
}

std::optional<int64_t> readInt(ContractErrors &errors, const YamlNode *node, const std::string &what) {
  if (!node)
    return std::nullopt;
  int64_t value = 0;
  const char *end = node->text.data() + node->text.size();
  if (looksLikeNumber(*node, /*whole=*/true)) {
    std::from_chars_result result = std::from_chars(node->text.data(), end, value);
    if (result.ec == std::errc() && result.ptr == end)
      return value;
  }
  reportKind(errors, *node, what, "a whole number of 64 bits");
  return std::nullopt;
}

std::optional<double> readNumber(ContractErrors &errors, const YamlNode *node, const std::string &what) {
  if (!node)
    return std::nullopt;
  double value = 0;
  const char *end = node->text.data() + node->text.size();
  if (looksLikeNumber(*node, /*whole=*/false)) {
    std::from_chars_result result = std::from_chars(node->text.data(), end, value);
    if (result.ec == std::errc() && result.ptr == end && std::isfinite(value))
      return value;
  }
  reportKind(errors, *node, what, "a finite number");
  return std::nullopt;
}

std::optional<bool> readBool(ContractErrors &errors, const YamlNode *node, const std::string &what) {
  if (!node)
    return std::nullopt;
  if (node->kind == YamlNode::Scalar && !node->quoted && (node->text == "true" || node->text == "false"))
    return node->text == "true";
  reportKind(errors, *node, what, "true or false");
  return std::nullopt;
}

std::optional<std::string> readText(ContractErrors &errors, const YamlNode *node, const std::string &what,
                                    size_t limit) {
  if (!node)
    return std::nullopt;
  if (node->kind != YamlNode::Scalar || node->text.empty()) {
    reportKind(errors, *node, what, "a text");
    return std::nullopt;
  }
  if (node->text.size() > limit) {
    errors.report(ContractRule::Text, placeOf(errors, *node),
                  "expects " + what + " to have at most " + std::to_string(limit) + " characters, found " +
                      std::to_string(node->text.size()));
    return std::nullopt;
  }
  // Escapes in quoted texts can produce characters that the file itself must not contain.
  for (unsigned char c : node->text) {
    if (c >= 0x20 && c != 0x7F)
      continue;
    errors.report(ContractRule::Text, placeOf(errors, *node),
                  "expects " + what + " on one line without control characters, found '" + printable(node->text, 60) +
                      "'",
                  "write it on one line");
    return std::nullopt;
  }
  return node->text;
}

std::optional<std::string> readName(ContractErrors &errors, const YamlNode *node, const std::string &what) {
  if (!node)
    return std::nullopt;
  if (node->kind != YamlNode::Scalar) {
    reportKind(errors, *node, what, "a name");
    return std::nullopt;
  }
  std::string wrong = checkIdentifier(node->text);
  if (wrong.empty())
    return node->text;
  errors.report(ContractRule::Identifier, placeOf(errors, *node),
                "expects " + what + " to be an identifier of every generated language, found '" +
                    printable(node->text, 60) + "', which " + wrong);
  return std::nullopt;
}

const std::vector<YamlNode> *readList(ContractErrors &errors, const YamlNode *node, const std::string &what,
                                      size_t minimum, size_t maximum) {
  if (!node)
    return nullptr;
  if (node->kind != YamlNode::List) {
    reportKind(errors, *node, what, "a list");
    return nullptr;
  }
  if (node->items.size() >= minimum && node->items.size() <= maximum)
    return &node->items;
  errors.report(ContractRule::Count, placeOf(errors, *node),
                "expects " + std::to_string(minimum) + " to " + std::to_string(maximum) + " items in " + what +
                    ", found " + std::to_string(node->items.size()));
  return nullptr;
}

std::optional<size_t> readChoiceIndex(ContractErrors &errors, const YamlNode *node, const std::string &what,
                                      const std::vector<std::string> &words) {
  if (!node)
    return std::nullopt;
  if (node->kind != YamlNode::Scalar) {
    reportKind(errors, *node, what, "one word");
    return std::nullopt;
  }
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == node->text)
      return i;
  errors.report(ContractRule::ClosedSet, placeOf(errors, *node),
                "expects " + what + " to be one of its set, found '" + printable(node->text, 60) + "'",
                suggest(node->text, words));
  return std::nullopt;
}

} // namespace opc
