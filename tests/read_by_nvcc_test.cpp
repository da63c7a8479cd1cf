// Files that decide about nvcc's output though its preprocessor does not name
// them: a result in the cache is stale if one of them changes.
#include "input_folder.h"
#include "nvcc/read_by_nvcc.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Contains;
using testing::Not;

namespace {

class ReadByNvcc : public testing::Test {
protected:
  ReadByNvcc() {
    toolkit.root = folder / "cuda";
    toolkit.include = folder / "cuda/include";
    toolkit.nvcc = folder.writeProgram("cuda/bin/nvcc", "#!/bin/sh\n");
  }
  std::vector<std::string> decides(std::vector<std::string> more = {},
                                   std::vector<std::string> read = {}) {
    more.insert(more.begin(), toolkit.nvcc);
    return alsoDecides(read, more, toolkit, folder.path);
  }
  InputFolder folder;
  Toolkit toolkit;
};

// An update of the toolkit in its place.
TEST_F(ReadByNvcc, ThePartsOfNvccItself) {
  const std::vector<std::string> files = decides();
  for (const char *part :
       {"cuda/bin/ptxas", "cuda/bin/nvcc.profile", "cuda/bin/../nvvm/bin/cicc"})
    EXPECT_THAT(files, Contains(folder / part));
}

// A script in another folder that starts the toolkit's nvcc.
TEST_F(ReadByNvcc, TheToolkitBehindAScript) {
  const std::string script = folder.writeProgram("own/nvcc", "#!/bin/sh\n");
  const std::vector<std::string> files =
      alsoDecides({}, {script}, toolkit, folder.path);
  EXPECT_THAT(files, Contains(script));
  EXPECT_THAT(files, Contains(folder / "cuda/bin/ptxas"));
}

TEST_F(ReadByNvcc, TheHostCompilerOfTheCommand) {
  const std::string own = folder.writeProgram("host/my-gcc", "#!/bin/sh\n");
  EXPECT_THAT(decides({"-ccbin", "host/my-gcc"}), Contains(own));
  EXPECT_THAT(decides({"--compiler-bindir=host/my-gcc"}), Contains(own));
  EXPECT_THAT(decides({"-ccbin", folder / "host"}),
              Contains(folder / "host/g++"));
  Environment ccbin("NVCC_CCBIN", own.c_str());
  EXPECT_THAT(decides(), Contains(own));
}

// The header is not there, so nothing names it; once somebody adds it, the
// source compiles to other code.
TEST_F(ReadByNvcc, HeadersThatTheProjectAsksFor) {
  const std::string source = folder.write(
      "src/a.cu", "#if __has_include(\"fast.h\")\n#endif\n"
                  "#if __has_include_next( <lib/faster.h>)\n#endif\n");
  const std::vector<std::string> files =
      decides({"-Iinc", "-Xcompiler=-isystem/opt/lib"}, {source});
  EXPECT_THAT(files, Contains(folder / "src/fast.h"));
  EXPECT_THAT(files, Contains(folder / "inc/fast.h"));
  EXPECT_THAT(files, Contains(folder / "inc/lib/faster.h"));
  EXPECT_THAT(files, Not(Contains(folder / "src/lib/faster.h")))
      << "only quotes look beside the file";
}

// Hundreds of names, none of which the user can change.
TEST_F(ReadByNvcc, NotThoseThatTheToolkitAsksFor) {
  const std::string header = folder.write(
      "cuda/include/x.h", "#if __has_include(\"own.h\")\n#endif\n");
  EXPECT_THAT(decides({}, {header}),
              Not(Contains(folder / "cuda/include/own.h")));
}

} // namespace
