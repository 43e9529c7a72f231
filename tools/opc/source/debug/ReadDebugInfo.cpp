// Reads DWARF with LLVM.

#include "tools/opc/source/debug/DebugInfo.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"

#include <algorithm>

using namespace llvm;

namespace opc::tool {

namespace {
class Dwarf final : public DebugInfo {
public:
  explicit Dwarf(object::OwningBinary<object::ObjectFile> opened)
      : file(std::move(opened)), context(DWARFContext::create(*file.getBinary())) {}
  std::vector<SourceFunction> functionsIn(const std::string &section, const std::string &ofTemplate) const override;
  Location lineOf(uint64_t offset, const std::string &header) const override;
  std::vector<CodeBlock> codeBlocks(const std::string &headers) const override;

private:
  object::OwningBinary<object::ObjectFile> file;
  std::unique_ptr<DWARFContext> context;
};
} // namespace

extern "C" DebugInfo *opc_open_debug_info(const std::string &path, std::string &why) {
  Expected<object::OwningBinary<object::ObjectFile>> file = object::ObjectFile::createObjectFile(path);
  if (!file) {
    why = toString(file.takeError());
    return nullptr;
  }
  return new Dwarf(std::move(*file));
}

static bool isPointer(DWARFDie type) {
  for (int depth = 0; type && depth < 16; ++depth) {
    switch (type.getTag()) {
    case dwarf::DW_TAG_pointer_type:
      return true;
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
      type = type.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
      continue;
    default:
      return false;
    }
  }
  return false;
}

static void readParameters(DWARFDie function, SourceFunction &result) {
  for (DWARFDie child : function.children()) {
    if (child.getTag() != dwarf::DW_TAG_formal_parameter)
      continue;
    const char *name = child.getName(DINameKind::ShortName);
    result.parameters.push_back(name ? name : "");
    DWARFDie type = child.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
    if (DWARFDie origin = child.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin); !type && origin)
      type = origin.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
    if (!isPointer(type) && result.wrongParameter.empty())
      result.wrongParameter = name ? name : "(without a name)";
  }
}

std::vector<SourceFunction> Dwarf::functionsIn(const std::string &section, const std::string &ofTemplate) const {
  uint64_t begin = 0, end = 0;
  for (const object::SectionRef &candidate : file.getBinary()->sections()) {
    Expected<StringRef> name = candidate.getName();
    if (name && *name == section) {
      begin = candidate.getAddress();
      end = begin + candidate.getSize();
    } else if (!name) {
      consumeError(name.takeError());
    }
  }
  std::vector<SourceFunction> functions;
  for (const std::unique_ptr<DWARFUnit> &unit : context->compile_units())
    for (const DWARFDebugInfoEntry &entry : unit->dies()) {
      DWARFDie die(unit.get(), &entry);
      uint64_t low = 0, high = 0, index = 0;
      if (die.getTag() != dwarf::DW_TAG_subprogram || !die.getLowAndHighPC(low, high, index))
        continue;
      SourceFunction function;
      const char *name = die.getName(DINameKind::ShortName);
      const bool isInstance = !ofTemplate.empty() && name && StringRef(name).starts_with(ofTemplate + "<");
      if (!isInstance && (low < begin || low >= end))
        continue;
      const char *symbol = die.getName(DINameKind::LinkageName);
      function.name = name ? name : "";
      function.symbol = symbol ? symbol : function.name;
      function.location.file = die.getDeclFile(DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath);
      function.location.line = unsigned(die.getDeclLine());
      readParameters(die, function);
      functions.push_back(std::move(function));
    }
  std::sort(functions.begin(), functions.end(),
            [](const SourceFunction &a, const SourceFunction &b) { return a.location.line < b.location.line; });
  return functions;
}

std::vector<CodeBlock> Dwarf::codeBlocks(const std::string &headers) const {
  return readCodeBlocks(*file.getBinary(), *context, headers);
}

Location Dwarf::lineOf(uint64_t offset, const std::string &header) const {
  DILineInfoSpecifier specifier(DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
                                DILineInfoSpecifier::FunctionNameKind::None);
  DIInliningInfo frames =
      context->getInliningInfoForAddress({offset, object::SectionedAddress::UndefSection}, specifier);
  for (uint32_t i = 0; i < frames.getNumberOfFrames(); ++i) {
    const DILineInfo &line = frames.getFrame(i);
    if (line.FileName == DILineInfo::BadString || line.Line == 0 ||
        line.FileName.compare(0, header.size(), header) == 0)
      continue;
    return Location{line.FileName, line.Line, 0};
  }
  return {};
}

} // namespace opc::tool
