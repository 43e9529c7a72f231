// Runs makeself with a modified header that supports --install-path, with relative paths and a fixed date, so that
// the result does not depend on the time and place of the build.

#include "tools/opc/pkg/Installer.h"

#include "runtime/core/File.h"
#include "runtime/opp/StagedFolder.h"
#include "runtime/program/PackageManifest.h"
#include "runtime/program/format/Sha256.h"
#include "tools/opc/process/Process.h"

#include <cstdlib>
#include <filesystem>
#include <sys/utsname.h>

namespace opc::tool {

namespace fs = std::filesystem;

struct StaticFile {
  const char *name;
  const char *text;
};

static const StaticFile kInstaller[] = {
#include "tools/opc/Installer.inc"
};

/// Adds the options of the vendor's installers to makeself's header, and makes the name of the temporary folder
/// unique: makeself's own name is only the process id in shells without RANDOM, and a folder that a killed installer
/// left under that id makes a later one fail. Returns nullopt when the header has an unexpected form.
static std::optional<std::string> headerWithOptions(std::string header) {
  const std::string quiet = "    -q | --quiet)\n", end = "    --)\n";
  const std::string unpacked = "\"\\$TMPROOT/selfgz\\$\\$\\$RANDOM\"";
  size_t atQuiet = header.find(quiet), atUnpacked = header.find(unpacked);
  if (atQuiet == std::string::npos || header.find(end, atQuiet) == std::string::npos || atUnpacked == std::string::npos)
    return std::nullopt;
  header.replace(atUnpacked, unpacked.size(), "\\`mktemp -u -d \"\\$TMPROOT/selfgz.XXXXXXXXXX\"\\`");
  atQuiet = header.find(quiet);
  header.insert(atQuiet + quiet.size(), "\tOPC_QUIET=y; export OPC_QUIET\n");
  header.insert(header.find(end, atQuiet), "    --install-path=*)\n"
                                           "\tOPC_INSTALL_PATH=\\${1#--install-path=}\n"
                                           "\tcase \"\\$OPC_INSTALL_PATH\" in /*) ;; *) "
                                           "OPC_INSTALL_PATH=\\$PWD/\\$OPC_INSTALL_PATH ;; esac\n"
                                           "\texport OPC_INSTALL_PATH\n"
                                           "\tshift\n"
                                           "\t;;\n"
                                           "    --force)\n"
                                           "\tOPC_FORCE=y; export OPC_FORCE\n"
                                           "\tshift\n"
                                           "\t;;\n");
  return header;
}

static std::nullopt_t lacks(Diagnostics &diagnostics, const std::string &what) {
  diagnostics.error(Code::E0606, {}, "--run expects makeself: " + what, {},
                    "install the package 'makeself' ('./dev setup' does)");
  return std::nullopt;
}

static bool stagePayload(StagedFolder &folder, const std::vector<CompiledFile> &files, const std::string &vendor,
                         const std::string &header, Diagnostics &diagnostics) {
  std::string sums, operators;
  PackageManifest manifest;
  if (!files.empty())
    readPackageManifest(files.back().bytes, manifest);
  for (const PackageOperator &op : manifest.operators)
    operators += op.opType + "\n";
  for (const CompiledFile &file : files) {
    sums += sha256(file.bytes) + "  " + file.path + "\n";
    if (!folder.add("payload/package/" + file.path, file.bytes, false, diagnostics))
      return false;
  }
  for (const StaticFile &file : kInstaller)
    if (!folder.add(std::string("payload/") + file.name, file.text, true, diagnostics))
      return false;
  return folder.add("payload/SHA256SUMS", sums, false, diagnostics) &&
         folder.add("payload/vendor", vendor + "\n", false, diagnostics) &&
         folder.add("payload/operators", operators, false, diagnostics) &&
         folder.add("header.sh", header, false, diagnostics);
}

std::optional<Installer> makeInstaller(const std::vector<CompiledFile> &files, const std::string &vendor,
                                       const std::string &version, Diagnostics &diagnostics) {
  std::string makeself = findInPath("makeself");
  if (makeself.empty())
    return lacks(diagnostics, "found no program of that name in PATH");
  Diagnostics ignored;
  std::optional<std::string> plain = readFile("/usr/share/makeself/makeself-header.sh", 1 << 20, ignored);
  std::optional<std::string> header;
  if (plain)
    header = headerWithOptions(*plain);
  if (!header)
    return lacks(diagnostics, "found no header of the known form in /usr/share/makeself");

  std::error_code error;
  fs::path scratch = fs::temp_directory_path(error);
  std::optional<StagedFolder> folder = StagedFolder::create((scratch / "opc-installer").string(), diagnostics);
  if (!folder || !stagePayload(*folder, files, vendor, *header, diagnostics))
    return std::nullopt;
  utsname machine = {};
  uname(&machine);
  Installer installer;
  installer.name = std::string("custom_opp_linux_") + machine.machine + ".run";
  // Run in a shell to set the working folder: with relative paths the archive does not contain the place of the build.
  std::string script = "cd \"$1\" && exec makeself --quiet --nox11 --nocomp --header ./header.sh "
                       "--packaging-date 'Thu Jan  1 00:00:00 UTC 1970' --tar-format gnu --tar-extra "
                       "'--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX' "
                       "payload installer.run \"$2\" ./install.sh";
  ProcessResult made = runProcess({"env", "-i", std::string("PATH=") + std::getenv("PATH"), "sh", "-c", script, "sh",
                                   folder->path(), vendor + " " + version},
                                  120);
  if (!made.started || made.exitCode != 0)
    return lacks(diagnostics, "it failed: " + printable(made.started ? made.err + made.out : made.error, 300));
  std::optional<std::string> bytes = readFile(folder->path() + "/installer.run", int64_t(1) << 30, diagnostics);
  if (!bytes)
    return std::nullopt;
  installer.bytes = std::move(*bytes);
  return installer;
}

} // namespace opc::tool
