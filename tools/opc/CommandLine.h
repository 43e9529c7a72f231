// The frame around the commands of `opc`: parses arguments, selects the command, reports errors.

#ifndef OPC_TOOLS_OPC_COMMANDLINE_H
#define OPC_TOOLS_OPC_COMMANDLINE_H

namespace opc::tool {

/// Runs the command that the arguments name and returns the exit status of the process. Does not throw.
int runCommandLine(int argc, char **argv);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMMANDLINE_H
