#include "runtime/device/cpu/LibraryFile.h"

#include "runtime/program/opc_kernel_library.h"

#include <cstring>
#include <elf.h>
#include <optional>
#include <vector>

namespace opc {

namespace {

/// Bounds-checked access to structures of the file by offset.
class Image {
public:
  Image(const unsigned char *data, size_t size) : data(data), size(size) {}

  bool holds(uint64_t offset, uint64_t length) const { return offset <= size && length <= size - offset; }
  template <typename T> std::optional<T> at(uint64_t offset) const {
    if (!holds(offset, sizeof(T)))
      return std::nullopt;
    T value;
    std::memcpy(&value, data + offset, sizeof(T));
    return value;
  }

  bool equals(uint64_t offset, const void *text, size_t length) const {
    return holds(offset, length) && std::memcmp(data + offset, text, length) == 0;
  }

private:
  const unsigned char *data;
  size_t size;
};

/// The entries of the dynamic section that the checks use.
struct Dynamic {
  uint64_t rela = 0, relaSize = 0, relaEntry = 0, symbols = 0, strings = 0, gnuHash = 0;
};

constexpr uint64_t kMostSegments = 64;
constexpr uint64_t kLargestSpan = uint64_t(1) << 30;

class Check {
public:
  Check(const unsigned char *data, size_t size, const char *symbol) : image(data, size), wanted(symbol) {}

  LibraryFileCheck run() {
    if (header() && segments() && dynamicSection())
      relocations();
    return result;
  }

private:
  bool refuse(const char *rule, std::string reason) {
    result = {rule, std::move(reason)};
    return false;
  }
  bool header();
  bool segments();
  bool dynamicSection();
  bool dynamicEntry(const Elf64_Dyn &entry);
  bool relocations();
  /// The file offset of an address, when `length` bytes from there on are in one segment of the file.
  std::optional<uint64_t> fileOffset(uint64_t address, uint64_t length) const;

  Image image;
  const char *wanted; ///< the symbol that is exported
  Elf64_Ehdr elf{};
  std::vector<Elf64_Phdr> loads;
  std::optional<Elf64_Phdr> dynamicHeader, readOnly;
  Dynamic dynamic;
  LibraryFileCheck result;
};

} // namespace

static bool isThisMachine(uint16_t machine) {
#if defined(__x86_64__)
  return machine == EM_X86_64;
#elif defined(__aarch64__)
  return machine == EM_AARCH64;
#else
  return false;
#endif
}

bool Check::header() {
  std::optional<Elf64_Ehdr> found = image.at<Elf64_Ehdr>(0);
  if (!found || std::memcmp(found->e_ident, ELFMAG, SELFMAG) != 0)
    return refuse("library_c1", "expects an ELF file");
  elf = *found;
  if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_ident[EI_DATA] != ELFDATA2LSB || elf.e_type != ET_DYN)
    return refuse("library_c1", "expects a shared object of 64 bits, little endian");
  if (!isThisMachine(elf.e_machine))
    return refuse("library_c1",
                  "expects code for this machine's architecture, found machine " + std::to_string(elf.e_machine));
  return true;
}

// Whether `part` lies in one segment, rounded up to whole pages, since the loader protects pages.
static bool liesInOne(const std::vector<Elf64_Phdr> &loads, const Elf64_Phdr &part) {
  constexpr uint64_t kPage = 4096;
  for (const Elf64_Phdr &segment : loads) {
    uint64_t end = (segment.p_vaddr + segment.p_memsz + kPage - 1) / kPage * kPage;
    if (part.p_vaddr >= segment.p_vaddr && part.p_vaddr <= end && part.p_memsz <= end - part.p_vaddr)
      return true;
  }
  return false;
}

bool Check::segments() {
  bool inside = elf.e_phentsize == sizeof(Elf64_Phdr) && elf.e_phnum > 0 && elf.e_phnum <= kMostSegments &&
                image.holds(elf.e_phoff, uint64_t(elf.e_phnum) * sizeof(Elf64_Phdr));
  if (!inside)
    return refuse("library_c2", "expects program headers within the file");
  uint64_t end = 0;
  for (unsigned i = 0; i < elf.e_phnum; ++i) {
    Elf64_Phdr segment = *image.at<Elf64_Phdr>(elf.e_phoff + i * sizeof(Elf64_Phdr));
    switch (segment.p_type) {
    case PT_LOAD:
    case PT_DYNAMIC:
      break;
    case PT_PHDR:
      // The loader looks for the program headers at this address.
      if (segment.p_offset != elf.e_phoff || segment.p_vaddr != elf.e_phoff)
        return refuse("library_c2", "expects program headers where the file's header says");
      continue;
    case PT_GNU_STACK:
      if (segment.p_flags & PF_X)
        return refuse("library_c3", "expects a stack that is not executed");
      continue;
    case PT_GNU_RELRO:
      readOnly = segment;
      continue;
    default:
      return refuse("library_c3", "expects no segment of type " + std::to_string(segment.p_type));
    }
    bool fits = image.holds(segment.p_offset, segment.p_filesz) && segment.p_filesz <= segment.p_memsz &&
                segment.p_vaddr <= kLargestSpan && segment.p_memsz <= kLargestSpan;
    if (!fits)
      return refuse("library_c2", "expects segments within the file and of at most 1 GiB; the file "
                                  "may have been cut short");
    if (segment.p_type == PT_DYNAMIC) {
      dynamicHeader = segment;
      continue;
    }
    if ((segment.p_flags & PF_W) && (segment.p_flags & PF_X))
      return refuse("library_c3", "expects code that is not written to");
    bool aligned = segment.p_align != 0 && (segment.p_align & (segment.p_align - 1)) == 0 &&
                   segment.p_align <= kLargestSpan &&
                   segment.p_vaddr % segment.p_align == segment.p_offset % segment.p_align;
    if (!aligned || segment.p_vaddr < end)
      return refuse("library_c2", "expects segments in order and aligned");
    end = segment.p_vaddr + segment.p_memsz;
    loads.push_back(segment);
  }
  if (loads.empty() || !dynamicHeader)
    return refuse("library_c2", "expects segments to load and a dynamic section");
  if (loads.front().p_vaddr != 0 || loads.front().p_offset != 0)
    return refuse("library_c2", "expects the file's header in the first segment");
  bool covered = !readOnly || liesInOne(loads, *readOnly);
  if (!covered)
    return refuse("library_c2", "expects the part that becomes read-only in a segment");
  return true;
}

std::optional<uint64_t> Check::fileOffset(uint64_t address, uint64_t length) const {
  for (const Elf64_Phdr &segment : loads)
    if (address >= segment.p_vaddr && address - segment.p_vaddr <= segment.p_filesz &&
        length <= segment.p_filesz - (address - segment.p_vaddr))
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

// Accepts the entries that ld.lld writes for a library without dependencies; any other entry would make the loader
// do more.
bool Check::dynamicEntry(const Elf64_Dyn &entry) {
  switch (entry.d_tag) {
  case DT_RELA:
    dynamic.rela = entry.d_un.d_ptr;
    return true;
  case DT_RELASZ:
    dynamic.relaSize = entry.d_un.d_val;
    return true;
  case DT_RELAENT:
    dynamic.relaEntry = entry.d_un.d_val;
    return true;
  case DT_SYMTAB:
    dynamic.symbols = entry.d_un.d_ptr;
    return true;
  case DT_STRTAB:
    dynamic.strings = entry.d_un.d_ptr;
    return true;
  case DT_GNU_HASH:
    dynamic.gnuHash = entry.d_un.d_ptr;
    return true;
  case DT_SYMENT:
  case DT_STRSZ:
  case DT_RELACOUNT:
    return true;
  case DT_NEEDED:
    return refuse("library_c3", "expects a library that needs no other");
  case DT_INIT:
  case DT_FINI:
  case DT_INIT_ARRAY:
  case DT_FINI_ARRAY:
  case DT_PREINIT_ARRAY:
    return refuse("library_c3", "expects no initialisers and finalisers");
  case DT_TEXTREL:
    return refuse("library_c3", "expects code that is not written to");
  case DT_REL:
  case DT_RELR:
  case DT_JMPREL:
  case DT_PLTRELSZ:
    return refuse("library_c4", "expects relative relocations alone");
  default:
    return refuse("library_c3", "expects no dynamic entry of tag " + std::to_string(entry.d_tag));
  }
}

bool Check::dynamicSection() {
  uint64_t count = dynamicHeader->p_filesz / sizeof(Elf64_Dyn);
  bool ended = false;
  for (uint64_t i = 0; i < count && !ended; ++i) {
    Elf64_Dyn entry = *image.at<Elf64_Dyn>(dynamicHeader->p_offset + i * sizeof(Elf64_Dyn));
    ended = entry.d_tag == DT_NULL;
    if (!ended && !dynamicEntry(entry))
      return false;
  }
  // The loader finds the section by its address and reads it to its end marker.
  if (!ended || fileOffset(dynamicHeader->p_vaddr, dynamicHeader->p_filesz) != dynamicHeader->p_offset)
    return refuse("library_c2", "expects a dynamic section that ends within its segment");
  // One symbol apart from the null symbol: the query function, defined in this library. On some machines GNU ld adds
  // a section symbol before it, which cannot be looked up.
  if (!dynamic.gnuHash || !dynamic.symbols || !dynamic.strings)
    return refuse("library_c2", "expects a symbol table with names and a GNU hash");
  std::optional<uint64_t> hash = fileOffset(dynamic.gnuHash, 4 * sizeof(uint32_t));
  if (!hash)
    return refuse("library_c2", "expects symbols within the file");
  uint32_t buckets = *image.at<uint32_t>(*hash), firstHashed = *image.at<uint32_t>(*hash + 4);
  uint32_t bloomWords = *image.at<uint32_t>(*hash + 8);
  // For one symbol lld makes one bucket, GNU ld two.
  if (buckets < 1 || buckets > 2 || firstHashed < 1 || firstHashed > 2 || bloomWords != 1)
    return refuse("library_c4", "expects one exported symbol and no undefined one");
  // The header, one bloom word, the buckets, one of which refers to the symbol, and a chain of one entry.
  uint64_t bucketsAt = 16 + 8, chainAt = bucketsAt + 4 * uint64_t(buckets);
  std::optional<uint64_t> table = fileOffset(dynamic.gnuHash, chainAt + 4);
  std::optional<uint64_t> symbols = fileOffset(dynamic.symbols, (firstHashed + 1) * sizeof(Elf64_Sym));
  if (!table || !symbols)
    return refuse("library_c2", "expects symbols within the file");
  uint32_t naming = 0;
  for (uint32_t i = 0; i < buckets; ++i) {
    uint32_t first = *image.at<uint32_t>(*table + bucketsAt + 4 * uint64_t(i));
    naming += first == firstHashed ? 1 : first != 0 ? 2 : 0;
  }
  if (naming != 1 || (*image.at<uint32_t>(*table + chainAt) & 1) == 0)
    return refuse("library_c4", "expects one exported symbol and no undefined one");
  Elf64_Sym before = *image.at<Elf64_Sym>(*symbols + (firstHashed - 1) * sizeof(Elf64_Sym));
  if (firstHashed == 2 && before.st_info != ELF64_ST_INFO(STB_LOCAL, STT_SECTION))
    return refuse("library_c4", "expects one exported symbol and no undefined one");
  Elf64_Sym symbol = *image.at<Elf64_Sym>(*symbols + firstHashed * sizeof(Elf64_Sym));
  if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC)
    return refuse("library_c4", "expects its one symbol to be a function of its own");
  const size_t length = std::strlen(wanted) + 1;
  std::optional<uint64_t> name = fileOffset(dynamic.strings + symbol.st_name, length);
  if (!name || !image.equals(*name, wanted, length))
    return refuse("library_c4", std::string("expects its one symbol to be '") + wanted + "'");
  return true;
}

bool Check::relocations() {
  if (dynamic.rela == 0 && dynamic.relaSize == 0)
    return true;
  std::optional<uint64_t> start = fileOffset(dynamic.rela, dynamic.relaSize);
  if (!start || dynamic.relaEntry != sizeof(Elf64_Rela) || dynamic.relaSize % sizeof(Elf64_Rela) != 0)
    return refuse("library_c2", "expects relocations within the file");
#if defined(__aarch64__)
  constexpr uint32_t relative = R_AARCH64_RELATIVE;
#else
  constexpr uint32_t relative = R_X86_64_RELATIVE;
#endif
  for (uint64_t i = 0; i < dynamic.relaSize / sizeof(Elf64_Rela); ++i) {
    Elf64_Rela entry = *image.at<Elf64_Rela>(*start + i * sizeof(Elf64_Rela));
    std::optional<uint64_t> place = fileOffset(entry.r_offset, 8);
    if (ELF64_R_TYPE(entry.r_info) != relative || ELF64_R_SYM(entry.r_info) != 0 || !place)
      return refuse("library_c4", "expects relative relocations within the library");
    // The loader writes to them.
    for (const Elf64_Phdr &segment : loads)
      if (entry.r_offset >= segment.p_vaddr && entry.r_offset < segment.p_vaddr + segment.p_memsz &&
          !(segment.p_flags & PF_W))
        return refuse("library_c4", "expects relocations of writable data");
  }
  return true;
}

LibraryFileCheck checkLibraryFile(const unsigned char *data, size_t size, const char *symbol) {
  return Check(data, size, symbol).run();
}

} // namespace opc
