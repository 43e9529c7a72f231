// Whether a precompiled header can replace the one that a source includes.
//
// A source that includes the header first, in a compilation whose macros are not names of the header, gives the same
// result. For any other source the result could differ: it might lack the include, include another header, or change
// the header's meaning.

#ifndef OPC_TOOLS_OPC_SOURCE_COMPILER_HEADERFIRST_H
#define OPC_TOOLS_OPC_SOURCE_COMPILER_HEADERFIRST_H

#include <string>

namespace opc::tool {

/// The text of all of opc's headers, with their names, in the order of the names; empty when one cannot be read.
const std::string &headerTexts(const std::string &headers);

/// Whether a definition of the command line ("NAME=VALUE") cannot affect opc's headers or those that they include: NAME
/// does not occur in opc's headers, and is not reserved for the standard library.
bool isApartFromHeaders(const std::string &definition, const std::string &headers);

/// Whether a source first includes `name`, a header of opc, directly or through files beside it; comments may precede
/// it. A file beside the source with this name is not opc's.
bool includesFirst(const std::string &path, const std::string &text, const std::string &name);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_COMPILER_HEADERFIRST_H
