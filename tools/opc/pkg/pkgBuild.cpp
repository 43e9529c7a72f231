// `opc pkg build`: compiles contracts to a vendor folder, and makes a board kit or an installer on request.
//
// The output folder is written atomically. In the layout `vendors` the package is <output>/vendors/<vendor>; in the
// layout `custom` the output folder is the package.

#include "ops/contract/Names.h"
#include "ops/contract/read/Reader.h"
#include "runtime/core/File.h"
#include "runtime/opp/StagedFolder.h"
#include "runtime/program/PackageManifest.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/libraries/Libraries.h"
#include "tools/opc/pkg/BoardKit.h"
#include "tools/opc/pkg/Installer.h"
#include "tools/opc/pkg/Package.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace opc::tool {

namespace fs = std::filesystem;

struct BuildOptions {
  std::vector<std::string> contracts;
  std::string vendor = "customize", version, output, layout = "vendors", prefix, socVersion = "Ascend310B", cpuLevels;
  bool shadowBuiltin = false, run = false, boardKit = false;
};

static void checkOptions(const BuildOptions &options, Diagnostics &diagnostics) {
  auto check = [&](const char *option, const std::string &value, const std::string &wrong) {
    if (!wrong.empty())
      diagnostics.error(Code::E0104, {}, std::string(option) + " " + wrong + ": found '" + printable(value) + "'");
  };
  check("--vendor", options.vendor, checkVendorName(options.vendor));
  check("--version", options.version, checkPackageVersion(options.version));
  if (options.layout != "vendors" && options.layout != "custom")
    check("--layout", options.layout, "expects 'vendors' or 'custom'");
  if (!options.prefix.empty())
    if (std::string wrong = checkOpType(options.prefix); !wrong.empty())
      check("--prefix", options.prefix, "expects a word in UpperCamel; it " + wrong);
}

static bool isPackage(const fs::path &folder) {
  Diagnostics ignored;
  std::error_code error;
  fs::path file = folder / kPackageManifestName;
  if (!fs::is_regular_file(file, error))
    return false;
  std::optional<std::string> text = readFile(file.string(), 16 << 20, ignored);
  PackageManifest manifest;
  return text && readPackageManifest(*text, manifest).empty();
}

/// Whether this command wrote a folder: it is a package, or all vendors in it are packages.
static bool isOutput(const fs::path &folder) {
  if (isPackage(folder))
    return true;
  std::error_code error;
  bool any = false;
  for (fs::directory_iterator entry(folder / "vendors", error), end; !error && entry != end; entry.increment(error)) {
    if (!isPackage(entry->path()))
      return false;
    any = true;
  }
  return any && !error;
}

/// Whether `output` may be replaced; reports an error otherwise.
static bool mayReplace(const std::string &output, Diagnostics &diagnostics) {
  std::error_code error;
  fs::path path = fs::absolute(output, error).lexically_normal();
  auto refuse = [&](Code code, const std::string &why) {
    diagnostics.error(code, {}, "cannot write '" + printablePath(output) + "': " + why);
    return false;
  };
  if (!path.has_filename())
    path = path.parent_path();
  if (error || !path.has_filename())
    return refuse(Code::E0601, "it is no folder that can be made");
  fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status))
    return true;
  if (!fs::is_directory(status))
    return refuse(Code::E0601, "it is there and is no folder");
  fs::path real = fs::canonical(path, error), here = fs::current_path(error);
  if (std::mismatch(real.begin(), real.end(), here.begin(), here.end()).first == real.end())
    return refuse(Code::E0601, "it is the working folder or holds it; name a folder below it");
  if (fs::is_empty(path, error) || isOutput(path))
    return true;
  return refuse(Code::E0604, "it holds something else than a package; name another folder");
}

static std::vector<Contract> loadContracts(const std::vector<std::string> &paths, Diagnostics &diagnostics) {
  std::vector<Contract> contracts;
  for (const std::string &path : paths)
    if (std::optional<Contract> contract = loadContract(path, diagnostics))
      contracts.push_back(std::move(*contract));
  return contracts;
}

static std::string packageFolder(const BuildOptions &options) {
  return options.layout == "custom" ? std::string() : "vendors/" + options.vendor + "/";
}

static bool write(const BuildOptions &options, const BuildPackageResult &package, Diagnostics &diagnostics) {
  fs::path output = fs::path(options.output).lexically_normal();
  recover(output.parent_path().empty() ? "." : output.parent_path().string(), /*all=*/false);
  std::optional<StagedFolder> folder = StagedFolder::create(options.output, diagnostics);
  if (!folder)
    return false;
  for (const CompiledFile &file : package.files)
    if (!folder->add(packageFolder(options) + file.path, file.bytes, false, diagnostics))
      return false;
  // The operators of the package compute the expected outputs of the board kit, so the package comes first.
  if (options.boardKit) {
    std::string place = folder->path() + "/" + packageFolder(options);
    std::vector<KitFile> kit = makeBoardKit(package.boardKit, place, {options.vendor, "ascend310b"}, diagnostics);
    if (diagnostics.hasErrors())
      return false;
    for (const KitFile &file : kit)
      if (!folder->add("board_kit/" + file.path, file.bytes, file.executable, diagnostics))
        return false;
  }
  if (options.run) {
    std::optional<Installer> installer = makeInstaller(package.files, options.vendor, options.version, diagnostics);
    if (!installer || !folder->add(installer->name, installer->bytes, true, diagnostics))
      return false;
  }
  return folder->publish(diagnostics);
}

static void report(const BuildOptions &options, const PackageManifest &manifest, Context &context) {
  std::string folder = options.output + "/" + packageFolder(options);
  while (!folder.empty() && folder.back() == '/')
    folder.pop_back();
  context.info("built '" + manifest.vendor + "' " + manifest.version + " in '" + printablePath(folder) +
               "': " + std::to_string(manifest.operators.size()) + " operators, " +
               std::to_string(manifest.files.size() + 1) + " files; " + std::to_string(manifest.absent.size()) +
               " that only the vendor's compiler can make are not there" + fewerLevelsNote(options.cpuLevels));
  if (!context.json())
    return;
  nlohmann::ordered_json record = {{"schema_version", 1},
                                   {"package", folder},
                                   {"vendor", manifest.vendor},
                                   {"version", manifest.version},
                                   {"layout", manifest.layout}};
  record["operators"] = nlohmann::ordered_json::array();
  for (const PackageOperator &op : manifest.operators)
    record["operators"].push_back({{"op_type", op.opType}, {"folder", op.folder}});
  record["files"] = manifest.files.size() + 1;
  record["absent"] = nlohmann::ordered_json::array();
  for (const PackageAbsence &absence : manifest.absent)
    record["absent"].push_back(absence.path);
  std::cout << writeJson(record) << '\n';
}

static ExitCode build(const BuildOptions &options, Context &context) {
  Diagnostics diagnostics;
  checkOptions(options, diagnostics);
  BuildPackageOptions package;
  package.target = chooseTarget(options.socVersion, diagnostics);
  package.cpuKernels = asksForCpuKernels(options.cpuLevels);
  if (package.cpuKernels)
    package.cpuLevels = chooseCpuLevels(options.cpuLevels, diagnostics);
  if (options.boardKit && !package.cpuKernels)
    diagnostics.error(Code::E0103, {},
                      "--board-kit expects kernels for the CPU, which compute the expected outputs of its cases: "
                      "found --cpu-levels=none",
                      {}, "leave one of them out");
  if ((options.run || options.boardKit) && options.layout == "custom")
    diagnostics.error(Code::E0104, {},
                      std::string(options.run ? "--run" : "--board-kit") + " expects --layout=vendors: found 'custom'");
  if (diagnostics.hasErrors() || !mayReplace(options.output, diagnostics))
    return context.finish(diagnostics);
  std::vector<Contract> contracts = loadContracts(options.contracts, diagnostics);
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  package.vendor = options.vendor;
  package.version = options.version;
  package.customLayout = options.layout == "custom";
  package.prefix = options.prefix;
  package.shadowBuiltin = options.shadowBuiltin;
  BuildPackageResult result = compiler().buildPackage(contracts, package, diagnostics);
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  PackageManifest manifest;
  std::string wrong =
      result.files.empty() ? "it has no files" : readPackageManifest(result.files.back().bytes, manifest);
  if (!wrong.empty())
    diagnostics.error(Code::E0900, {}, "the package cannot be read again: " + printable(wrong));
  if (!wrong.empty() || !write(options, result, diagnostics))
    return context.finish(diagnostics);
  context.print(diagnostics);
  report(options, manifest, context);
  return ExitCode::Done;
}

void declarePackageBuild(Declaration &declaration) {
  auto options = std::make_shared<BuildOptions>();
  Arguments sub =
      declaration.sub("build", "build a package for the vendor's framework from contracts",
                      "  opc pkg build op_contract.yaml --vendor=mine --version=1.0.0 --output=out\n"
                      "  opc pkg build ops/library/*/op_contract.yaml --prefix=My --version=1.0.0 --output=out");
  sub.option("contracts", options->contracts, "op_contract.yaml of each operator").required().typeName("FILE...");
  sub.option("--vendor", options->vendor, "name of the vendor folder (default customize)").typeName("NAME");
  sub.option("--version", options->version, "version of the package, three numbers").required().typeName("X.Y.Z");
  addOutput(sub, options->output, "folder to write; an earlier output there is replaced").required();
  sub.option("--layout", options->layout, "vendors (default), or custom for older frameworks").typeName("LAYOUT");
  sub.option("--prefix", options->prefix, "prefix for the type of each operator").typeName("NAME");
  sub.flag("--shadow-builtin", options->shadowBuiltin, "allow operators that replace built-in operators of the vendor");
  addChip(sub, options->socVersion, "default Ascend310B");
  addCpuLevels(sub, options->cpuLevels);
  sub.flag("--run", options->run, "also build an installer: custom_opp_linux_<arch>.run");
  sub.flag("--board-kit", options->boardKit,
           "also build board_kit: projects for the owner's toolkit, checks, measurements");
  declaration.on(sub, [options](Context &context) { return build(*options, context); });
}

} // namespace opc::tool
