#include "tools/opc/compile/ScheduleTable.h"

#include "tools/opc/text/TextTable.h"

#include <algorithm>

namespace opc::tool {

static std::string chosenBy(const KernelSchedule &kernel) {
  return kernel.scheduleFile.empty() ? "heuristic" : printable(kernel.scheduleFile);
}

static std::string kernelTable(const std::vector<const KernelSchedule *> &kernels) {
  std::vector<TextRow> rows = {{"key", "tiling key", "tile", "rows", "slots", "prefetch", "align", "alias", "expansion",
                                "UB bytes", "burst bytes", "chosen by"}};
  for (const KernelSchedule *kernel : kernels)
    rows.push_back({kernel->key, std::to_string(kernel->tilingKey), std::to_string(kernel->tile),
                    kernel->rows > 1 ? std::to_string(kernel->rows) : "-", std::to_string(kernel->slots),
                    kernel->prefetch ? "yes" : "no", std::to_string(kernel->alignment), kernel->alias ? "yes" : "no",
                    "float" + std::to_string(kernel->expansion), std::to_string(kernel->ubBytes),
                    std::to_string(kernel->burst), chosenBy(*kernel)});
  return textTable(rows, {false, true, true, true, true, false, true, false, false, true, true, false});
}

/// Lists kernels with equal reasons together: "flat, flat_x2_scalar: ...".
static std::string reasons(const std::vector<const KernelSchedule *> &kernels) {
  std::vector<std::pair<std::string, std::vector<std::string>>> told;
  for (const KernelSchedule *kernel : kernels)
    for (const std::string &why : kernel->why) {
      auto same = std::find_if(told.begin(), told.end(), [&](const auto &entry) { return entry.first == why; });
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
  std::string text = "schedules of '" + contract.opType + "' on " + std::string(target.name()) + ", " +
                     std::to_string(target.ubBytes()) + " bytes of UB\n";
  std::vector<std::string> types;
  std::vector<TextRow> keys;
  for (const KernelSchedule &kernel : schedules) {
    if (std::find(types.begin(), types.end(), kernel.types) == types.end())
      types.push_back(kernel.types);
    if (kernel.types == types.front())
      keys.push_back({kernel.key, kernel.form, kernel.loops});
  }
  text += "\nshape keys: dimensions coalesce to these loops\n";
  text += textTable(keys, {false, false, false});
  for (const std::string &name : types) {
    std::vector<const KernelSchedule *> kernels;
    for (const KernelSchedule &kernel : schedules)
      if (kernel.types == name)
        kernels.push_back(&kernel);
    text += "\n" + name + "\n" + kernelTable(kernels) + "\n" + reasons(kernels);
  }
  return text;
}

nlohmann::ordered_json scheduleRecord(const std::vector<KernelSchedule> &schedules, const Contract &contract,
                                      const Target &target) {
  nlohmann::ordered_json record = {
      {"schema_version", 1}, {"operator", contract.opType}, {"target", target.name()}, {"ub_bytes", target.ubBytes()}};
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
                                 {"alias", kernel.alias},
                                 {"expansion", "float" + std::to_string(kernel.expansion)},
                                 {"ub_bytes", kernel.ubBytes},
                                 {"burst_bytes", kernel.burst},
                                 {"chosen_by", chosenBy(kernel)},
                                 {"why", kernel.why}});
  return record;
}

} // namespace opc::tool
