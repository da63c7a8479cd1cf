// The precompiled headers of a source, for those who do not parse it.
#include "source/headers_in_use.h"
#include "source/parse.h"
#include "source_on_disk.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(HeadersInUse, TheOneOfAParseIsKnownAndDropped) {
  SourceOnDisk source("__global__ void k(int *p) { *p = 1; }\n");
  const Store kept(source.path("kept"));
  auto cached = [&](const std::string &libraries = "") {
    return cachedPrecompiledHeader(source.command, source.translation,
                                   source.toolkit, source.resourceDir, kept,
                                   libraries);
  };
  auto used = [&] {
    auto parsed = parse(source.command, source.translation, source.toolkit,
                        source.resourceDir, kept);
    EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    return parsed ? (*parsed)->precompiledHeader : "";
  };
  EXPECT_EQ(cached(), "");
  EXPECT_EQ(used(), ""); // the first source of all
  const std::string header = used();
  EXPECT_NE(header, "");
  EXPECT_EQ(cached(), header);
  EXPECT_EQ(cached("#include <cub/cub.cuh>\n"), "");
  EXPECT_TRUE(llvm::sys::fs::exists(header));
  dropPrecompiledHeaders(source.command, source.translation, source.toolkit,
                         source.resourceDir, kept);
  EXPECT_FALSE(llvm::sys::fs::exists(header));
  EXPECT_EQ(used(), header); // made anew
}
