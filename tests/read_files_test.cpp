// A finding is reported for the user's files alone, and a comment that
// suppresses it is looked for in those that have one.
#include "source/read_files.h"
#include "input_folder.h"
#include "read_text.h"
#include <gmock/gmock.h>

namespace warplint {

static std::vector<std::string> names(const std::set<std::string> &paths) {
  std::vector<std::string> names;
  for (const std::string &path : paths)
    names.push_back(llvm::sys::path::filename(path).str());
  return names;
}

TEST(ReadFiles, TheUsersFilesAreToldFromTheSystems) {
  InputFolder folder;
  folder.write("lib/library.h", "inline int of() { return 1; }\n");
  folder.write("own/mine.h", "// warplint: allow(uncoalesced)\n"
                             "inline int mine() { return 2; }\n");
  folder.write("own/declared.h", "#pragma GCC system_header\n"
                                 "inline int declared() { return 3; }\n");
  const SourceModel model =
      readText("#include <library.h>\n#include <mine.h>\n"
               "#include <declared.h>\n"
               "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n",
               false, {"-isystem", folder / "lib", "-I", folder / "own"});
  EXPECT_THAT(names(model.outline.userFiles),
              testing::UnorderedElementsAre("mine.h", "source.cu"));
  EXPECT_THAT(names(model.outline.markedFiles), testing::ElementsAre("mine.h"));
  EXPECT_THAT(names(model.systemFiles),
              testing::IsSupersetOf({"library.h", "declared.h"}));
}

// Without it, a source whose kernels are all behind a macro looks like one that
// has none.
TEST(ReadFiles, AKernelInASkippedPartIsMentioned) {
  EXPECT_TRUE(readText("#ifdef NEVER\n__global__ void k() {}\n#endif\n")
                  .outline.mentionsKernels);
  EXPECT_FALSE(readText("int f();\n").outline.mentionsKernels);
}

} // namespace warplint
