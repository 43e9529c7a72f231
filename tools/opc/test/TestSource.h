// `opc test --source`: an operator in Ascend C against a reference in Python.

#ifndef OPC_TOOLS_OPC_TEST_TESTSOURCE_H
#define OPC_TOOLS_OPC_TEST_TESTSOURCE_H

#include "tools/opc/Command.h"
#include "tools/opc/source/SourceOptions.h"
#include "tools/opc/test/TestRun.h"

namespace opc::tool {

/// Tests every row of an operator's types with cases of the reference, or with shapes of all kinds: under all
/// sanitizers, then in adversarial orders. A failure is reported at the lines of the kernel with the smallest
/// failing shape.
ExitCode testSource(const SourceRunOptions &source, const TestOptions &options, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEST_TESTSOURCE_H
