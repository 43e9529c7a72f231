// package.json: what is written is read again, and nothing else is.

#include "runtime/program/PackageManifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

using namespace opc;
using ::testing::HasSubstr;

static PackageManifest sample() {
  PackageManifest manifest;
  manifest.vendor = "mine";
  manifest.version = "1.0.0";
  manifest.layout = "vendors";
  manifest.compiler = "opc 0.1.0";
  manifest.target = "Ascend310B1";
  manifest.chips = {"ascend310b"};
  manifest.formats = {1, 1, 2};
  manifest.operators = {{"AddRelu", "add_relu", "1.2.3", std::string(64, 'a'), "op_pkg/add_relu/1.2.3/op_impl", false}};
  manifest.absent = {{"op_api/lib/libcust_opapi.so", "the vendor's compiler"}};
  manifest.files = {{"version.info", std::string(64, '0'), 12}, {"a/b", std::string(64, 'f'), 0}};
  return manifest;
}

TEST(PackageManifest, IsReadAsItWasWritten) {
  std::string text = writePackageManifest(sample());
  PackageManifest manifest;
  ASSERT_EQ(readPackageManifest(text, manifest), "");
  EXPECT_EQ(writePackageManifest(manifest), text);
  EXPECT_EQ(manifest.files[0].size, 12u);
  EXPECT_EQ(manifest.operators[0].name, "add_relu");
}

// Names become folders and words of lists; paths are opened.
TEST(PackageManifest, RefusesWhatLeadsOutside) {
  for (const char *path : {"", "/a", "a/../b", "..", "a//b", "a/./b", "a\\b", "a\nb", "a/"}) {
    EXPECT_NE(checkPackagePath(path), "") << path;
    PackageManifest manifest = sample();
    manifest.files[0].path = path;
    EXPECT_NE(checkPackageManifest(manifest), "") << path;
    manifest = sample();
    manifest.absent[0].path = path;
    EXPECT_NE(checkPackageManifest(manifest), "") << path;
    manifest = sample();
    manifest.operators[0].folder = path;
    EXPECT_NE(checkPackageManifest(manifest), "") << path;
  }
  EXPECT_EQ(checkPackagePath("a/b-c_d.e"), "");
  for (const char *name : {"", "a,b", "a/b", "..", "1a", "a b", "=", ".hidden"})
    EXPECT_NE(checkVendorName(name), "") << name;
  EXPECT_EQ(checkVendorName("my-vendor_2"), "");
  for (const char *version : {"", "1", "1.0", "1.0.0.0", "1.0.x", "01.0.0", "1..0", "999999.0.0"})
    EXPECT_NE(checkPackageVersion(version), "") << version;
  EXPECT_EQ(checkPackageVersion("10.0.99999"), "");
}

// A file that is listed twice, or as absent too, has two truths.
TEST(PackageManifest, RefusesTwoTruths) {
  PackageManifest manifest = sample();
  manifest.files.push_back(manifest.files[0]);
  EXPECT_THAT(checkPackageManifest(manifest), HasSubstr("'version.info' is there twice"));
  manifest = sample();
  manifest.absent[0].path = "a/b";
  EXPECT_THAT(checkPackageManifest(manifest), HasSubstr("'a/b'"));
  manifest = sample();
  manifest.operators.push_back(manifest.operators[0]);
  EXPECT_THAT(checkPackageManifest(manifest), HasSubstr("is there twice"));
  manifest = sample();
  manifest.files[0].path = "package.json";
  EXPECT_THAT(checkPackageManifest(manifest), HasSubstr("does not list itself"));
}

TEST(PackageManifest, RefusesTextsByTheirForm) {
  PackageManifest manifest;
  for (const std::string &text :
       {std::string(), std::string("[]"), std::string("{}"), std::string("{"), std::string("null"),
        std::string(100000, '['), std::string("{\"vendor\": 1, \"vendor\": 2}")})
    EXPECT_NE(readPackageManifest(text, manifest), "") << text.substr(0, 40);
  std::string text = writePackageManifest(sample());
  size_t at = text.find("\"schema_version\": 1");
  ASSERT_NE(at, std::string::npos);
  EXPECT_THAT(readPackageManifest(text.replace(at + 18, 1, "2"), manifest), HasSubstr("another version of opc"));
}

// Hostile texts are read without a crash, and whatever is taken keeps every rule.
TEST(PackageManifest, RandomChangesNeverSlipThrough) {
  const std::string right = writePackageManifest(sample());
  std::mt19937 random(310);
  size_t refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = right;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, 1 + random() % 20);
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), random() % 30));
        break;
      default:
        text.insert(at, std::string(1, "{}[]\",:/.0-"[random() % 11]));
      }
      if (text.empty())
        text = "{";
    }
    PackageManifest manifest;
    if (!readPackageManifest(text, manifest).empty()) {
      ++refused;
      continue;
    }
    ASSERT_EQ(checkPackageManifest(manifest), "") << text;
    PackageManifest again;
    ASSERT_EQ(readPackageManifest(writePackageManifest(manifest), again), "") << text;
  }
  EXPECT_GT(refused, 10000u);
}
