// Attributes of an ONNX node inside a parser plugin.
//
// Converters pass attributes in one of two forms: as attributes of the node, or as JSON text in an attribute
// "attribute", which is a list of objects {"name": "beta", "f": "1.5"} with the value under f, i, s, floats, ints or
// strings. Both are supported. Malformed text is distinguished from a missing name, so that no default hides it.
// C++11 and the standard library only.
#ifndef OPC_ONNX_ATTRIBUTES_H
#define OPC_ONNX_ATTRIBUTES_H

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "register/register.h"

namespace opc_onnx {

class Attributes {
public:
  enum Result { kFound, kMissing, kBroken };

  explicit Attributes(const ge::Operator &op) : node(op) {
    ge::AscendString json;
    if (op.GetAttr("attribute", json) != ge::GRAPH_SUCCESS || json.GetString() == nullptr)
      return;
    text = json.GetString();
    SkipBlanks();
    while (!broken && at < text.size())
      Value(0);
  }

  Result Float(const char *name, float &value) const {
    return node.GetAttr(name, value) == ge::GRAPH_SUCCESS ? kFound : One(name, "f", value);
  }
  Result Int(const char *name, int64_t &value) const {
    return node.GetAttr(name, value) == ge::GRAPH_SUCCESS ? kFound : One(name, "i", value);
  }
  Result Bool(const char *name, bool &value) const {
    if (node.GetAttr(name, value) == ge::GRAPH_SUCCESS)
      return kFound;
    int64_t number = 0;
    Result result = One(name, "i", number);
    if (result == kFound)
      value = number != 0;
    return result;
  }
  Result String(const char *name, std::string &value) const {
    ge::AscendString direct;
    if (node.GetAttr(name, direct) == ge::GRAPH_SUCCESS && direct.GetString() != nullptr) {
      value = direct.GetString();
      return kFound;
    }
    return One(name, "s", value);
  }
  Result ListFloat(const char *name, std::vector<float> &value) const {
    return node.GetAttr(name, value) == ge::GRAPH_SUCCESS ? kFound : Many(name, "floats", value);
  }
  Result ListInt(const char *name, std::vector<int64_t> &value) const {
    return node.GetAttr(name, value) == ge::GRAPH_SUCCESS ? kFound : Many(name, "ints", value);
  }
  Result ListBool(const char *name, std::vector<bool> &value) const {
    if (node.GetAttr(name, value) == ge::GRAPH_SUCCESS)
      return kFound;
    std::vector<int64_t> numbers;
    Result result = Many(name, "ints", numbers);
    if (result == kFound)
      value.assign(numbers.begin(), numbers.end());
    return result;
  }

private:
  typedef std::vector<std::string> Items;
  typedef std::map<std::string, Items> Object;

  static bool Read(const std::string &word, std::string &value) {
    value = word;
    return true;
  }
  static bool Read(const std::string &word, float &value) {
    char *end = nullptr;
    value = std::strtof(word.c_str(), &end);
    return !word.empty() && *end == '\0';
  }
  static bool Read(const std::string &word, int64_t &value) {
    char *end = nullptr;
    value = static_cast<int64_t>(std::strtoll(word.c_str(), &end, 10));
    return !word.empty() && *end == '\0';
  }

  /// The items under `key` in the object with this `name`.
  Result Find(const char *name, const char *key, Items &items) const {
    if (broken)
      return kBroken;
    for (const Object &object : objects) {
      Object::const_iterator label = object.find("name"), value = object.find(key);
      if (label == object.end() || label->second.size() != 1 || label->second[0] != name)
        continue;
      if (value == object.end())
        return kBroken;
      items = value->second;
      return kFound;
    }
    return kMissing;
  }
  template <typename T> Result One(const char *name, const char *key, T &value) const {
    Items items;
    Result result = Find(name, key, items);
    if (result != kFound)
      return result;
    return items.size() == 1 && Read(items[0], value) ? kFound : kBroken;
  }
  template <typename T> Result Many(const char *name, const char *key, std::vector<T> &values) const {
    Items items;
    Result result = Find(name, key, items);
    if (result != kFound)
      return result;
    values.resize(items.size());
    for (size_t i = 0; i < items.size(); ++i)
      if (!Read(items[i], values[i]))
        return kBroken;
    return kFound;
  }

  // A minimal JSON reader: collects objects with their scalars and lists of scalars.

  void SkipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r'))
      ++at;
  }
  bool Take(char c) {
    SkipBlanks();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    SkipBlanks();
    return true;
  }
  std::string Quoted() {
    std::string word;
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\' && at + 1 < text.size())
        ++at;
      word += text[at];
    }
    broken = broken || at >= text.size();
    ++at;
    SkipBlanks();
    return word;
  }
  /// One value; scalars are returned.
  Items Value(int depth) {
    SkipBlanks();
    Items items;
    if (broken || depth > 32 || at >= text.size()) {
      broken = true;
      return items;
    }
    if (text[at] == '{') {
      ReadObject(depth);
      return items;
    }
    if (text[at] == '"') {
      items.push_back(Quoted());
      return items;
    }
    if (Take('[')) {
      while (!broken && !Take(']')) {
        Items item = Value(depth + 1);
        items.insert(items.end(), item.begin(), item.end());
        if (!Take(',') && (at >= text.size() || text[at] != ']'))
          broken = true;
      }
      return items;
    }
    std::string word;
    while (at < text.size() &&
           (std::string("+-.").find(text[at]) != std::string::npos || (text[at] >= '0' && text[at] <= '9') ||
            (text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z')))
      word += text[at++];
    broken = broken || word.empty();
    SkipBlanks();
    if (word == "true" || word == "false")
      word = word == "true" ? "1" : "0";
    items.push_back(word);
    return items;
  }
  void ReadObject(int depth) {
    Object object;
    Take('{');
    while (!broken && !Take('}')) {
      if (at >= text.size() || text[at] != '"') {
        broken = true;
        break;
      }
      std::string key = Quoted();
      if (!Take(':')) {
        broken = true;
        break;
      }
      object[key] = Value(depth + 1);
      if (!Take(',') && (at >= text.size() || text[at] != '}'))
        broken = true;
    }
    objects.push_back(object);
  }

  const ge::Operator &node;
  std::string text;
  size_t at = 0;
  bool broken = false;
  std::vector<Object> objects;
};

} // namespace opc_onnx

#endif // OPC_ONNX_ATTRIBUTES_H
