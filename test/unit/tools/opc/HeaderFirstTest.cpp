// Whether a precompiled header may stand for the one that a source includes: only where the source cannot tell.

#include "tools/opc/source/compiler/HeaderFirst.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace opc::tool;
namespace fs = std::filesystem;

namespace {

class HeaderFirst : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "header_first_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string &name, const std::string &text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  bool isFirst(const std::string &text) const {
    return includesFirst((folder / "kernel.cpp").string(), text, "kernel_operator.h");
  }

  fs::path folder;
};

TEST_F(HeaderFirst, AfterCommentsAlone) {
  EXPECT_TRUE(isFirst("#include \"kernel_operator.h\"\nint x;"));
  EXPECT_TRUE(isFirst("\xEF\xBB\xBF\r\n// One.\n/* Two\n * lines */ # include <kernel_operator.h>\n"));
  for (const char *text :
       {"", "//", "/* open", "int x;", "#define K 1\n#include \"kernel_operator.h\"\n",
        "#ifdef X\n#include \"kernel_operator.h\"\n#endif\n", "// #include \"kernel_operator.h\"\n",
        "// goes on \\\n#include \"kernel_operator.h\"\nint x;", "// goes on \\\r\n#include \"kernel_operator.h\"\n",
        "#include <cstdint>\n#include \"kernel_operator.h\"\n", "#include \"kernel_operator.hpp\"\n",
        "#include \"kernel_operator.h", "#include NAME\n", "#includes \"kernel_operator.h\"\n"})
    EXPECT_FALSE(isFirst(text)) << text;
}

TEST_F(HeaderFirst, ByFilesBesideTheSource) {
  write("mine.h", "#include \"deep/other.h\"\n");
  write("deep/other.h", "#include \"kernel_operator.h\"\n");
  write("wrong.h", "#pragma once\n#include \"kernel_operator.h\"\n");
  write("circle.h", "#include \"circle.h\"\n");
  EXPECT_TRUE(isFirst("#include \"mine.h\"\n"));
  for (const char *name : {"wrong.h", "circle.h", "nothing.h", "deep"})
    EXPECT_FALSE(isFirst(std::string("#include \"") + name + "\"\n")) << name;
  // A header of one's own with this name, beside the file that includes it.
  write("deep/kernel_operator.h", "");
  EXPECT_FALSE(isFirst("#include \"mine.h\"\n"));
  EXPECT_TRUE(isFirst("#include \"kernel_operator.h\"\n"));
  write("kernel_operator.h", "");
  EXPECT_FALSE(isFirst("#include \"kernel_operator.h\"\n"));
}

TEST_F(HeaderFirst, DefinitionsThatNoHeaderUses) {
  write("runtime/a.h", "int Sum(int Count); // Count_2\n");
  const std::string headers = folder.string();
  for (const char *apart : {"DTYPE_X=float", "CASE", "Su=1", "ount=1", "Count_=1", "F(x)=x", "Count_23"})
    EXPECT_TRUE(isApartFromHeaders(apart, headers)) << apart;
  for (const char *used :
       {"Sum", "Sum=Add", "Count(x)=x", "Count_2=1", "int=long", "_GLIBCXX_DEBUG", "NDEBUG", "", "=1"})
    EXPECT_FALSE(isApartFromHeaders(used, headers)) << used;
}

} // namespace
