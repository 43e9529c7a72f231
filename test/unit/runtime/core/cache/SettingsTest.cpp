// Settings: which place wins, and what cannot be read.

#include "test/unit/runtime/core/cache/CacheHarness.h"

#include <gmock/gmock.h>

#include <stdlib.h>

using namespace opc;
using namespace opc::test;
using testing::HasSubstr;

namespace {
class SettingsTest : public testing::Test {
protected:
  void SetUp() override {
    for (const char *name : kNames)
      unsetenv(name);
    setenv("XDG_CONFIG_HOME", folder.path.c_str(), 1);
    setenv("XDG_CACHE_HOME", "/cache/home", 1);
  }
  void TearDown() override {
    for (const char *name : kNames)
      unsetenv(name);
  }
  void config(const std::string &text) {
    std::filesystem::create_directories(folder.path + "/opc");
    std::ofstream(folder.path + "/opc/config.json") << text;
  }
  void refused(const std::map<std::string, std::string> &flags, const char *text) {
    Diagnostics diagnostics;
    EXPECT_FALSE(readCacheSettings(flags, diagnostics));
    ASSERT_TRUE(diagnostics.hasErrors());
    EXPECT_EQ(diagnostics.all().front().code, Code::E0113);
    EXPECT_THAT(diagnostics.all().front().message, HasSubstr(text));
  }
  static constexpr const char *kNames[] = {
      "ASCEND_CACHE_PATH",   "ACLNN_KERNEL_CACHE_SIZE",  "OPC_CACHE_BYTES", "ACLNN_CACHE_LIMIT",
      "ACLNN_DISABLE_CACHE", "ASCEND_MAX_OP_CACHE_SIZE", "ACL_LOG_LEVEL",   "ASCEND_REMAIN_CACHE_SIZE_RATIO",
      "OPC_CACHE_TRACE"};
  TemporaryFolder folder;
  Diagnostics diagnostics;
};
} // namespace

// Without it: defaults are not those of the documentation.
TEST_F(SettingsTest, Defaults) {
  auto settings = readCacheSettings({}, diagnostics);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->path, "/cache/home/opc");
  EXPECT_EQ(settings->kernels, 100u);
  EXPECT_EQ(settings->launches, 10000u);
  EXPECT_EQ(settings->diskMegabytes, 500u);
  EXPECT_EQ(settings->remainPercent, 50u);
  EXPECT_FALSE(settings->disable);
  EXPECT_FALSE(settings->logHits);
  EXPECT_EQ(settings->origins.at("kernels"), "default");
}

// Without it: a variable overrules a flag, or a file a variable.
TEST_F(SettingsTest, FlagOverEnvironmentOverFile) {
  config(R"({"cache": {"kernels": 1, "launches": 2, "path": "/from/file", "disable": true}, "other": 1})");
  setenv("ACLNN_CACHE_LIMIT", "3", 1);
  setenv("ASCEND_CACHE_PATH", "/from/variable", 1);
  setenv("ACL_LOG_LEVEL", "INFO", 1);
  auto settings = readCacheSettings({{"path", "/from/flag"}}, diagnostics);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->kernels, 1u);
  EXPECT_EQ(settings->launches, 3u);
  EXPECT_EQ(settings->path, "/from/flag");
  EXPECT_TRUE(settings->disable);
  EXPECT_TRUE(settings->logHits);
  EXPECT_THAT(settings->origins.at("kernels"), HasSubstr("config.json"));
  EXPECT_EQ(settings->origins.at("launches"), "ACLNN_CACHE_LIMIT");
}

// Without it: a typing error is taken for 0, or for the default.
TEST_F(SettingsTest, UnreadableValuesAreErrors) {
  for (const char *value : {"", "x", "-1", "1e3", " 1", "1 ", "99999999999999999999"}) {
    setenv("ACLNN_KERNEL_CACHE_SIZE", value, 1);
    refused({}, "ACLNN_KERNEL_CACHE_SIZE");
  }
  unsetenv("ACLNN_KERNEL_CACHE_SIZE");
  setenv("ACLNN_DISABLE_CACHE", "2", 1);
  refused({}, "a number of 0 to 1, found '2' (ACLNN_DISABLE_CACHE)");
  unsetenv("ACLNN_DISABLE_CACHE");
  setenv("ACL_LOG_LEVEL", "LOUD", 1);
  refused({}, "DEBUG, INFO, WARNING, ERROR or NULL");
  unsetenv("ACL_LOG_LEVEL");
  refused({{"remain_percent", "101"}}, "0 to 100");
  config("{");
  refused({}, "cannot be parsed");
  config("[]");
  refused({}, "no object");
  config(R"({"cache": {"kernel": 1}})");
  refused({}, "did you mean 'kernels'?");
  config(R"({"cach": {"kernels": 1}})");
  refused({}, "no part 'cach'; did you mean 'cache'?");
  config(R"({"cache": {"kernels": -1}})");
  refused({}, "found '-1'");
  config(R"({"cache": {"kernels": [1]}})");
  refused({}, "found '[1]'");
}
