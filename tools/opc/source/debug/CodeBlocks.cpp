// Finds blocks by relocations and counts their source positions by the line table.

#include "tools/opc/source/debug/CodeBlocks.h"

#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/ELFObjectFile.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace llvm;

namespace opc::tool {

static constexpr StringRef kCallee = "__sanitizer_cov_trace_pc";
/// Both x86-64 and AArch64 relocate the last four bytes of a call.
static constexpr uint64_t kRelocatedBytes = 4;

namespace {
/// Code with one source position, from `begin` up to the next row.
struct Row {
  uint64_t begin, end;
  const DWARFDebugLine::LineTable *table;
  uint64_t file;
  unsigned line, column;
};
} // namespace

static std::vector<uint64_t> returnAddresses(const object::ObjectFile &object) {
  std::vector<uint64_t> addresses;
  for (const object::SectionRef &section : object.sections())
    for (const object::RelocationRef &relocation : section.relocations()) {
      const object::symbol_iterator symbol = relocation.getSymbol();
      if (symbol == object.symbol_end())
        continue;
      Expected<StringRef> name = symbol->getName();
      if (!name)
        consumeError(name.takeError());
      else if (*name == kCallee)
        addresses.push_back(relocation.getOffset() + kRelocatedBytes);
    }
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return addresses;
}

static std::set<uint64_t> functionStarts(const object::ObjectFile &object) {
  std::set<uint64_t> starts;
  for (const object::SymbolRef &symbol : object.symbols()) {
    Expected<object::SymbolRef::Type> type = symbol.getType();
    Expected<uint64_t> address = symbol.getAddress();
    if (type && address && *type == object::SymbolRef::ST_Function)
      starts.insert(*address);
    if (!type)
      consumeError(type.takeError());
    if (!address)
      consumeError(address.takeError());
  }
  return starts;
}

/// The rows of all line tables by address, without those that hold no code.
static std::vector<Row> readRows(DWARFContext &context) {
  std::vector<Row> rows;
  for (const std::unique_ptr<DWARFUnit> &unit : context.compile_units()) {
    const DWARFDebugLine::LineTable *table = context.getLineTableForUnit(unit.get());
    for (size_t i = 0; table && i + 1 < table->Rows.size(); ++i) {
      const DWARFDebugLine::Row &row = table->Rows[i];
      const uint64_t end = table->Rows[i + 1].Address.Address;
      if (!row.EndSequence && row.Line != 0 && row.Address.Address < end)
        rows.push_back({row.Address.Address, end, table, row.File, row.Line, row.Column});
    }
  }
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) { return a.begin < b.begin; });
  return rows;
}

namespace {
class PlaceFinder {
public:
  PlaceFinder(DWARFContext &context, const std::string &headers) : context(context), headers(headers) {}

  /// The user's line of a row: for code inlined from the compiler's own headers, the line that uses it. Line 0 for code
  /// of opc's headers, and for code that they use.
  Location find(const Row &row) {
    auto [isOurs, isNew] = files.try_emplace({row.table, row.file}, false);
    if (isNew) {
      std::string path;
      DWARFCompileUnit *unit = context.getCompileUnitForCodeAddress(row.begin);
      row.table->getFileNameByIndex(row.file, unit ? unit->getCompilationDir() : "", specifier.FLIKind, path);
      isOurs->second = isIn(path, headers);
    }
    if (isOurs->second)
      return {};
    const DIInliningInfo frames =
        context.getInliningInfoForAddress({row.begin, object::SectionedAddress::UndefSection}, specifier);
    Location place;
    for (uint32_t i = 0; i < frames.getNumberOfFrames(); ++i) {
      const DILineInfo &frame = frames.getFrame(i);
      if (isIn(frame.FileName, headers))
        return {};
      if (place.line == 0 && !isIn(frame.FileName, "/usr"))
        place = Location{frame.FileName, frame.Line, 0};
    }
    return place;
  }

private:
  static bool isIn(const std::string &path, const std::string &folder) {
    return path.compare(0, folder.size(), folder) == 0;
  }

  DWARFContext &context;
  const std::string &headers;
  const DILineInfoSpecifier specifier{DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
                                      DILineInfoSpecifier::FunctionNameKind::None};
  std::map<std::pair<const DWARFDebugLine::LineTable *, uint64_t>, bool> files; ///< whether opc's headers hold it
};
} // namespace

std::vector<CodeBlock> readCodeBlocks(const object::ObjectFile &object, DWARFContext &context,
                                      const std::string &headers) {
  const std::vector<uint64_t> addresses = returnAddresses(object);
  if (addresses.empty())
    return {};
  const std::set<uint64_t> starts = functionStarts(object);
  const std::vector<Row> rows = readRows(context);
  PlaceFinder finder(context, headers);
  std::vector<CodeBlock> blocks;
  for (size_t i = 0; i < addresses.size(); ++i) {
    const uint64_t begin = addresses[i];
    uint64_t end = i + 1 < addresses.size() ? addresses[i + 1] : UINT64_MAX;
    if (const auto next = starts.upper_bound(begin); next != starts.end())
      end = std::min(end, *next);
    // Rows do not overlap, so the first one that ends after `begin` is the first of the block.
    auto row = std::upper_bound(rows.begin(), rows.end(), begin,
                                [](uint64_t address, const Row &each) { return address < each.end; });
    CodeBlock block;
    block.offset = begin;
    std::set<std::tuple<const void *, uint64_t, unsigned, unsigned>> places;
    for (; row != rows.end() && row->begin < end; ++row) {
      if (!places.emplace(row->table, row->file, row->line, row->column).second)
        continue;
      const Location place = finder.find(*row);
      if (place.line == 0)
        continue;
      auto line = std::find_if(block.lines.begin(), block.lines.end(), [&place](const CodeBlock::Line &each) {
        return each.place.line == place.line && each.place.file == place.file;
      });
      if (line == block.lines.end())
        line = block.lines.insert(line, {place, 0});
      ++line->count;
    }
    if (!block.lines.empty())
      blocks.push_back(std::move(block));
  }
  return blocks;
}

} // namespace opc::tool
