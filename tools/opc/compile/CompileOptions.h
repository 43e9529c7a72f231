// The options of `opc compile` and `opc test` that say what is compiled: declared, and read against a contract.

#ifndef OPC_TOOLS_OPC_COMPILE_COMPILEOPTIONS_H
#define OPC_TOOLS_OPC_COMPILE_COMPILEOPTIONS_H

#include "lowering/pipelines/Compile.h"
#include "tools/opc/Arguments.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// --soc_version, --dtype and --body: the same in every command that compiles. `standard` says what holds without the
/// option, or is empty.
Option addChip(Arguments &arguments, std::string &value, const std::string &standard);
Option addTypeRows(Arguments &arguments, std::string &value);
Option addBody(Arguments &arguments, std::string &value, const std::string &help);

/// The chip of --soc_version; null, with E0106 and the nearest name, when there is none.
const Target *chooseTarget(const std::string &socVersion, Diagnostics &diagnostics);

/// The body of --body ("" is the contract's first); null, with E0104, when the contract has none at that level.
const ContractBody *chooseBody(const Contract &contract, const std::string &level, Diagnostics &diagnostics);

/// Type rows of --dtype: names of rows ("float16") with ',' between them; "" is all. E0104 with the nearest name.
std::vector<unsigned> chooseTypeRows(const Contract &contract, const std::string &names, Diagnostics &diagnostics);

/// --cpu-levels.
Option addCpuLevels(Arguments &arguments, std::string &value);
/// Levels of --cpu-levels, names or short names ("v3") with ',' between them, in the order of cpuLevelNames(); "" is
/// none. E0104 with the nearest name, or for levels of two architectures.
std::vector<std::string> chooseCpuLevels(const std::string &names, Diagnostics &diagnostics);

/// --op_mode and --input_shape; `help` is the mode's.
void addOpMode(Arguments &arguments, std::string &opMode, std::string &inputShape, const std::string &help);
/// --op_mode and --input_shape belong together: E0103 for one without the other.
void checkOpMode(const std::string &opMode, const std::string &inputShape, Diagnostics &diagnostics);

/// An input as --input_shape names it.
struct NamedInput {
  std::string name;
  bool required = true;
};
/// Shapes of --input_shape by input, or of what `option` is the name of; E0103, E0104 or E0109. Whether the operator
/// takes them is not looked at.
std::optional<std::map<std::string, std::vector<int64_t>>>
parseInputShapes(const std::string &opType, const std::vector<NamedInput> &inputs, const std::string &text,
                 Diagnostics &diagnostics, const std::string &option = "--input_shape");
/// Shapes of --input_shape, "x1:2,3;x2:2,3": one for each input, held to the contract. E0104, or E0112 where the
/// shapes break it.
std::optional<std::map<std::string, std::vector<int64_t>>>
chooseInputShapes(const Contract &contract, const std::string &text, Diagnostics &diagnostics,
                  const std::string &option = "--input_shape");

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_COMPILEOPTIONS_H
