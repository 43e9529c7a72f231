// Examines each vendor, then conflicts between vendors.

#include "runtime/opp/Doctor.h"

#include "runtime/target/Target.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace fs = std::filesystem;

namespace opc {

namespace {

class Examination {
public:
  Examination(const std::vector<std::string> &folders, const std::string &chip) : folders(folders), chip(chip) {}
  std::vector<OppFinding> run();

private:
  void add(OppFinding::Status status, const std::string &vendor, const std::string &subject, const std::string &found,
           const std::string &fix = {}) {
    findings.push_back({status, vendor, subject, found, fix});
  }
  /// The first error's message, for a finding.
  static std::string told(const Diagnostics &diagnostics) {
    std::string text = diagnostics.all().front().message;
    size_t more = diagnostics.errorCount() - 1;
    return more == 0 ? text : text + " (and " + std::to_string(more) + " more)";
  }
  void examine(const std::string &folder);
  void examineOurs(const VendorFolder &package, const std::string &vendor);
  void compareOperators();

  const std::vector<std::string> &folders;
  const std::string &chip;
  std::map<std::string, std::vector<std::string>> owners; ///< vendors of each type, in the order in which the
                                                          ///< framework searches them
  std::vector<OppFinding> findings;
};

} // namespace

void Examination::examineOurs(const VendorFolder &package, const std::string &vendor) {
  const PackageManifest &manifest = package.manifest;
  Diagnostics formats, checksums;
  if (checkFormats(package, formats))
    add(OppFinding::Ok, vendor, "formats", "this opc reads them (" + manifest.compiler + ")");
  else
    add(OppFinding::Problem, vendor, "formats", told(formats), "build the package with this opc");
  if (verifyPackage(package, checksums))
    add(OppFinding::Ok, vendor, "checksums", std::to_string(manifest.files.size()) + " files as listed");
  else
    add(OppFinding::Problem, vendor, "checksums", told(checksums), "install the package again");
  if (std::find(manifest.chips.begin(), manifest.chips.end(), chip) != manifest.chips.end())
    add(OppFinding::Ok, vendor, "chip", chip);
  else
    add(OppFinding::Problem, vendor, "chip", "has nothing for " + chip, "build the package for this chip");
  if (manifest.vendor != vendor)
    add(OppFinding::Problem, vendor, "name", "package.json says '" + manifest.vendor + "'",
        "a vendor folder keeps the name it was built with");
  size_t missing = 0;
  std::error_code error;
  for (const PackageAbsence &absence : manifest.absent)
    missing += !fs::exists(package.path + "/" + absence.path, error);
  if (missing == 0)
    add(OppFinding::Ok, vendor, "libraries", "all there");
  else
    add(OppFinding::Note, vendor, "libraries",
        std::to_string(missing) + " files that only the vendor's compiler makes are not there: "
                                  "the CPU and the simulator run the operators, a board does not",
        "build the board kit on the board: opc pkg build --board-kit");
}

void Examination::examine(const std::string &folder) {
  std::string vendor = fs::path(folder).filename().string();
  if (hasPackageManifest(folder)) {
    Diagnostics diagnostics;
    if (std::optional<VendorFolder> package = openPackage(folder, diagnostics))
      examineOurs(*package, vendor);
    else
      add(OppFinding::Problem, vendor, "manifest", told(diagnostics), "install the package again");
  } else {
    add(OppFinding::Note, vendor, "manifest", "not built by opc; its files are not checked");
  }
  Diagnostics diagnostics;
  auto declared = declaredOperators(folder, chip, diagnostics);
  if (!declared) {
    add(OppFinding::Problem, vendor, "operators", told(diagnostics));
    return;
  }
  for (const std::string &type : *declared)
    owners[type].push_back(vendor);
}

void Examination::compareOperators() {
  const std::vector<std::string_view> &builtins = builtinOperators();
  for (const auto &[type, vendors] : owners) {
    for (size_t i = 1; i < vendors.size(); ++i)
      add(OppFinding::Problem, vendors[i], "operator " + printable(type),
          "'" + printable(vendors.front()) + "' has it too and is searched first: this one is never used",
          "rename one with --prefix, or remove a vendor");
    if (std::find(builtins.begin(), builtins.end(), type) != builtins.end())
      add(OppFinding::Note, vendors.front(), "operator " + printable(type),
          "the vendor ships a built-in one of this type; this one takes precedence for every model",
          "rename it with --prefix if that is not intended");
  }
}

std::vector<OppFinding> Examination::run() {
  for (const std::string &folder : folders)
    examine(folder);
  compareOperators();
  return std::move(findings);
}

std::vector<OppFinding> examineVendors(const std::vector<std::string> &folders, const std::string &chip) {
  return Examination(folders, chip).run();
}

} // namespace opc
