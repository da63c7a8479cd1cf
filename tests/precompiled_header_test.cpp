// The precompiled header: shared where flags cannot change it, never used where
// they may.
#include "os/scratch.h"
#include "source/precompiled_header.h"
#include "tests/nvcc.h"
#include <chrono>
#include <gmock/gmock.h>
#include <unistd.h>

using namespace testing;

namespace warplint {
namespace {

class PrecompiledHeader : public Test {
protected:
  void SetUp() override {
    auto made = Scratch::create();
    ASSERT_TRUE(bool(made));
    scratch_.emplace(std::move(*made));
    for (const char *name : {"mine", "mine/bits", "plain"})
      llvm::sys::fs::create_directories(path(name));
  }
  std::string path(llvm::StringRef name) const { return scratch_->path(name); }

  std::string header(std::vector<std::string> user) {
    const Store kept(path("cache"));
    PrecompiledHeaderRequest request{
        kept, path(""), "/cuda", {"-x"}, std::move(user), "1", headers};
    auto make = [&](const std::vector<std::string> &flags, llvm::StringRef file,
                    PrecompiledHeaderNames &names) {
      made.push_back(flags);
      names = {"NDEBUG", "size_t", "<bits/", "<cmath"};
      writeFile(file.str(), "parsed");
      return canBeMade;
    };
    return precompiledHeaderFor(request, make);
  }

  std::vector<std::vector<std::string>> made;
  bool canBeMade = true;
  std::vector<std::string> headers;

private:
  std::optional<Scratch> scratch_;
};

TEST_F(PrecompiledHeader, IsSharedByWhateverCannotChangeIt) {
  std::string first = header({});
  EXPECT_EQ(header({"-DMINE=1", "-I" + path("plain"), "-isystem", path("plain"),
                    "-include", "own.h", "-UOTHER"}),
            first);
  EXPECT_EQ(made.size(), 1u);
  EXPECT_NE(header({"-DNDEBUG", "-DMINE=2"}), first);
  EXPECT_THAT(made.back(), ElementsAre("-x", "-DNDEBUG"));
  EXPECT_EQ(header({"-DNDEBUG", "-DMINE=3"}), header({"-DNDEBUG"}));
  // A header of the user's hides one of the library's.
  EXPECT_NE(header({"-I", "mine"}), first);
  EXPECT_THAT(made.back(), ElementsAre("-x", "-I", path("mine")));
  EXPECT_NE(header({"-std=c++14"}), first);
  EXPECT_EQ(header({"-imacros", "m.h"}), "");
}

// Making one that is not used takes as long as reading ten sources.
TEST_F(PrecompiledHeader, IsMadeOnceWhereItIsPlainWhatChangesIt) {
  header({"-D__CUDACC_EXTENDED_LAMBDA__", "-DMINE"});
  EXPECT_THAT(made,
              ElementsAre(ElementsAre("-x", "-D__CUDACC_EXTENDED_LAMBDA__")));
  headers = {"lib/library.h"};
  llvm::sys::fs::create_directory(path("plain/lib"));
  writeFile(path("plain/lib/library.h"), "");
  header({"-Imine/other", "-Iplain"});
  EXPECT_THAT(made.back(), ElementsAre("-x", "-I", path("plain")));
  EXPECT_EQ(made.size(), 2u);
}

// The file in use is known without making it again.
TEST_F(PrecompiledHeader, IsKnownWhereItIsNotMade) {
  const Store kept(path("cache"));
  auto known = [&](std::vector<std::string> user) {
    return precompiledHeaderFor(
        {kept, path(""), "/cuda", {"-x"}, std::move(user), "1"}, nullptr);
  };
  EXPECT_EQ(known({}), "");
  const std::string first = header({}), other = header({"-I", "mine"});
  EXPECT_NE(first, other);
  llvm::sys::fs::remove(first);
  EXPECT_EQ(known({}), first);
  EXPECT_EQ(known({"-I", "mine"}), other);
  EXPECT_EQ(header({}), first);
  EXPECT_TRUE(llvm::sys::fs::exists(first));
}

// An interrupted run does not leave a machine without one.
TEST_F(PrecompiledHeader, IsMadeAnewIfItsNamesAreLost) {
  const std::string first = header({});
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(path("cache"), error), end;
       !error && file != end; file.increment(error))
    if (file->path() != first)
      llvm::sys::fs::remove(file->path());
  EXPECT_EQ(header({}), first);
  EXPECT_EQ(made.size(), 2u);
  EXPECT_EQ(header({}), first);
  EXPECT_EQ(made.size(), 2u);
}

// Other processes read their sources without it instead of waiting.
TEST_F(PrecompiledHeader, IsNotWaitedForWhileAnotherMakesIt) {
  const Store kept(path("cache"));
  const PrecompiledHeaderRequest request{kept,   path(""), "/cuda",
                                         {"-x"}, {},       "1"};
  std::string meanwhile = "not asked";
  auto make = [&](const std::vector<std::string> &, llvm::StringRef file,
                  PrecompiledHeaderNames &names) {
    meanwhile = header({});
    names = {"size_t"};
    writeFile(file.str(), "parsed");
    return true;
  };
  const std::string first = precompiledHeaderFor(request, make);
  EXPECT_NE(first, "");
  EXPECT_EQ(meanwhile, "");
  EXPECT_EQ(made.size(), 0u);
  EXPECT_EQ(header({}), first);
}

// A machine that went down leaves its lock, and no process to ask.
TEST_F(PrecompiledHeader, IsMadeInSpiteOfAnOldLock) {
  const std::string first = header({});
  llvm::sys::fs::remove(first);
  const std::string lock = first + ".lock";
  writeFile(lock, "another-host 12");
  EXPECT_EQ(header({}), "");
  int file;
  ASSERT_FALSE(llvm::sys::fs::openFileForWrite(lock, file,
                                               llvm::sys::fs::CD_OpenExisting));
  const auto before = std::chrono::system_clock::now() - std::chrono::hours(1);
  llvm::sys::fs::setLastAccessAndModificationTime(file, before);
  close(file);
  EXPECT_EQ(header({}), ""); // it goes
  EXPECT_EQ(header({}), first);
}

TEST_F(PrecompiledHeader, IsWantedByItsLibraries) {
  const Store kept(path("cache"));
  PrecompiledHeaderRequest request{kept,   path(""), "/cuda",
                                   {"-x"}, {"-DA"},  "1"};
  EXPECT_FALSE(isWanted(request));
  want(request);
  EXPECT_TRUE(isWanted(request));
  request.version = "1, and cub";
  EXPECT_FALSE(isWanted(request));
}

TEST_F(PrecompiledHeader, IsNotTriedForEver) {
  canBeMade = false;
  EXPECT_EQ(header({}), "");
  EXPECT_EQ(header({}), "");
  EXPECT_EQ(made.size(), 1u);
}

TEST_F(PrecompiledHeader, WithoutAFolderThereIsNone) {
  auto make = [](const std::vector<std::string> &, llvm::StringRef,
                 PrecompiledHeaderNames &) { return true; };
  for (const char *folder : {"", "/proc/none"}) {
    const Store kept(folder);
    EXPECT_EQ(precompiledHeaderFor({kept, "", "", {}, {}, ""}, make), "");
  }
}

} // namespace
} // namespace warplint
