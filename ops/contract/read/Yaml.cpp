// Turns parser events of yaml-cpp into a tree of plain values. Only this file uses yaml-cpp; it is compiled
// with exceptions.

#include "ops/contract/read/Yaml.h"

#include "yaml-cpp/eventhandler.h"
#include "yaml-cpp/exceptions.h"
#include "yaml-cpp/parser.h"

#include <sstream>
#include <unordered_set>

namespace opc {

namespace {

constexpr size_t kMaxDepth = 32;

/// Thrown through yaml-cpp to end the parse; the error is already reported.
struct Stop {};

/// Builds the tree. Each open list or mapping is a frame; a finished value goes into the frame below it.
class TreeBuilder : public YAML::EventHandler {
public:
  TreeBuilder(std::string_view text, ContractErrors &errors) : text(text), errors(errors) {}

  YamlNode root;

  void OnDocumentStart(const YAML::Mark &) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    checkAnchor(mark, anchor);
    finish(node(YamlNode::Null, mark));
  }

  void OnAlias(const YAML::Mark &mark, YAML::anchor_t) override {
    errors.report(ContractRule::Anchor, location(mark), "expects no anchors, aliases or merge keys, found an alias",
                  "write the value out");
    finish(node(YamlNode::Null, mark));
  }

  void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                const std::string &value) override {
    checkAnchor(mark, anchor);
    checkTag(mark, tag);
    checkClosed(mark);
    YamlNode scalar = node(YamlNode::Scalar, mark);
    scalar.quoted = tag == "!";
    scalar.text = value;
    finish(std::move(scalar));
  }

  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::List, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

private:
  struct Frame {
    YamlNode node;
    bool hasKey = false, dropsValue = false;
    YamlEntry entry; ///< the key that waits for its value
    std::unordered_set<std::string> keys;
  };

  Location location(const YAML::Mark &mark) const {
    return errors.at(static_cast<unsigned>(mark.line + 1), static_cast<unsigned>(mark.column + 1));
  }

  static YamlNode node(YamlNode::Kind kind, const YAML::Mark &mark) {
    YamlNode result;
    result.kind = kind;
    result.line = static_cast<unsigned>(mark.line + 1);
    result.column = static_cast<unsigned>(mark.column + 1);
    return result;
  }

  void checkAnchor(const YAML::Mark &mark, YAML::anchor_t anchor) {
    if (anchor != 0)
      errors.report(ContractRule::Anchor, location(mark), "expects no anchors, aliases or merge keys, found an anchor",
                    "remove the '&' and its name");
  }

  /// yaml-cpp passes the tag "?" for a plain node and "!" for a quoted scalar; a tag is the user's only if the text
  /// has a '!' at this position.
  void checkTag(const YAML::Mark &mark, const std::string &tag) {
    size_t position = static_cast<size_t>(mark.pos);
    bool written = position < text.size() && text[position] == '!';
    if (tag.empty() || ((tag == "?" || tag == "!") && !written))
      return;
    errors.report(ContractRule::Tag, location(mark), "expects no tags, found one",
                  "remove the tag: the key says the type");
  }

  /// yaml-cpp accepts the end of the file after a line break as a closing quote.
  void checkClosed(const YAML::Mark &mark) {
    size_t position = static_cast<size_t>(mark.pos);
    char quote = position < text.size() ? text[position] : '\0';
    if (quote != '"' && quote != '\'')
      return;
    // In single quotes a doubled quote is an escaped one, in double quotes a backslash escapes the next character.
    for (size_t i = position + 1; i < text.size(); ++i) {
      bool escapes = quote == '"' ? text[i] == '\\' : text.substr(i, 2) == "''";
      if (escapes)
        ++i;
      else if (text[i] == quote)
        return;
    }
    errors.report(ContractRule::Syntax, location(mark), "expects well-formed YAML, found a quote that is not closed");
    throw Stop();
  }

  void open(YamlNode::Kind kind, const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor) {
    if (frames.size() == kMaxDepth) {
      errors.report(ContractRule::Depth, location(mark),
                    "expects at most 32 levels of lists and mappings, found one more");
      throw Stop();
    }
    checkAnchor(mark, anchor);
    checkTag(mark, tag);
    frames.emplace_back();
    frames.back().node = node(kind, mark);
  }

  void close() {
    YamlNode done = std::move(frames.back().node);
    frames.pop_back();
    finish(std::move(done));
  }

  void finish(YamlNode done) {
    if (frames.empty()) {
      root = std::move(done);
      return;
    }
    Frame &frame = frames.back();
    if (frame.node.kind == YamlNode::List) {
      frame.node.items.push_back(std::move(done));
      return;
    }
    if (!frame.hasKey) {
      takeKey(frame, std::move(done));
      return;
    }
    frame.hasKey = false;
    if (frame.dropsValue)
      return;
    frame.entry.value = std::move(done);
    // Events give an empty value no position: use that of its key.
    if (frame.entry.value.kind == YamlNode::Null)
      frame.entry.value.line = frame.entry.line, frame.entry.value.column = frame.entry.column;
    frame.node.entries.push_back(std::move(frame.entry));
  }

  void takeKey(Frame &frame, YamlNode key) {
    frame.hasKey = true;
    frame.dropsValue = true;
    Location where = errors.at(key.line, key.column);
    if (key.kind != YamlNode::Scalar) {
      errors.report(ContractRule::KeyOnce, where, "expects a text as the key of a mapping, found " + describe(key));
      return;
    }
    if (key.text == "<<" && !key.quoted) {
      errors.report(ContractRule::Anchor, where, "expects no anchors, aliases or merge keys, found '<<'",
                    "write the keys out");
      return;
    }
    if (!frame.keys.insert(key.text).second) {
      errors.report(ContractRule::KeyOnce, where,
                    "expects each key of a mapping once, found '" + printable(key.text) + "' again",
                    "remove one of the two");
      return;
    }
    frame.dropsValue = false;
    frame.entry = YamlEntry{std::move(key.text), key.line, key.column, {}};
  }

  std::string_view text;
  ContractErrors &errors;
  std::vector<Frame> frames;
};

/// Finds a second document.
class DocumentFinder : public YAML::EventHandler {
public:
  bool found = false;
  YAML::Mark where;

  void OnDocumentStart(const YAML::Mark &mark) override {
    found = true;
    where = mark;
    throw Stop();
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark &, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark &, const std::string &, YAML::anchor_t, const std::string &) override {}
  void OnSequenceStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

} // namespace

/// The first line whose indentation contains a tab, 0 when there is none.
static unsigned tabbedLine(std::string_view text) {
  unsigned line = 1;
  bool inFront = true;
  for (char c : text) {
    if (inFront && c == '\t')
      return line;
    inFront = c == '\n' || (inFront && c == ' ');
    line += c == '\n';
  }
  return 0;
}

std::optional<YamlNode> readYaml(std::string_view text, ContractErrors &errors) {
  TreeBuilder builder(text, errors);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      errors.report(ContractRule::OneDocument, errors.at(1, 1), "expects one YAML document, found an empty file");
      return std::nullopt;
    }
    DocumentFinder second;
    try {
      parser.HandleNextDocument(second);
    } catch (const Stop &) {
      errors.report(
          ContractRule::OneDocument,
          errors.at(static_cast<unsigned>(second.where.line + 1), static_cast<unsigned>(second.where.column + 1)),
          "expects one YAML document, found a second one", "remove the '---' or what follows it");
    }
  } catch (const Stop &) {
    return std::nullopt;
  } catch (const YAML::Exception &error) {
    unsigned line = error.mark.is_null() ? 0 : static_cast<unsigned>(error.mark.line + 1);
    unsigned column = error.mark.is_null() ? 0 : static_cast<unsigned>(error.mark.column + 1);
    // For a tab the parser reports a later position and not the cause.
    if (unsigned tab = tabbedLine(text)) {
      errors.report(ContractRule::Syntax, errors.at(tab, 1), "expects lines that are indented by blanks, found a tab",
                    "put blanks in its place");
      return std::nullopt;
    }
    errors.report(ContractRule::Syntax, errors.at(line, column),
                  "expects well-formed YAML, found: " + printable(error.msg, 120));
    return std::nullopt;
  } catch (const std::exception &error) {
    errors.report(ContractRule::Syntax, errors.at(0, 0),
                  "expects well-formed YAML, found: " + printable(error.what(), 120));
    return std::nullopt;
  }
  if (builder.root.kind != YamlNode::Map) {
    errors.report(ContractRule::OneDocument, errors.at(builder.root.line, builder.root.column),
                  "expects a mapping with op_type, inputs and outputs, found " + describe(builder.root));
    return std::nullopt;
  }
  return std::move(builder.root);
}

} // namespace opc
