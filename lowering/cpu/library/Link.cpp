// Links objects into a shared library: runs ld.lld as a separate process on files in a temporary folder.
//
// The path of the linker was determined when opc was configured (OPC_LLD); the environment variable OPC_LLD overrides
// it. The finished library is moved into place. The same objects give the same bytes: no build id, no paths, one
// thread.

#include "lowering/cpu/library/LLVMModule.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace opc::cpu {

static std::string linkerPath() {
  if (std::optional<std::string> named = sys::Process::GetEnv("OPC_LLD"); named && !named->empty())
    return *named;
  if (StringRef(OPC_LLD_PATH).size() && sys::fs::can_execute(OPC_LLD_PATH))
    return OPC_LLD_PATH;
  for (const char *name : {"ld.lld-22", "ld.lld"})
    if (ErrorOr<std::string> found = sys::findProgramByName(name))
      return *found;
  return "ld.lld-22";
}

static std::error_code writeFile(StringRef path, StringRef content) {
  std::error_code error;
  raw_fd_ostream stream(path, error, sys::fs::OF_None);
  if (error)
    return error;
  stream << content;
  stream.close();
  error = stream.error();
  stream.clear_error();
  return error;
}

static bool cannotWrite(const std::string &path, const std::string &reason, Diagnostics &diagnostics) {
  diagnostics.error(Code::E0601, {path, 0, 0}, "cannot write '" + printablePath(path) + "': " + reason);
  return false;
}

static bool cannotWrite(const std::string &path, std::error_code error, Diagnostics &diagnostics) {
  return cannotWrite(path, error.message(), diagnostics);
}

bool linkLibrary(ArrayRef<StringRef> objects, const std::string &outputPath, Diagnostics &diagnostics) {
  // The folder is next to the output, so that the library can be moved by a rename. A relative path would place it
  // among the temporary files.
  SmallString<128> absolute(outputPath), folder;
  if (std::error_code error = sys::fs::make_absolute(absolute))
    return cannotWrite(outputPath, error, diagnostics);
  if (std::error_code error = sys::fs::createUniqueDirectory(absolute + ".tmp", folder))
    return cannotWrite(outputPath, error, diagnostics);
  llvm::scope_exit removeFolder([&] { sys::fs::remove_directories(folder); });
  std::string libraryPath = (folder + "/kernels.so").str();
  std::string saidPath = (folder + "/said").str();
  std::vector<std::string> objectPaths;
  for (auto [i, object] : enumerate(objects)) {
    objectPaths.push_back((folder + "/kernels" + Twine(i) + ".o").str());
    if (std::error_code error = writeFile(objectPaths.back(), object))
      return cannotWrite(outputPath, error, diagnostics);
  }

  std::string linker = linkerPath();
  // With a mapped output, a full disk would crash the linker; with a written one it is an error.
  SmallVector<StringRef> arguments = {
      linker,     "-shared", "--build-id=none", "--threads=1",    "--no-mmap-output-file", "-z",
      "defs",     "-z",      "noexecstack",     "--no-undefined", "--hash-style=gnu",      "-o",
      libraryPath};
  arguments.append(objectPaths.begin(), objectPaths.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(saidPath), StringRef(saidPath)};
  std::string why;
  int status = sys::ExecuteAndWait(linker, arguments, std::nullopt, redirects, /*SecondsToWait=*/60,
                                   /*MemoryLimit=*/0, &why);
  if (status == 0) {
    if (std::error_code error = sys::fs::rename(libraryPath, outputPath))
      return cannotWrite(outputPath, error, diagnostics);
    return true;
  }
  if (status < 0) {
    diagnostics.error(
        Code::E0610, {}, "cannot run the linker '" + printable(linker) + "': " + printable(why, 200), "",
        sys::fs::can_execute(linker) ? "" : "install the package lld-22, or name an ld.lld in the variable OPC_LLD");
    return false;
  }
  std::string said;
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(saidPath))
    said = (*text)->getBuffer().trim().str();
  // The linker's message for a full disk is "error: failed to open FILE: REASON".
  auto [before, reason] = StringRef(said).split(libraryPath + ": ");
  if (before.ends_with("failed to open ") || before.ends_with("cannot open output file "))
    return cannotWrite(outputPath, printable(reason.split('\n').first, 200), diagnostics);
  diagnostics.error(Code::E0374, {},
                    "the linker '" + printable(linker) + "' refuses the CPU kernels: " +
                        (said.empty() ? "it ended with status " + std::to_string(status) + " and said nothing"
                                      : printable(said, 400)));
  return false;
}

} // namespace opc::cpu
