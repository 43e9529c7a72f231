// Whether a header that was read before can stand for the one that a source includes.
//
// A source that includes the header first, in a compilation whose macros are none of the header's words, cannot tell
// the difference. Any other source could: it might lack the include, or mean another header, or change what the header
// says.

#ifndef OPC_TOOLS_OPC_SOURCE_COMPILER_HEADERFIRST_H
#define OPC_TOOLS_OPC_SOURCE_COMPILER_HEADERFIRST_H

#include <string>

namespace opc::tool {

/// The text of all of opc's headers, with their names, in the order of the names; empty when one cannot be read.
const std::string &headerTexts(const std::string &headers);

/// Whether a definition of the command line ("NAME=VALUE") cannot change what opc's headers, or those that they
/// include, say: NAME is no word of opc's headers, and not reserved for the standard library.
bool isApartFromHeaders(const std::string &definition, const std::string &headers);

/// Whether the first thing in a source is to include `name`, a header of opc's: comments may precede it, and files
/// beside the source may lead there. A file beside the source that has this name is not opc's.
bool includesFirst(const std::string &path, const std::string &text, const std::string &name);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_COMPILER_HEADERFIRST_H
