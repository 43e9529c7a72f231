// The options of `opc compile` and `opc test` that select what is compiled: their declarations, and their values
// checked against a contract.

#ifndef OPC_TOOLS_OPC_COMPILE_COMPILEOPTIONS_H
#define OPC_TOOLS_OPC_COMPILE_COMPILEOPTIONS_H

#include "lowering/pipelines/Compile.h"
#include "tools/opc/Arguments.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// --soc_version, --dtype and --body, which are the same in every command that compiles. `standard` describes the
/// default, or is empty.
Option addChip(Arguments &arguments, std::string &value, const std::string &standard);
Option addTypeRows(Arguments &arguments, std::string &value);
Option addBody(Arguments &arguments, std::string &value, const std::string &help);

/// The chip of --soc_version; null after reporting E0106 with the nearest name when it is unknown.
const Target *chooseTarget(const std::string &socVersion, Diagnostics &diagnostics);

/// The body of --body ("" is the contract's first); null after reporting E0104 when the contract has no body at
/// that level.
const ContractBody *chooseBody(const Contract &contract, const std::string &level, Diagnostics &diagnostics);

/// The type rows of --dtype: names of rows ("float16") separated by ','; "" means all. Reports E0104 with the nearest
/// name for an unknown one.
std::vector<unsigned> chooseTypeRows(const Contract &contract, const std::string &names, Diagnostics &diagnostics);

/// --cpu-levels; `remark` tells the default.
Option addCpuLevels(Arguments &arguments, std::string &value,
                    const std::string &remark = "default v3,v4; of products of bytes v3,v3-vnni,v4,v4-vnni; none: no "
                                                "kernels for the CPU, unless it alone runs the operator");
/// The levels of --cpu-levels, names or short names ("v3") separated by ',', in the order of cpuLevelNames(); ""
/// means the default. Reports E0104, with the nearest name for an unknown one, and for levels of two architectures.
std::vector<std::string> chooseCpuLevels(const std::string &names, Diagnostics &diagnostics);
/// Whether --cpu-levels asks for a folder with kernels for the CPU. "none", which has no levels to choose, does not.
bool asksForCpuKernels(const std::string &names);

/// What a command that was asked for the levels `names` says of an environment that leaves out some of the default
/// ones: "; OPC_TEST_CPU_LEVELS leaves x86-64-v3 of the CPU levels"; empty where nothing is left out.
std::string fewerLevelsNote(const std::string &names);

/// --op_mode and --input_shape; `help` is that of the mode.
void addOpMode(Arguments &arguments, std::string &opMode, std::string &inputShape, const std::string &help);
/// Checks that --op_mode=static and --input_shape are used together; reports E0103 otherwise.
void checkOpMode(const std::string &opMode, const std::string &inputShape, Diagnostics &diagnostics);

/// An input that --input_shape may name.
struct NamedInput {
  std::string name;
  bool required = true;
};
/// The dimensions of --input_shape, or of `option`, by input, as texts. Returns nullopt after reporting E0103, E0104,
/// also for a dimension that `isDimension` refuses, or E0109. `form` is the syntax of an input in messages.
std::optional<std::map<std::string, std::vector<std::string>>>
splitInputShapes(const std::string &opType, const std::vector<NamedInput> &inputs, const std::string &text,
                 const std::function<bool(const std::string &)> &isDimension, const std::string &form,
                 Diagnostics &diagnostics, const std::string &option = "--input_shape");
/// A size without a sign; nullopt for other texts.
std::optional<int64_t> parseSize(std::string_view text);
/// Parses the shapes of --input_shape, or of `option`, by input. Returns nullopt after reporting E0103, E0104 or
/// E0109. Does not check whether the operator accepts the shapes.
std::optional<std::map<std::string, std::vector<int64_t>>>
parseInputShapes(const std::string &opType, const std::vector<NamedInput> &inputs, const std::string &text,
                 Diagnostics &diagnostics, const std::string &option = "--input_shape");
/// Parses the shapes of --input_shape, "x1:2,3;x2:2,3", one for each input, and checks them against the contract.
/// Returns nullopt after reporting E0104, or E0112 when the contract refuses the shapes.
std::optional<std::map<std::string, std::vector<int64_t>>>
chooseInputShapes(const Contract &contract, const std::string &text, Diagnostics &diagnostics,
                  const std::string &option = "--input_shape");

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_COMPILEOPTIONS_H
