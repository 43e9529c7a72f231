// The vendor's kernel-side API as data: answers, substitutes, built-in operators.

#include "runtime/target/Target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace opc;

static const char *const kSubstituted[] = {
#define OPC_SUBSTITUTE(NAME, TEXT) NAME,
#include "runtime/target/toolkit/Substitutes.def"
#undef OPC_SUBSTITUTE
};

// The traps of this chip: newer headers accept these names and emit nothing.
TEST(Api, TrapsAreAnsweredNoWithASubstitute) {
  for (const char *name : {"Tanh", "Sigmoid", "Swish", "Silu", "Gelu", "Erf", "Power", "Neg", "Divs", "Subs", "Brcb",
                           "Interleave", "Log", "Clamp", "Sum", "LayerNorm", "RmsNorm", "Broadcast"}) {
    ApiAnswer answer = queryApi(name);
    EXPECT_EQ(answer.support, ApiSupport::No) << name;
    EXPECT_FALSE(answer.substitute.empty()) << name;
  }
}

// Emitted kernels stand on these.
TEST(Api, WhatKernelsCallIsThere) {
  for (const char *name :
       {"DataCopyPad", "SetFlag", "WaitFlag", "PipeBarrier", "GetBlockIdx", "GetWithOffset", "TBuf", "TPipe", "TQue",
        "GlobalTensor", "LocalTensor", "SetGlobalBuffer", "InitBuffer", "Duplicate"}) {
    ApiAnswer answer = queryApi(name);
    EXPECT_EQ(answer.support, ApiSupport::Yes) << name;
    EXPECT_TRUE(answer.nearest.empty());
  }
}

TEST(Api, MisspeltNamesGetTheNearest) {
  ApiAnswer answer = queryApi("DataCopyPadd");
  EXPECT_EQ(answer.support, ApiSupport::Unknown);
  EXPECT_EQ(answer.nearest, "DataCopyPad");
  EXPECT_EQ(queryApi("").support, ApiSupport::Unknown);
  EXPECT_TRUE(queryApi(std::string(100000, 'x')).nearest.empty());
}

// A substitute for a call that is there, or for a name that is none, would be a mistake in the table.
TEST(Api, SubstitutesAreForCallsThatAreMissing) {
  for (const char *name : kSubstituted)
    EXPECT_EQ(queryApi(name).support, ApiSupport::No) << name;
}

// A recipe that itself calls what the chip lacks helps nobody.
TEST(Api, SubstitutesCallOnlyWhatIsThere) {
  for (const char *name : kSubstituted) {
    std::string text = queryApi(name).substitute, word;
    for (char c : text + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
        continue;
      }
      if (!word.empty() && std::isupper(static_cast<unsigned char>(word[0])) != 0) {
        EXPECT_NE(queryApi(word).support, ApiSupport::No) << word << " in the substitute of " << name;
      }
      word.clear();
    }
  }
}

TEST(Api, NamesAreUnique) {
  std::vector<std::string> names = apiCallNames();
  EXPECT_GT(names.size(), 1500u);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

// Packages warn when they shadow one of these.
TEST(BuiltinOperators, AreKnown) {
  const std::vector<std::string_view> &names = builtinOperators();
  EXPECT_EQ(names.size(), 698u);
  auto has = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  EXPECT_TRUE(has("Swish"));
  EXPECT_TRUE(has("Relu"));
  EXPECT_FALSE(has("AddRelu"));
}
