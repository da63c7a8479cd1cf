// When a source's preamble is made, and when it is used no more.
#include "os/scratch.h"
#include "source/preamble.h"
#include "source/precompiled_header.h"
#include "tests/nvcc.h"
#include <gmock/gmock.h>

using namespace testing;

namespace warplint {
namespace {

class PreambleOf : public Test {
protected:
  Scratch scratch = llvm::cantFail(Scratch::create());
  const Store kept{scratch.path("kept")};
  const std::string header = scratch.path("a.h"), absent = scratch.path("b.h");

  void SetUp() override { writeFile(header, "int a;"); }

  Preamble preamble() const { return Preamble(kept, Key("of a source")); }
  void read(llvm::StringRef text) const {
    preamble().wasRead("a.cu", text, {header, absent});
  }
  std::string make() const {
    Preamble made = preamble();
    for (const std::string &file : {made.file(), base()})
      makeFile(kept, file, [](llvm::StringRef now) {
        writeFile(now.str(), "parsed");
        return true;
      });
    made.keep({made.file(), base(), "#include <cub/cub.cuh>\n", {7, 9}, {}},
              {header, absent});
    return made.file();
  }
  std::string base() const { return kept.folder() + "/base"; }
};

} // namespace

// Making one takes longer than reading the source.
TEST_F(PreambleOf, IsWorthMakingForWhatChangesAloneOrBeginsAlike) {
  EXPECT_FALSE(preamble().isWorthMaking());
  read("first");
  read("second");
  read("second");
  EXPECT_FALSE(preamble().isWorthMaking());
  preamble().wasRead("b.cu", "second", {header, absent}); // begins like a.cu
  EXPECT_TRUE(preamble().isWorthMaking());
  // All its sources would make one.
  writeFile(header, "int a, b;");
  EXPECT_FALSE(preamble().isWorthMaking());
  read("fourth");
  EXPECT_FALSE(preamble().isWorthMaking());
}

TEST_F(PreambleOf, WhatWasMadeIsUsedWhileItsFilesStay) {
  read("first");
  EXPECT_EQ(preamble().made(), nullptr);
  make();
  const Preamble used = preamble();
  ASSERT_NE(used.made(), nullptr);
  EXPECT_EQ(used.made()->base, base());
  EXPECT_THAT(used.made()->declarations, ElementsAre(7u, 9u));
  EXPECT_THAT(used.asked(), ElementsAre(header, absent));
  // A header that is found now hides another one.
  writeFile(absent, "");
  EXPECT_EQ(preamble().made(), nullptr);
  llvm::sys::fs::remove(absent);
  EXPECT_NE(preamble().made(), nullptr);
  writeFile(header, "int a, c;");
  EXPECT_EQ(preamble().made(), nullptr);
}

// Clang believes every byte of it.
TEST_F(PreambleOf, ADamagedOneIsNotUsed) {
  for (bool isBase : {false, true}) {
    const std::string file = make();
    ASSERT_NE(preamble().made(), nullptr);
    writeFile(isBase ? base() : file, "damaged");
    EXPECT_EQ(preamble().made(), nullptr) << isBase;
  }
  const std::string file = make();
  preamble().drop();
  EXPECT_FALSE(llvm::sys::fs::exists(file));
  EXPECT_EQ(preamble().made(), nullptr);
}

} // namespace warplint
