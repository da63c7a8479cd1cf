// A path without links: one file has one.
#include "base/real_path.h"
#include "input_folder.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(RealPath, HasNoLinks) {
  InputFolder folder;
  folder.write("real/a.cu");
  llvm::sys::fs::create_link(folder / "real", folder / "link");
  EXPECT_EQ(realPath(folder / "link/a.cu"), folder / "real/a.cu");
  EXPECT_EQ(realPath(folder / "link/none.cu"), "");
}
