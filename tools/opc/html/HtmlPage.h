// Pages in a single HTML file: their parts are in the program, and their data is embedded JSON.

#ifndef OPC_TOOLS_OPC_HTML_HTMLPAGE_H
#define OPC_TOOLS_OPC_HTML_HTMLPAGE_H

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace opc::tool {

/// The part `file` with each "{{name}}" replaced by the part of that name, and "{{data}}" by the data. No character of
/// the data can end a script, and bytes that are not UTF-8 are replaced. Text in a part is not expanded again.
std::string htmlPage(std::map<std::string, std::string> parts, const std::string &file,
                     const nlohmann::ordered_json &data);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_HTML_HTMLPAGE_H
