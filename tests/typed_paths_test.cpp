// What a user types is found, or the sentence says why not.
#include "input/typed_paths.h"
#include "input_folder.h"
#include <gmock/gmock.h>
#include <sys/stat.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class TypedPaths : public testing::Test {
protected:
  llvm::Expected<std::vector<TypedPath>>
  read(std::vector<std::string> paths,
       llvm::function_ref<bool(llvm::StringRef)> skips = nullptr) {
    SourceRequest request;
    request.paths = std::move(paths);
    return readPaths(request, nullptr, skips, notes);
  }
  std::string failureOf(const std::string &path) {
    auto paths = read({path});
    return paths ? "" : llvm::toString(paths.takeError());
  }
  InputFolder folder;
  std::vector<std::string> notes;
};

TEST_F(TypedPaths, AFileInANamedFolderCountsAsNamed) {
  const std::string a = folder.write("src/a.cu");
  folder.write("src/b.cuh");
  folder.write("src/c.h");
  auto paths = read({folder / "src", a});
  ASSERT_TRUE(bool(paths));
  ASSERT_EQ(paths->size(), 2u);
  EXPECT_FALSE(paths->front().isFolder);
  EXPECT_EQ(paths->front().place, a);
  EXPECT_THAT(paths->back().sources, ElementsAre(a));
  EXPECT_THAT(paths->back().headers, ElementsAre(folder / "src/b.cuh"));
  EXPECT_THAT(paths->back().others, ElementsAre(folder / "src/c.h"));
}

TEST_F(TypedPaths, WhatAConfigurationSkipsIsCountedUnlessItIsNamed) {
  const std::string a = folder.write("src/a.cu");
  auto all = [](llvm::StringRef) { return true; };
  auto paths = read({folder / "src", a}, all);
  ASSERT_TRUE(bool(paths));
  EXPECT_THAT(paths->front().sources, ElementsAre(a));
  EXPECT_THAT(paths->back().sources, IsEmpty());
  EXPECT_EQ(paths->back().skipped, 1u);
}

TEST_F(TypedPaths, TheFirstMissingPartIsComparedWithItsSiblings) {
  folder.write("kernels/heat.cu");
  EXPECT_EQ(failureOf(folder / "kernel/heat.cu"),
            "'" + (folder / "kernel/heat.cu") +
                "' does not exist; did you mean '" +
                (folder / "kernels/heat.cu") + "'?");
}

TEST_F(TypedPaths, WhatIsNoSourceIsNamedForWhatItIs) {
  ASSERT_EQ(mkfifo((folder / "pipe.cu").c_str(), 0600), 0);
  EXPECT_THAT(failureOf(folder / "pipe.cu"),
              HasSubstr("is neither a file nor a folder"));
  std::filesystem::create_symlink("gone", folder / "link.cu");
  EXPECT_THAT(failureOf(folder / "link.cu"), HasSubstr("is a link to nothing"));
  EXPECT_THAT(failureOf(folder.write("a.o", "\x7f"
                                            "ELF")),
              HasSubstr("is machine code"));
}

} // namespace
