// Runs the cases of `opc test`: a body is compiled into a folder and launched on each requested device, the simulator
// with all its sanitizers, and the session compares the results.

#ifndef OPC_TOOLS_OPC_TEST_TESTRUN_H
#define OPC_TOOLS_OPC_TEST_TESTRUN_H

#include "runtime/core/operator/OpFolder.h"
#include "runtime/device/Device.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/run/KernelServer.h"
#include "tools/opc/test/TestOptions.h"
#include "tools/opc/test/TestReport.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// After this many errors, failures are counted and not reported.
inline constexpr size_t kMaxFailuresTold = 10;

/// A device and how it runs.
struct AskedDevice {
  std::string device;
  std::string numerics; ///< as in TestRow
};

/// The requested devices; the simulator twice for both kinds of numerics.
std::vector<AskedDevice> askedOf(const TestOptions &options);

/// A body under test.
struct TestBody {
  std::string name;
  std::unique_ptr<OpFolder> folder; ///< kernels point into its manifest
  std::vector<std::unique_ptr<Device>> devices;
  std::unique_ptr<KernelServer> server; ///< its memory has the tensors of a case
};

/// Compiles a body for type rows into `folder` and creates the devices; nullopt after reporting an error.
std::optional<TestBody> prepareBody(const TestOptions &options, const Contract &contract, const ContractBody &body,
                                    const std::vector<unsigned> &rows, const StaticShapes &shapes,
                                    const std::string &folder, Diagnostics &diagnostics);

/// Runs the cases of one type row on all requested devices; `ofDevices` has a row for each. False when the session
/// cannot continue.
bool runTypeRow(const TestOptions &options, const Contract &contract, TestBody &body, unsigned typeRow,
                const std::vector<TestCase> &sample, const std::vector<AskedDevice> &asked, TestSession &session,
                TestRow *ofDevices, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TEST_TESTRUN_H
