// Files that are no kernel libraries: each is told apart before the system's loader sees it.
//
// The test writes a small library by hand, as ld.lld lays one out, and then breaks it in one place at a time.
// Truncated and randomly changed copies must be judged without a read outside of the file (the build with
// sanitizers checks that).

#include "runtime/device/cpu/LibraryFile.h"
#include "runtime/device/cpu/KernelLibrary.h"

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <unistd.h>
#include <vector>

using namespace opc;

namespace {

constexpr uint64_t kSize = 4096;

/// One segment that holds everything: headers, dynamic section, symbol table, hash table, strings, one relocation.
struct Layout {
  Elf64_Ehdr header;
  Elf64_Phdr segments[2];
  Elf64_Sym symbols[2];
  uint32_t hash[8];
  char strings[40];
  Elf64_Rela relocation;
  Elf64_Dyn dynamic[9];
  uint64_t data[8];
};
static_assert(sizeof(Layout) <= kSize);

using Bytes = std::vector<unsigned char>;

Layout goodLayout() {
  Layout file{};
  std::memcpy(file.header.e_ident, ELFMAG, SELFMAG);
  file.header.e_ident[EI_CLASS] = ELFCLASS64;
  file.header.e_ident[EI_DATA] = ELFDATA2LSB;
  file.header.e_type = ET_DYN;
#if defined(__aarch64__)
  file.header.e_machine = EM_AARCH64;
#else
  file.header.e_machine = EM_X86_64;
#endif
  file.header.e_phoff = offsetof(Layout, segments);
  file.header.e_phentsize = sizeof(Elf64_Phdr);
  file.header.e_phnum = 2;
  file.segments[0] = {PT_LOAD, PF_R | PF_W, 0, 0, 0, kSize, kSize, 4096};
  file.segments[1] = {PT_DYNAMIC, PF_R | PF_W,          offsetof(Layout, dynamic), offsetof(Layout, dynamic),
                      0,          sizeof(file.dynamic), sizeof(file.dynamic),      8};
  file.symbols[1] = {1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, offsetof(Layout, data), 8};
  const uint32_t hash[8] = {1, 1, 1, 6, 0, 0, 1, 1};
  std::memcpy(file.hash, hash, sizeof(hash));
  std::strcpy(file.strings + 1, "opc_kernel_library_query");
#if defined(__aarch64__)
  file.relocation = {offsetof(Layout, data), ELF64_R_INFO(0, R_AARCH64_RELATIVE), 0};
#else
  file.relocation = {offsetof(Layout, data), ELF64_R_INFO(0, R_X86_64_RELATIVE), 0};
#endif
  auto entry = [](Elf64_Sxword tag, uint64_t value) {
    Elf64_Dyn dyn{};
    dyn.d_tag = tag;
    dyn.d_un.d_val = value;
    return dyn;
  };
  file.dynamic[0] = entry(DT_SYMTAB, offsetof(Layout, symbols));
  file.dynamic[1] = entry(DT_STRTAB, offsetof(Layout, strings));
  file.dynamic[2] = entry(DT_STRSZ, sizeof(file.strings));
  file.dynamic[3] = entry(DT_GNU_HASH, offsetof(Layout, hash));
  file.dynamic[4] = entry(DT_RELA, offsetof(Layout, relocation));
  file.dynamic[5] = entry(DT_RELASZ, sizeof(Elf64_Rela));
  file.dynamic[6] = entry(DT_SYMENT, sizeof(Elf64_Sym));
  file.dynamic[7] = entry(DT_RELAENT, sizeof(Elf64_Rela));
  file.dynamic[8] = entry(DT_NULL, 0);
  return file;
}

Bytes bytesOf(const Layout &layout) {
  Bytes bytes(kSize);
  std::memcpy(bytes.data(), &layout, sizeof(layout));
  return bytes;
}

std::string ruleOf(const Bytes &bytes) {
  return checkLibraryFile(bytes.data(), bytes.size()).rule;
}

std::string ruleAfter(const std::function<void(Layout &)> &change) {
  Layout file = goodLayout();
  change(file);
  return ruleOf(bytesOf(file));
}

} // namespace

TEST(LibraryFile, TakesALibraryThatKeepsTheRules) {
  EXPECT_EQ(ruleOf(bytesOf(goodLayout())), "");
}

TEST(LibraryFile, C1SharedObjectForThisMachine) {
  EXPECT_EQ(ruleOf({}), "library_c1");
  EXPECT_EQ(ruleOf(Bytes(100, 'x')), "library_c1");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.header.e_ident[0] = 'F'; }), "library_c1");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.header.e_type = ET_REL; }), "library_c1");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.header.e_ident[EI_CLASS] = ELFCLASS32; }), "library_c1");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.header.e_machine = EM_S390; }), "library_c1");
}

TEST(LibraryFile, C2EverythingLiesInTheFile) {
  EXPECT_EQ(ruleAfter([](Layout &f) { f.header.e_phoff = ~0ull - 8; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.header.e_phnum = 0; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.header.e_phnum = 65535; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.segments[0].p_filesz = kSize + 1; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.segments[0].p_memsz = 1ull << 40; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.segments[0].p_align = 3; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.segments[1].p_type = PT_GNU_STACK; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.segments[1].p_vaddr += 16; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.dynamic[8].d_tag = DT_RELACOUNT; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.dynamic[0].d_un.d_ptr = kSize - 8; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.dynamic[3].d_un.d_ptr = 1ull << 50; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.dynamic[5].d_un.d_val = 23; }), "library_c2");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.dynamic[7].d_un.d_val = 8; }), "library_c2");
}

// What breaks without it: opening a file runs its code or loads others.
TEST(LibraryFile, C3NoNeedsAndNoInitialisers) {
  for (Elf64_Sxword tag : {DT_NEEDED, DT_INIT, DT_FINI, DT_INIT_ARRAY, DT_FINI_ARRAY, DT_PREINIT_ARRAY, DT_TEXTREL,
                           DT_VERNEED, DT_SONAME, DT_FLAGS})
    EXPECT_EQ(ruleAfter([&](Layout &f) { f.dynamic[6].d_tag = tag; }), "library_c3") << tag;
  EXPECT_EQ(ruleAfter([](Layout &f) { f.segments[0].p_flags |= PF_X; }), "library_c3");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.segments[1].p_type = PT_INTERP; }), "library_c3");
}

TEST(LibraryFile, C4RelativeRelocationsAndOneSymbol) {
  EXPECT_EQ(ruleAfter([](Layout &f) { f.relocation.r_info = ELF64_R_INFO(1, R_X86_64_64); }), "library_c4");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.relocation.r_info = ELF64_R_INFO(0, R_X86_64_IRELATIVE); }), "library_c4");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.relocation.r_offset = kSize; }), "library_c4");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.segments[0].p_flags = PF_R; }), "library_c4");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.symbols[1].st_shndx = SHN_UNDEF; }), "library_c4");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.symbols[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC); }),
            "library_c4");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.dynamic[1].d_un.d_ptr = 1ull << 50; }), "library_c4");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.symbols[1].st_name = ~0u; }), "library_c4");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.strings[1] = 'q'; }), "library_c4");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.hash[1] = 2; }), "library_c4");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.hash[7] = 0; }), "library_c4");
  EXPECT_EQ(ruleAfter([](Layout &f) { f.dynamic[6].d_tag = DT_JMPREL; }), "library_c4");
}

TEST(LibraryFile, JudgesEveryTruncationAndManyMutants) {
  Bytes good = bytesOf(goodLayout());
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_NE(ruleOf(Bytes(good.begin(), good.begin() + length)), "") << length;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    Bytes bytes = good;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
      bytes[random() % sizeof(Layout)] = uint8_t(random());
    ruleOf(bytes);
  }
}

// A file that is laid out well and knows no kernels: its query is data, not code.
TEST(KernelLibrary, RefusesFilesWithoutAQuery) {
  std::string path = std::filesystem::temp_directory_path() / ("opc-no-query-" + std::to_string(getpid()));
  Layout file = goodLayout();
  file.header.e_version = file.header.e_ident[EI_VERSION] = EV_CURRENT; // the loader asks for it
  Bytes bytes = bytesOf(file);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()), std::streamsize(bytes.size()));
  Diagnostics diagnostics;
  EXPECT_FALSE(KernelLibrary::open(path, diagnostics));
  std::filesystem::remove(path);
  ASSERT_EQ(diagnostics.errorCount(), 1u);
  EXPECT_EQ(diagnostics.all()[0].code, Code::E0590);
  EXPECT_EQ(diagnostics.all()[0].rule, "library_c5") << diagnostics.all()[0].message;
}

TEST(KernelLibrary, RefusesFilesWithACode) {
  std::string path = std::filesystem::temp_directory_path() / ("opc-library-" + std::to_string(getpid()));
  auto codeOf = [&] {
    Diagnostics diagnostics;
    EXPECT_FALSE(KernelLibrary::open(path, diagnostics));
    return diagnostics.errorCount() == 1 ? diagnostics.all()[0].code : Code::E0900;
  };
  EXPECT_EQ(codeOf(), Code::E0600) << "no file";
  std::ofstream(path) << "#!/bin/sh\n";
  EXPECT_EQ(codeOf(), Code::E0590) << "a script";
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_EQ(codeOf(), Code::E0600) << "a folder";
  std::filesystem::remove(path);
  // A shared object of the system is well made and still none of ours.
  Diagnostics diagnostics;
  EXPECT_FALSE(KernelLibrary::open(std::filesystem::read_symlink("/proc/self/exe").string(), diagnostics));
  EXPECT_EQ(diagnostics.all()[0].code, Code::E0590);
}
