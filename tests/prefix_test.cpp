// The prefix that is kept: shared where it may be, never used where it may not.
#include "compiled/scratch.h"
#include "source/prefix.h"
#include "tests/nvcc.h"
#include <gmock/gmock.h>

using namespace testing;

namespace warplint {
namespace {

class Prefix : public Test {
protected:
  void SetUp() override {
    auto made = Scratch::create();
    ASSERT_TRUE(bool(made));
    scratch_.emplace(std::move(*made));
    for (const char *name : {"mine", "mine/bits", "plain"})
      llvm::sys::fs::create_directories(path(name));
  }
  std::string path(llvm::StringRef name) const { return scratch_->path(name); }

  std::string prefix(std::vector<std::string> user) {
    PrefixRequest request{path("cache"), path(""),        "/cuda",
                          {"-x"},        std::move(user), "1"};
    auto make = [&](const std::vector<std::string> &flags, llvm::StringRef file,
                    PrefixNames &names) {
      made.push_back(flags);
      names = {"NDEBUG", "size_t", "<bits/", "<cmath"};
      writeFile(file.str(), "parsed");
      return canBeMade;
    };
    return prefixFor(request, make);
  }

  std::vector<std::vector<std::string>> made;
  bool canBeMade = true;

private:
  std::optional<Scratch> scratch_;
};

TEST_F(Prefix, IsSharedByWhateverCannotChangeIt) {
  std::string first = prefix({});
  EXPECT_EQ(prefix({"-DMINE=1", "-I" + path("plain"), "-isystem", path("plain"),
                    "-include", "own.h", "-UOTHER"}),
            first);
  EXPECT_EQ(made.size(), 1u);
  EXPECT_NE(prefix({"-DNDEBUG", "-DMINE=2"}), first);
  EXPECT_THAT(made.back(), ElementsAre("-x", "-DNDEBUG"));
  EXPECT_EQ(prefix({"-DNDEBUG", "-DMINE=3"}), prefix({"-DNDEBUG"}));
  // A header of the user's hides one of the library's.
  EXPECT_NE(prefix({"-I", "mine"}), first);
  EXPECT_THAT(made.back(), ElementsAre("-x", "-I", path("mine")));
  EXPECT_NE(prefix({"-std=c++14"}), first);
  EXPECT_EQ(prefix({"-imacros", "m.h"}), "");
}

TEST_F(Prefix, IsNotTriedForEver) {
  canBeMade = false;
  EXPECT_EQ(prefix({}), "");
  EXPECT_EQ(prefix({}), "");
  EXPECT_EQ(made.size(), 1u);
}

TEST_F(Prefix, WithoutAFolderThereIsNone) {
  PrefixRequest request;
  auto make = [](const std::vector<std::string> &, llvm::StringRef,
                 PrefixNames &) { return true; };
  EXPECT_EQ(prefixFor(request, make), "");
  request.folder = "/proc/none";
  EXPECT_EQ(prefixFor(request, make), "");
}

} // namespace
} // namespace warplint
