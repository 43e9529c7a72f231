// Fewer CPU levels for a test.
//
// LLVM takes more than half of the time of a compilation, and as long for each CPU level, while a machine runs the best
// one only. With
//
//   OPC_TEST_CPU_LEVELS=v4,v4-vnni   te bodies are compiled for those of their default levels that it names
//
// If it names none of them, all are compiled. Levels that a command names stay as they are, and so does the level that
// `opc test` takes. Kernels of such a compiler are apart in the kernel cache, since compilerBuild() names the levels.
// A name of no level is refused wherever something is compiled, and a command that writes fewer levels says so: a
// variable that stays in a shell must not go unnoticed.

#ifndef OPC_LOWERING_PIPELINES_OPERATOR_TESTLEVELS_H
#define OPC_LOWERING_PIPELINES_OPERATOR_TESTLEVELS_H

#include "runtime/diagnostic/Diagnostic.h"

#include <string>
#include <vector>

namespace opc {

/// Those of the default levels that a test asks for; without such a test, or if it asks for none of them, all.
std::vector<std::string> levelsOfTest(std::vector<std::string> defaults);
/// Whether all that the variable names are levels; reports E0104 otherwise.
bool checkLevelsOfTest(Diagnostics &diagnostics);
/// "x86-64-v4,x86-64-v4-vnni" where a test leaves out some of the default levels; empty otherwise.
std::string fewerLevels();

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_OPERATOR_TESTLEVELS_H
