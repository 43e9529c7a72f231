// `opc pkg install|remove|list|verify`: thin commands on top of runtime/opp.

#include "runtime/opp/Install.h"
#include "runtime/opp/LoadPriority.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/pkg/Package.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace opc::tool {

using Json = nlohmann::ordered_json;

struct PlaceOptions {
  std::string subject; ///< folder or vendor
  std::string installPath;
  bool force = false;
};

static void addInstallPath(Arguments &arguments, PlaceOptions &options) {
  arguments
      .option("--install-path", options.installPath,
              "folder that contains `vendors` (default ASCEND_CUSTOM_OPP_PATH, else ASCEND_OPP_PATH)")
      .typeName("DIR");
}

static void printRecord(const Json &record) {
  std::cout << writeJson(record) << '\n';
}

static ExitCode install(const PlaceOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::optional<OppPlace> place = findPlace(options.installPath, diagnostics);
  std::optional<VendorFolder> package = openPackage(options.subject, diagnostics);
  if (!place || !package)
    return context.finish(diagnostics);
  InstallOptions how;
  how.force = options.force;
  std::optional<InstallReport> report = installPackage(*package, *place, how, diagnostics);
  if (!report)
    return context.finish(diagnostics);
  context.print(diagnostics);
  const PackageManifest &manifest = package->manifest;
  context.info(std::string(report->replaced ? "replaced" : "installed") + " '" + manifest.vendor + "' " +
               manifest.version + " in '" + printablePath(report->folder) + "' (" + place->said + ")");
  for (const Collision &collision : report->collisions)
    context.say(LogLevel::Warning,
                "warning: '" + collision.opType + "' is also of '" + printable(collision.vendor) + "'");
  for (const PackageOperator &op : manifest.operators)
    if (op.shadowsBuiltin)
      context.say(LogLevel::Warning, "warning: '" + op.opType + "' wins over the built-in operator of that type");
  if (!manifest.absent.empty())
    context.info(std::to_string(manifest.absent.size()) +
                 " files that only the vendor's compiler makes are not in it: build the board kit "
                 "on the board");
  if (context.json())
    printRecord({{"schema_version", 1},
                 {"vendor", manifest.vendor},
                 {"version", manifest.version},
                 {"folder", report->folder},
                 {"replaced", report->replaced}});
  return ExitCode::Done;
}

static ExitCode remove(const PlaceOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::optional<OppPlace> place = findPlace(options.installPath, diagnostics);
  if (!place || !removeVendor(options.subject, *place, diagnostics))
    return context.finish(diagnostics);
  context.info("removed '" + options.subject + "' from '" + printablePath(place->vendors) + "'");
  if (context.json())
    printRecord({{"schema_version", 1}, {"vendor", options.subject}, {"place", place->root}});
  return ExitCode::Done;
}

/// Prints one line for each vendor, starting with its name.
static ExitCode list(const PlaceOptions &options, Context &context) {
  Diagnostics diagnostics;
  Json records = Json::array();
  for (const std::string &folder : vendorFolders(options.installPath, diagnostics)) {
    std::string vendor = std::filesystem::path(folder).filename().string();
    Json record = {{"vendor", vendor}, {"folder", folder}, {"opc", hasPackageManifest(folder)}};
    std::string words = "not built by opc";
    Diagnostics ignored;
    std::optional<VendorFolder> package;
    if (hasPackageManifest(folder)) {
      package = openPackage(folder, ignored);
      words = "package.json cannot be taken";
    }
    if (package) {
      words = package->manifest.version;
      record["version"] = package->manifest.version;
      record["operators"] = Json::array();
      for (const PackageOperator &op : package->manifest.operators) {
        record["operators"].push_back(op.opType);
        words += " " + op.opType;
      }
    }
    records.push_back(std::move(record));
    if (!context.json())
      std::cout << printable(vendor, 255) << "  " << words << '\n';
  }
  if (records.empty() && !diagnostics.hasErrors())
    context.info("no vendors " + placesText(options.installPath));
  if (context.json())
    printRecord({{"schema_version", 1}, {"vendors", std::move(records)}});
  return context.finish(diagnostics);
}

static ExitCode verify(const PlaceOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::optional<VendorFolder> package = openPackage(options.subject, diagnostics);
  if (!package)
    return context.finish(diagnostics);
  checkFormats(*package, diagnostics);
  bool whole = verifyPackage(*package, diagnostics);
  if (whole && !diagnostics.hasErrors())
    context.info("'" + printablePath(package->path) + "': all " + std::to_string(package->manifest.files.size()) +
                 " files as listed");
  if (context.json())
    printRecord({{"schema_version", 1},
                 {"package", package->path},
                 {"files", package->manifest.files.size()},
                 {"whole", whole}});
  return context.finish(diagnostics);
}

void declarePackageInstall(Declaration &declaration) {
  auto options = std::make_shared<PlaceOptions>();
  Arguments sub = declaration.sub("install", "install a package where the vendor's framework finds it",
                                  "  opc pkg install out --install-path=/opt/opp");
  sub.option("package", options->subject, "output folder of `opc pkg build`, or the vendor folder")
      .required()
      .typeName("DIR");
  addInstallPath(sub, *options);
  sub.flag("--force", options->force, "install even if another vendor has the same operator");
  declaration.on(sub, [options](Context &context) { return install(*options, context); });
}

void declarePackageRemove(Declaration &declaration) {
  auto options = std::make_shared<PlaceOptions>();
  Arguments sub =
      declaration.sub("remove", "remove the package of a vendor", "  opc pkg remove mine --install-path=/opt/opp");
  sub.option("vendor", options->subject, "name of the vendor").required().typeName("NAME");
  addInstallPath(sub, *options);
  declaration.on(sub, [options](Context &context) { return remove(*options, context); });
}

void declarePackageList(Declaration &declaration) {
  auto options = std::make_shared<PlaceOptions>();
  Arguments sub = declaration.sub("list", "list installed vendors in the order in which the framework searches them",
                                  "  opc pkg list --install-path=/opt/opp");
  addInstallPath(sub, *options);
  declaration.on(sub, [options](Context &context) { return list(*options, context); });
}

void declarePackageVerify(Declaration &declaration) {
  auto options = std::make_shared<PlaceOptions>();
  Arguments sub = declaration.sub("verify", "check every file of a package against its checksum",
                                  "  opc pkg verify out\n"
                                  "  opc pkg verify /opt/opp/vendors/mine");
  sub.option("package", options->subject, "output folder of `opc pkg build`, or a vendor folder")
      .required()
      .typeName("DIR");
  declaration.on(sub, [options](Context &context) { return verify(*options, context); });
}

} // namespace opc::tool
