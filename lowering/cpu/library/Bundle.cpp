#include "lowering/cpu/library/Bundle.h"

#include "lowering/cpu/library/LLVMModule.h"
#include "runtime/program/opc_kernel_library.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace opc {

std::string archiveOf(ArrayRef<StringRef> objects) {
  std::vector<NewArchiveMember> members;
  std::vector<std::string> names;
  for (size_t i = 0; i < objects.size(); ++i)
    names.push_back("kernels" + std::to_string(i) + ".o");
  for (auto [name, object] : llvm::zip(names, objects))
    members.emplace_back(MemoryBufferRef(object, name));
  auto archive = writeArchiveToBuffer(members, SymtabWritingMode::NoSymtab, object::Archive::K_GNU,
                                      /*Deterministic=*/true, /*Thin=*/false);
  return cantFail(std::move(archive))->getBuffer().str();
}

namespace {

using Object = SmallVector<char, 0>;

class Bundler {
public:
  explicit Bundler(Diagnostics &diagnostics) : diagnostics(diagnostics) {}
  /// The objects of an archive, their symbols with a prefix. False after an error.
  bool add(StringRef archive);
  /// The object of the table. False after an error.
  bool addTable();
  std::optional<std::string> link();

private:
  bool refuse(Error error) {
    diagnostics.error(Code::E0374, {}, "cannot bundle the CPU kernels: " + printable(toString(std::move(error)), 300));
    return false;
  }
  Diagnostics &diagnostics;
  std::vector<std::string> queries; ///< of each library; empty: the library is missing
  std::vector<Object> objects;
  std::string level; ///< the most basic of the architecture
};

} // namespace

bool Bundler::add(StringRef archive) {
  std::string prefix = "k" + std::to_string(queries.size()) + ".";
  queries.push_back(archive.empty() ? "" : prefix + OPC_KERNEL_LIBRARY_QUERY);
  if (archive.empty())
    return true;
  Expected<std::unique_ptr<object::Archive>> file = object::Archive::create(MemoryBufferRef(archive, "kernels.a"));
  if (!file)
    return refuse(file.takeError());
  Error failed = Error::success();
  for (const object::Archive::Child &child : (*file)->children(failed)) {
    Expected<std::unique_ptr<object::Binary>> member = child.getAsBinary();
    if (!member) {
      consumeError(std::move(failed));
      return refuse(member.takeError());
    }
    if (auto *object = dyn_cast<object::ObjectFile>(member->get()))
      level = object->getArch() == Triple::aarch64 ? "aarch64" : "x86-64-v3";
    objcopy::ConfigManager config;
    config.Common.SymbolsPrefix = prefix;
    // A bundle exports only its own query.
    objcopy::NameMatcher query;
    Expected<objcopy::NameOrPattern> name = objcopy::NameOrPattern::create(
        OPC_KERNEL_LIBRARY_QUERY, objcopy::MatchStyle::Literal, [](Error error) { return error; });
    if (Error error = query.addMatcher(std::move(name))) {
      consumeError(std::move(failed));
      return refuse(std::move(error));
    }
    config.ELF.SymbolsToSetVisibility.emplace_back(std::move(query), ELF::STV_HIDDEN);
    objects.emplace_back();
    raw_svector_ostream stream(objects.back());
    if (Error error = objcopy::executeObjcopyOnBinary(config, **member, stream)) {
      consumeError(std::move(failed));
      return refuse(std::move(error));
    }
  }
  return !failed || refuse(std::move(failed));
}

bool Bundler::addTable() {
  const CpuLevel *basic = cpuLevelByName(level.empty() ? "x86-64-v3" : level);
  std::string reason;
  std::unique_ptr<TargetMachine> machine = cpu::targetMachine(*basic, reason);
  if (!machine) {
    diagnostics.error(Code::E0372, {}, "LLVM has no code generator for " + basic->name.str() + ": " + reason);
    return false;
  }
  LLVMContext context;
  Module module("bundle", context);
  IRBuilder<> b(context);
  Type *pointer = b.getPtrTy(), *i32 = b.getInt32Ty();
  auto *type = FunctionType::get(pointer, {i32}, false);
  SmallVector<Constant *> libraries;
  for (const std::string &name : queries) {
    if (name.empty()) {
      libraries.push_back(ConstantPointerNull::get(b.getPtrTy()));
      continue;
    }
    Function *query = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
    query->setVisibility(GlobalValue::HiddenVisibility);
    libraries.push_back(query);
  }
  auto table = [&](Constant *value) {
    auto *global = new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value);
    global->setAlignment(Align(8));
    return global;
  };
  Constant *array = table(ConstantArray::get(ArrayType::get(pointer, libraries.size()), libraries));
  auto *bundleType = StructType::get(context, {i32, i32, pointer});
  Constant *bundle =
      table(ConstantStruct::get(bundleType, {b.getInt32(OPC_KERNEL_LIBRARY_VERSION),
                                             b.getInt32(static_cast<uint32_t>(libraries.size())), array}));
  auto *query = Function::Create(type, GlobalValue::ExternalLinkage, OPC_KERNEL_BUNDLE_QUERY, module);
  b.SetInsertPoint(BasicBlock::Create(context, "", query));
  Value *known = b.CreateICmpUGE(query->getArg(0), b.getInt32(OPC_KERNEL_LIBRARY_VERSION));
  b.CreateRet(b.CreateSelect(known, bundle, ConstantPointerNull::get(b.getPtrTy())));
  cpu::optimise(module, *machine, cpu::CodeForm::Vectors);
  objects.emplace_back();
  if (cpu::generateObject(module, *machine, cpu::CodeForm::Vectors, objects.back()))
    return true;
  diagnostics.error(Code::E0900, {}, "LLVM writes no object code for this CPU level");
  return false;
}

std::optional<std::string> Bundler::link() {
  SmallString<128> folder, path;
  if (std::error_code error = sys::fs::createUniqueDirectory("opc-bundle", folder)) {
    diagnostics.error(Code::E0601, {}, "cannot make a temporary folder: " + error.message());
    return std::nullopt;
  }
  llvm::scope_exit removeFolder([&] { sys::fs::remove_directories(folder); });
  path = folder;
  sys::path::append(path, "kernels.so");
  std::vector<StringRef> views;
  for (const Object &object : objects)
    views.emplace_back(object.data(), object.size());
  if (!cpu::linkLibrary(views, path.str().str(), diagnostics))
    return std::nullopt;
  auto bytes = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (bytes)
    return (*bytes)->getBuffer().str();
  diagnostics.error(Code::E0600, {path.str().str()}, "cannot read the library again: " + bytes.getError().message());
  return std::nullopt;
}

std::optional<std::string> bundleKernels(const std::vector<std::string> &archives, Diagnostics &diagnostics) {
  Bundler bundler(diagnostics);
  for (const std::string &archive : archives)
    if (!bundler.add(archive))
      return std::nullopt;
  return bundler.addTable() ? bundler.link() : std::nullopt;
}

} // namespace opc
