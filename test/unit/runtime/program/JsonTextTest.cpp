// JSON text to a document: the same one as the library's own reading makes, and refusals with their place.

#include "runtime/program/format/JsonText.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace opc;
using Json = nlohmann::ordered_json;

static std::string problemOf(std::string_view text, const JsonLimits &limits = {}) {
  Json json;
  JsonProblem problem;
  bool read = parseJson(text, limits, json, problem);
  EXPECT_EQ(read, problem.message.empty()) << text;
  return problem.text();
}

// Without it: a value ends up in another place, or is lost.
TEST(JsonText, DocumentsAreThoseOfTheLibrary) {
  for (std::string_view text :
       {"1", "-7", "1.5", "\"a\\u00e9\"", "null", "[]", "{}", "[1, [2, [3, []], 4], {\"a\": 5}]",
        "{\"b\": {\"a\": [1, {\"c\": null}], \"d\": \"text\"}, \"a\": [true, false], \"e\": -1.25}",
        "[{\"a\": 1}, {\"a\": 2}, [], {}, 18446744073709551615]",
        "{\"a long key that does not fit inline\": \"a long value that does not fit either\"}"}) {
    Json json;
    JsonProblem problem;
    ASSERT_TRUE(parseJson(text, {}, json, problem)) << text << ": " << problem.text();
    EXPECT_EQ(json.dump(), Json::parse(text).dump());
  }
}

// Without it: an author looks through a file of a thousand lines for a comma.
TEST(JsonText, ProblemsHaveTheirPlace) {
  EXPECT_EQ(problemOf("{\n  \"a\": 1\n  \"b\": 2\n}").substr(0, 31), "line 3, column 3: expects JSON:")
      << problemOf("{\n  \"a\": 1\n  \"b\": 2\n}");
  EXPECT_EQ(problemOf("{\n  \"a\": 1,\n  \"a\": 2\n}"), "line 3, column 5: expects each key once, found 'a' twice");
  EXPECT_EQ(problemOf("").substr(0, 31), "line 1, column 1: expects JSON:");
  EXPECT_EQ(problemOf("[1, 2").substr(0, 31), "line 1, column 5: expects JSON:");
  EXPECT_NE(problemOf("[1, tru]").find("invalid literal"), std::string::npos) << problemOf("[1, tru]");
  EXPECT_EQ(problemOf("[1,\n tru]").substr(0, 31), "line 2, column 5: expects JSON:");
  EXPECT_EQ(problemOf("[] []").substr(0, 17), "line 1, column 4:") << problemOf("[] []");
  EXPECT_EQ(problemOf("[1e999]").substr(0, 15), "line 1, column ") << problemOf("[1e999]");
  EXPECT_EQ(problemOf("\xff\xfe").substr(0, 31), "line 1, column 1: expects JSON:");
}

// Without it: a text of a few megabytes of brackets takes all stack or memory.
TEST(JsonText, Limits) {
  JsonLimits limits;
  limits.bytes = 64;
  limits.levels = 3;
  limits.keys = 2;
  EXPECT_EQ(problemOf("[[[1]]]", limits), "");
  EXPECT_EQ(problemOf("[[[[1]]]]", limits), "line 1, column 4: expects at most 3 levels");
  EXPECT_EQ(problemOf("[{}, {\"a\": [1]}]", limits), "");
  EXPECT_EQ(problemOf("[{}, {\"a\": [[1]]}]", limits), "line 1, column 13: expects at most 3 levels");
  EXPECT_EQ(problemOf("{\"a\": 1, \"b\": 2}", limits), "");
  EXPECT_EQ(problemOf("{\"a\": 1, \"b\": 2, \"c\": 3}", limits),
            "line 1, column 20: expects at most 2 keys in an object");
  EXPECT_EQ(problemOf(std::string(65, ' '), limits), "expects at most 64 bytes, found 65");
  EXPECT_EQ(problemOf(std::string(1 << 20, '[')).substr(0, 17), "line 1, column 17");
}
