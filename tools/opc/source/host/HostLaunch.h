// Internal declarations of this folder: functions that run in a child, and the framework's numbers of types.

#ifndef OPC_TOOLS_OPC_SOURCE_HOST_HOSTLAUNCH_H
#define OPC_TOOLS_OPC_SOURCE_HOST_HOSTLAUNCH_H

#include "runtime/ascendc/host/HostInterface.h"
#include "tools/opc/process/GuardedChild.h"
#include "tools/opc/source/host/HostSource.h"

namespace opc::tool {

/// Loads an object of host files in a child. If it cannot, ends the child with an answer of one part, the reason.
ascendc::HostObject *loadHostObject(ChildSide &side, const std::string &path);

/// In a child: the definitions of an object of host files as JSON.
std::string definitionText(ascendc::HostObject &object);
/// Reads that text into `source`; false after reporting E0805.
bool readDefinition(const std::string &text, HostSource &source, Diagnostics &diagnostics);

/// The element type with a number of ge::DataType; nullopt for types that opc lacks.
std::optional<ElementType> elementTypeOfFramework(int number);
/// "DT_FLOAT16", or "type 99" for an unknown number.
std::string frameworkTypeName(int number);
int frameworkNumber(ElementType element);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_HOST_HOSTLAUNCH_H
