// `opc pkg doctor`: examines the installed vendors, and programs in PATH with the name opc.

#include "runtime/opp/Doctor.h"
#include "runtime/opp/Place.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/pkg/Package.h"
#include "tools/opc/process/Process.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

namespace opc::tool {

struct DoctorOptions {
  std::string installPath;
};

/// The vendor's toolkit has a program `opc` too: checks which one comes first in PATH.
static OppFinding examinePath() {
  std::error_code error;
  std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
  std::vector<std::string> all = findAllInPath("opc");
  if (all.empty() || all.front() == self)
    return {OppFinding::Ok, "", "opc in PATH", all.empty() ? "none; this one is " + self : self, ""};
  return {OppFinding::Note, "", "opc in PATH", all.front() + " comes first; this one is " + self,
          "the vendor's compiler has that name too: put this one's folder first in PATH, or call it "
          "by its path"};
}

static ExitCode doctor(const DoctorOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::vector<std::string> folders = vendorFolders(options.installPath, diagnostics);
  std::vector<OppFinding> findings = examineVendors(folders, "ascend310b");
  if (folders.empty() && !diagnostics.hasErrors())
    findings.push_back({OppFinding::Note, "", "vendors", "none " + placesText(options.installPath), ""});
  findings.push_back(examinePath());
  static constexpr const char *words[] = {"ok", "note", "problem"};
  size_t problems = diagnostics.errorCount();
  nlohmann::ordered_json records = nlohmann::ordered_json::array();
  for (const OppFinding &finding : findings) {
    problems += finding.status == OppFinding::Problem;
    nlohmann::ordered_json record = {{"status", words[finding.status]},
                                     {"vendor", finding.vendor},
                                     {"subject", finding.subject},
                                     {"found", finding.found}};
    if (!finding.fix.empty())
      record["fix"] = finding.fix;
    records.push_back(std::move(record));
    if (context.json())
      continue;
    std::string status = words[finding.status];
    status.resize(9, ' ');
    std::string where = finding.vendor.empty() ? "" : printable(finding.vendor) + ": ";
    std::cout << status << where << finding.subject << ": " << finding.found << '\n';
    if (!finding.fix.empty())
      std::cout << std::string(9, ' ') << finding.fix << '\n';
  }
  if (context.json()) {
    nlohmann::ordered_json all = {{"schema_version", 1}, {"vendors", folders.size()}, {"problems", problems}};
    all["findings"] = std::move(records);
    std::cout << writeJson(all) << '\n';
  }
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  if (problems == 0)
    return ExitCode::Done;
  return context.fail(Code::E0549, std::to_string(problems) + " of the findings are problems",
                      "each line marked 'problem' says what to do");
}

void declarePackageDoctor(Declaration &declaration) {
  auto options = std::make_shared<DoctorOptions>();
  Arguments sub =
      declaration.sub("doctor", "check installed packages: collisions, checksums, chips, versions, libraries",
                      "  opc pkg doctor --install-path=/opt/opp");
  sub.option("--install-path", options->installPath,
             "folder that contains `vendors` (default the folders of ASCEND_CUSTOM_OPP_PATH and ASCEND_OPP_PATH)")
      .typeName("DIR");
  declaration.on(sub, [options](Context &context) { return doctor(*options, context); });
}

} // namespace opc::tool
