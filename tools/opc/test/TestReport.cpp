#include "tools/opc/test/TestReport.h"

#include "tools/opc/text/Words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace opc::tool {

static bool reducesAny(const Contract &contract) {
  return std::any_of(contract.outputs.begin(), contract.outputs.end(),
                     [](const ContractTensor &output) { return bool(output.reduces); });
}

void warnBeyond(const Contract &contract, const std::vector<TestRow> &rows, Diagnostics &diagnostics) {
  std::string found;
  for (const TestRow &row : rows)
    if (row.beyond)
      found += (found.empty() ? "" : ", ") + row.typeRow + " by up to " + numberText("%.3g ulp", row.sum.worstUlp);
  if (!found.empty())
    diagnostics.warning(Code::E0700, contract.location,
                        "with the worst results that the chip's functions may have, the operator misses its "
                        "tolerance: " +
                            found,
                        "",
                        "state in 'chip_tolerance' what holds on the chip, or choose a formula that loses less; "
                        "--numerics=worst makes this an error");
}

void reportTest(const Contract &contract, const std::vector<TestRow> &rows, size_t refused,
                const TestOpinions &opinions, Context &context) {
  if (!context.json())
    std::printf("%-8s %-14s %-6s %-8s %8s %12s %10s %12s  %s\n", "body", "types", "device", "numerics", "cases",
                "elements", "left open", "worst ulp", "result");
  for (const TestRow &row : rows) {
    if (context.json()) {
      nlohmann::ordered_json record = {
          {"schema_version", 1},
          {"operator", contract.opType},
          {"body", row.body},
          {"type_row", row.typeRow},
          {"device", row.device},
          {"numerics", row.numerics.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(row.numerics)},
          {"cases", row.cases},
          {"failed", row.failed},
          {"elements", row.sum.compared},
          {"left_open", row.sum.skipped},
          {"wrong", row.sum.wrong},
          {"worst_ulp", row.sum.worstUlp},
          {"refused_shapes", refused},
          {"skipped", !row.hasKernel},
          {"reduces", reducesAny(contract)},
          {"depends", row.depends},
          {"beyond", row.beyond},
          {"onnx", opinions.operatorName},
          {"onnx_cases", opinions.cases}};
      std::cout << record.dump() << '\n';
      continue;
    }
    std::printf("%-8s %-14s %-6s %-8s %8zu %12lld %10lld %12.3g  %s\n", row.body.c_str(), row.typeRow.c_str(),
                row.device.c_str(), row.numerics.empty() ? "-" : row.numerics.c_str(), row.cases,
                static_cast<long long>(row.sum.compared), static_cast<long long>(row.sum.skipped), row.sum.worstUlp,
                row.failed       ? (std::to_string(row.failed) + " FAILED").c_str()
                : row.depends    ? ("depends on it: " + std::to_string(row.depends)).c_str()
                : row.beyond     ? ("beyond tolerance: " + std::to_string(row.beyond)).c_str()
                : !row.hasKernel ? "skipped"
                                 : "passed");
  }
  std::fflush(stdout);
  size_t without = size_t(std::count_if(rows.begin(), rows.end(),
                                        [](const TestRow &row) { return !row.hasKernel && row.numerics != "worst"; }));
  if (without)
    context.info("skipped: " + std::to_string(without) + " type rows that a device has no kernel for");
  if (opinions.cases)
    context.info("the reference agrees with ONNX Runtime's " + opinions.operatorName + " on " +
                 std::to_string(opinions.cases) + " shapes");
  else if (!opinions.missingModule.empty())
    context.info("skipped: the comparison with ONNX Runtime; Python lacks '" + opinions.missingModule + "'");
  if (refused)
    context.info("skipped: " + std::to_string(refused) + " shapes that the contract refuses");
}

} // namespace opc::tool
