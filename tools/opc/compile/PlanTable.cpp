#include "tools/opc/compile/PlanTable.h"

#include "runtime/diagnostic/Kilobytes.h"
#include "tools/opc/text/TextTable.h"

namespace opc::tool {

/// A location in the form of the compiler's messages: "add.mlir:5:8".
static std::string placeText(const Location &place) {
  if (place.file.empty())
    return "-";
  std::string text = printablePath(place.file);
  if (place.line)
    text += ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  return text;
}

std::string planTable(const std::vector<UbTable> &kernels, const Contract &contract, const Target &target) {
  std::string text = "UB of the kernels of '" + contract.opType + "' on " + std::string(target.name()) +
                     ", which has " + kilobytes(target.ubBytes()) + "\n";
  for (const UbTable &kernel : kernels) {
    text += "\n" + kernel.kernel + ": takes " + kilobytes(kernel.ubBytes) + ", of which " +
            kilobytes(kernel.peakBytes) + " live at the peak, " + placeText(kernel.peak) + "\n";
    std::vector<TextRow> rows = {{"buffer", "address", "takes", "slots", "at the peak", "where"}};
    for (const UbBuffer &buffer : kernel.buffers)
      rows.push_back({buffer.name, std::to_string(buffer.address), kilobytes(buffer.bytes),
                      std::to_string(buffer.slots), buffer.atPeak ? "yes" : "no", placeText(buffer.place)});
    text += textTable(rows, {false, true, true, true, false, false});
  }
  return text;
}

static nlohmann::ordered_json placeRecord(const Location &place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

nlohmann::ordered_json planRecord(const std::vector<UbTable> &kernels, const Contract &contract, const Target &target) {
  nlohmann::ordered_json record = {
      {"schema_version", 1}, {"operator", contract.opType}, {"target", target.name()}, {"ub_bytes", target.ubBytes()}};
  record["plans"] = nlohmann::ordered_json::array();
  for (const UbTable &kernel : kernels) {
    nlohmann::ordered_json buffers = nlohmann::ordered_json::array();
    for (const UbBuffer &buffer : kernel.buffers)
      buffers.push_back({{"name", buffer.name},
                         {"address", buffer.address},
                         {"bytes", buffer.bytes},
                         {"slots", buffer.slots},
                         {"at_peak", buffer.atPeak},
                         {"place", placeRecord(buffer.place)}});
    record["plans"].push_back({{"kernel", kernel.kernel},
                               {"ub_bytes", kernel.ubBytes},
                               {"peak_bytes", kernel.peakBytes},
                               {"peak", placeRecord(kernel.peak)},
                               {"buffers", std::move(buffers)}});
  }
  return record;
}

} // namespace opc::tool
