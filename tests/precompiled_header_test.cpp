// The precompiled header: shared where it may be, never used where it may not.
#include "os/scratch.h"
#include "source/precompiled_header.h"
#include "tests/nvcc.h"
#include <chrono>
#include <gmock/gmock.h>
#include <unistd.h>

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
    const Store kept(path("cache"));
    PrefixRequest request{kept, path(""), "/cuda", {"-x"}, std::move(user),
                          "1",  headers};
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
  std::vector<std::string> headers;

private:
  std::optional<Scratch> scratch_;
};

TEST_F(Prefix, IsSharedBySourcesThatCannotChangeIt) {
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

// To make one in vain takes as long as to read ten sources.
TEST_F(Prefix, KeepsOnlyFlagsThatChangeIt) {
  prefix({"-D__CUDACC_EXTENDED_LAMBDA__", "-DMINE"});
  EXPECT_THAT(made,
              ElementsAre(ElementsAre("-x", "-D__CUDACC_EXTENDED_LAMBDA__")));
  headers = {"lib/library.h"};
  llvm::sys::fs::create_directory(path("plain/lib"));
  writeFile(path("plain/lib/library.h"), "");
  prefix({"-Imine/other", "-Iplain"});
  EXPECT_THAT(made.back(), ElementsAre("-x", "-I", path("plain")));
  EXPECT_EQ(made.size(), 2u);
}

// Which one is in use is known before it is made again.
TEST_F(Prefix, IsFoundWithoutMakingIt) {
  const Store kept(path("cache"));
  auto known = [&](std::vector<std::string> user) {
    return prefixFor({kept, path(""), "/cuda", {"-x"}, std::move(user), "1"},
                     nullptr);
  };
  EXPECT_EQ(known({}), "");
  const std::string first = prefix({}), other = prefix({"-I", "mine"});
  EXPECT_NE(first, other);
  llvm::sys::fs::remove(first);
  EXPECT_EQ(known({}), first);
  EXPECT_EQ(known({"-I", "mine"}), other);
  EXPECT_EQ(prefix({}), first);
  EXPECT_TRUE(llvm::sys::fs::exists(first));
}

// A run that was ended in the middle does not leave a machine without one.
TEST_F(Prefix, IsMadeAgainIfItsNamesAreLost) {
  const std::string first = prefix({});
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(path("cache"), error), end;
       !error && file != end; file.increment(error))
    if (file->path() != first)
      llvm::sys::fs::remove(file->path());
  EXPECT_EQ(prefix({}), first);
  EXPECT_EQ(made.size(), 2u);
  EXPECT_EQ(prefix({}), first);
  EXPECT_EQ(made.size(), 2u);
}

// Others read their sources without it instead of waiting.
TEST_F(Prefix, DoesNotWaitForAnotherProcess) {
  const Store kept(path("cache"));
  const PrefixRequest request{kept, path(""), "/cuda", {"-x"}, {}, "1"};
  std::string meanwhile = "not asked";
  auto make = [&](const std::vector<std::string> &, llvm::StringRef file,
                  PrefixNames &names) {
    meanwhile = prefix({});
    names = {"size_t"};
    writeFile(file.str(), "parsed");
    return true;
  };
  const std::string first = prefixFor(request, make);
  EXPECT_NE(first, "");
  EXPECT_EQ(meanwhile, "");
  EXPECT_EQ(made.size(), 0u);
  EXPECT_EQ(prefix({}), first);
}

// The machine that holds the lock may have gone down.
TEST_F(Prefix, IgnoresAnOldLock) {
  const std::string first = prefix({});
  llvm::sys::fs::remove(first);
  const std::string lock = first + ".lock";
  writeFile(lock, "another-host 12");
  EXPECT_EQ(prefix({}), "");
  int file;
  ASSERT_FALSE(llvm::sys::fs::openFileForWrite(lock, file,
                                               llvm::sys::fs::CD_OpenExisting));
  const auto before = std::chrono::system_clock::now() - std::chrono::hours(1);
  llvm::sys::fs::setLastAccessAndModificationTime(file, before);
  close(file);
  EXPECT_EQ(prefix({}), ""); // it goes
  EXPECT_EQ(prefix({}), first);
}

TEST_F(Prefix, IsWantedForTheSameLibrariesAlone) {
  const Store kept(path("cache"));
  PrefixRequest request{kept, path(""), "/cuda", {"-x"}, {"-DA"}, "1"};
  EXPECT_FALSE(isWanted(request));
  want(request);
  EXPECT_TRUE(isWanted(request));
  request.version = "1, and cub";
  EXPECT_FALSE(isWanted(request));
}

TEST_F(Prefix, FailuresAreNotRetriedForEver) {
  canBeMade = false;
  EXPECT_EQ(prefix({}), "");
  EXPECT_EQ(prefix({}), "");
  EXPECT_EQ(made.size(), 1u);
}

TEST_F(Prefix, NeedsAFolder) {
  auto make = [](const std::vector<std::string> &, llvm::StringRef,
                 PrefixNames &) { return true; };
  for (const char *folder : {"", "/proc/none"}) {
    const Store kept(folder);
    EXPECT_EQ(prefixFor({kept, "", "", {}, {}, ""}, make), "");
  }
}

} // namespace
} // namespace warplint
