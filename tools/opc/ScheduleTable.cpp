#include "tools/opc/ScheduleTable.h"

#include <algorithm>

namespace opc::tool {

using Row = std::vector<std::string>;

static std::string chosenBy(const KernelSchedule &kernel) {
  return kernel.scheduleFile.empty() ? "heuristic" : printable(kernel.scheduleFile);
}

/// Columns as wide as their widest cell, numbers to the right.
static std::string table(const std::vector<Row> &rows, const std::vector<bool> &isNumber) {
  std::vector<size_t> widths(isNumber.size());
  for (const Row &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row &row : rows) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i) {
      std::string blanks(widths[i] - row[i].size(), ' ');
      line += " " + (isNumber[i] ? blanks + row[i] : row[i] + blanks) + " ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

static std::string kernelTable(const std::vector<const KernelSchedule *> &kernels) {
  std::vector<Row> rows = {{"key", "tiling key", "tile", "rows", "slots", "prefetch", "align",
                            "UB bytes", "burst bytes", "chosen by"}};
  for (const KernelSchedule *kernel : kernels)
    rows.push_back({kernel->key, std::to_string(kernel->tilingKey), std::to_string(kernel->tile),
                    kernel->rows > 1 ? std::to_string(kernel->rows) : "-",
                    std::to_string(kernel->slots), kernel->prefetch ? "yes" : "no",
                    std::to_string(kernel->alignment), std::to_string(kernel->ubBytes),
                    std::to_string(kernel->burst), chosenBy(*kernel)});
  return table(rows, {false, true, true, true, true, false, true, true, true, false});
}

/// Kernels that have the same text in a field are told together: "flat, flat_x2_scalar: ...".
static std::string reasons(const std::vector<const KernelSchedule *> &kernels) {
  std::vector<std::pair<std::string, std::vector<std::string>>> told;
  for (const KernelSchedule *kernel : kernels)
    for (const std::string &why : kernel->why) {
      auto same = std::find_if(told.begin(), told.end(),
                               [&](const auto &entry) { return entry.first == why; });
      if (same == told.end())
        same = told.insert(told.end(), {why, {}});
      same->second.push_back(kernel->key);
    }
  std::string text;
  for (const auto &[why, keys] : told) {
    text += "  " + why + "\n";
    if (keys.size() == kernels.size())
      continue;
    std::string names;
    for (const std::string &key : keys)
      names += (names.empty() ? "" : ", ") + key;
    text += "    in " + names + "\n";
  }
  return text;
}

std::string scheduleTable(const std::vector<KernelSchedule> &schedules, const Contract &contract,
                          const Target &target) {
  std::string text = "schedules of '" + contract.opType + "' on " + std::string(target.name()) +
                     ", " + std::to_string(target.ubBytes()) + " bytes of UB\n";
  std::vector<std::string> types;
  std::vector<Row> keys;
  for (const KernelSchedule &kernel : schedules) {
    if (std::find(types.begin(), types.end(), kernel.types) == types.end())
      types.push_back(kernel.types);
    if (kernel.types == types.front())
      keys.push_back({kernel.key, kernel.form, kernel.loops});
  }
  text += "\nshape keys: dimensions coalesce to these loops\n";
  text += table(keys, {false, false, false});
  for (const std::string &name : types) {
    std::vector<const KernelSchedule *> kernels;
    for (const KernelSchedule &kernel : schedules)
      if (kernel.types == name)
        kernels.push_back(&kernel);
    text += "\n" + name + "\n" + kernelTable(kernels) + "\n" + reasons(kernels);
  }
  return text;
}

nlohmann::ordered_json scheduleRecord(const std::vector<KernelSchedule> &schedules,
                                      const Contract &contract, const Target &target) {
  nlohmann::ordered_json record = {{"schema_version", 1},
                                   {"operator", contract.opType},
                                   {"target", target.name()},
                                   {"ub_bytes", target.ubBytes()}};
  record["kernels"] = nlohmann::ordered_json::array();
  for (const KernelSchedule &kernel : schedules)
    record["kernels"].push_back({{"kernel", kernel.kernel},
                                 {"types", kernel.types},
                                 {"key", kernel.key},
                                 {"tiling_key", kernel.tilingKey},
                                 {"form", kernel.form},
                                 {"loops", kernel.loops},
                                 {"tile", kernel.tile},
                                 {"rows", kernel.rows},
                                 {"slots", kernel.slots},
                                 {"prefetch", kernel.prefetch},
                                 {"alignment", kernel.alignment},
                                 {"ub_bytes", kernel.ubBytes},
                                 {"burst_bytes", kernel.burst},
                                 {"chosen_by", chosenBy(kernel)},
                                 {"why", kernel.why}});
  return record;
}

} // namespace opc::tool
