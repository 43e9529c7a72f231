#include "tools/opc/html/HtmlPage.h"

namespace opc::tool {

/// Escapes JSON for a script element.
static std::string inScript(const std::string &json) {
  std::string text;
  text.reserve(json.size() + json.size() / 16);
  for (char c : json) {
    switch (c) {
    case '<':
      text += "\\u003c";
      break;
    case '>':
      text += "\\u003e";
      break;
    case '&':
      text += "\\u0026";
      break;
    default:
      text += c;
    }
  }
  return text;
}

std::string htmlPage(std::map<std::string, std::string> parts, const std::string &file,
                     const nlohmann::ordered_json &data) {
  using Json = nlohmann::ordered_json;
  parts["data"] = inScript(data.dump(-1, ' ', true, Json::error_handler_t::replace));
  const std::string &frame = parts[file];
  std::string page;
  for (size_t from = 0;;) {
    const size_t open = frame.find("{{", from), close = frame.find("}}", open);
    page.append(frame, from, open == std::string::npos ? open : open - from);
    if (open == std::string::npos || close == std::string::npos)
      return page;
    page += parts[frame.substr(open + 2, close - open - 2)];
    from = close + 2;
  }
}

} // namespace opc::tool
