// The results of `opc test`: counters, and printing.

#ifndef OPC_TOOLS_OPC_TEST_TESTREPORT_H
#define OPC_TOOLS_OPC_TEST_TESTREPORT_H

#include "tools/opc/Command.h"
#include "tools/opc/test/TestSession.h"

namespace opc::tool {

/// Results of one body, type row, device and, on the simulator, kind of numerics.
struct TestRow {
  std::string body, typeRow, device;
  std::string numerics;   ///< "exact" or "worst"; empty for other devices
  bool hasKernel = false; ///< of a body with any values of attributes; else nothing ran
  size_t cases = 0, failed = 0;
  bool stopped = false; ///< the kernel ended its process or did not end: skip further cases
  size_t depends = 0;   ///< cases that fail only because results were perturbed
  size_t beyond = 0;    ///< cases that exceed the tolerance only with the chip's worst numerics
  TestVerdict sum;
};

/// Results of comparing the reference with ONNX Runtime.
struct TestOpinions {
  std::string operatorName, missingModule;
  size_t cases = 0;
};

/// Prints a row for each body, type row and device, as a table or as records; `refused`: shapes that the contract
/// refuses.
void reportTest(const Contract &contract, const std::vector<TestRow> &rows, size_t refused,
                const TestOpinions &opinions, Context &context);

/// Warns once about type rows that exceed the tolerance because of the chip's unpublished accuracy.
void warnBeyond(const Contract &contract, const std::vector<TestRow> &rows, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEST_TESTREPORT_H
