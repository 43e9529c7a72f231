// Binds the parameters of a kernel in Ascend C to tensors, tiling data and workspace.

#ifndef OPC_TOOLS_OPC_SOURCE_SOURCEBIND_H
#define OPC_TOOLS_OPC_SOURCE_SOURCEBIND_H

#include "tools/opc/Assignment.h"
#include "tools/opc/source/SourceLaunch.h"
#include "tools/opc/source/host/HostSource.h"

#include <map>
#include <string>
#include <vector>

namespace opc::tool {

/// The options about outputs: "y:2,3;z:4" and "y:float16", by name.
struct OutputTexts {
  std::string shapes, types;
};

/// The shapes that the command line gives to outputs of an operator, in the definition's order.
std::vector<std::optional<Shape>> givenOutputShapes(const HostOperator &op, const OutputTexts &texts,
                                                    Diagnostics &diagnostics);

/// Reports E0527 for an output without a shape: InferShape gave a size below 0, and the command line none.
bool checkOutputShapes(const HostOperator &op, const std::vector<Shape> &shapes, Diagnostics &diagnostics);

/// The names of a kernel's tensors without a definition: its parameters except the workspace and the tiling data.
std::vector<std::string> tensorNames(const SourceFunction &kernel);

/// Parses "x:2,3;y:4" to shapes by name; reports E0104, E0109 and E0804, which names the option.
std::map<std::string, Shape> parseShapes(const std::string &text, const char *option,
                                         const std::vector<std::string> &known, Diagnostics &diagnostics);

/// Binds a kernel that has no host files by the names of its parameters: inputs are in `launch.tensors`, any other
/// parameter is an output with the shape and type of the first input or of `texts`. Those in `outputs` are in
/// `launch.tensors` too. An input in `stored` is in place: the kernel stores to it, and a parameter x_ref has the
/// memory of x. Reports E0104, E0109, E0527, E0804.
bool bindByName(const SourceFunction &kernel, const OutputTexts &texts, const std::vector<std::string> &outputs,
                const std::vector<std::string> &stored, SourceLaunch &launch, Diagnostics &diagnostics);

/// Binds a kernel to the tensors of its operator's definition by position: inputs, outputs, workspace, tiling data. An
/// output with the name of an input has its memory. `launch.tensors` has the given inputs. Reports E0804 if the kernel
/// has another number of parameters.
bool bindByDefinition(const SourceFunction &kernel, const HostOperator &op, unsigned typeRow,
                      const HostLaunchResult &host, const OutputTexts &texts, SourceLaunch &launch,
                      Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_SOURCEBIND_H
