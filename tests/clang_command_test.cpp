// What Clang is told of a source.
#include "source/clang_command.h"
#include "source_on_disk.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// The instance that `words`, behind the shared flags, make.
struct Invoked {
  Invoked(const SourceOnDisk &source, std::vector<std::string> words) {
    clang.setVirtualFileSystem(llvm::vfs::getRealFileSystem());
    clang.createDiagnostics(new clang::TextDiagnosticBuffer);
    std::vector<std::string> all = sharedFlags(source.request);
    llvm::append_range(all, words);
    all.push_back(source.command.source);
    if (llvm::Error error = invoke(source.request, all, clang))
      why = llvm::toString(std::move(error));
  }
  clang::CompilerInstance clang;
  std::string why;
};

} // namespace

TEST(ClangCommand, TheReleaseIsThatOfTheHeadersThatAreRead) {
  SourceOnDisk source("");
  EXPECT_EQ(releaseOf(source.request).major, 13u);
  source.toolkit = Toolkit{"/cuda", "", "", 12, 4, 0};
  EXPECT_EQ(releaseOf(source.request).major, 12u);
  EXPECT_THAT(sharedFlags(source.request), Contains("--cuda-path=/cuda"));
  EXPECT_THAT(sharedFlags(source.request),
              Contains("-target-sdk-version=12.4"));
}

// A flag of the attempt counts where the user has another.
TEST(ClangCommand, AnAttemptsFlagsFollowTheUsers) {
  SourceOnDisk source("");
  source.translation.clang = {"-std=c++14"};
  EXPECT_THAT(userFlags(source.request, {"-std=gnu++14"}),
              ElementsAre("-std=c++14", "-std=gnu++14"));
}

TEST(ClangCommand, TheDevicesSideIsCompiled) {
  const SourceOnDisk source("", {"-arch=sm_90"});
  const Invoked invoked(source, userFlags(source.request, {"-DMINE=3"}));
  EXPECT_EQ(invoked.why, "");
  EXPECT_TRUE(invoked.clang.getLangOpts().CUDAIsDevice);
  EXPECT_EQ(invoked.clang.getTargetOpts().CPU, "sm_90");
  EXPECT_THAT(invoked.clang.getPreprocessorOpts().Macros,
              Contains(std::pair(std::string("MINE=3"), false)));
}

TEST(ClangCommand, ACommandWithoutASourceFails) {
  const SourceOnDisk source("");
  llvm::sys::fs::remove(source.command.source);
  EXPECT_THAT(Invoked(source, {}).why, HasSubstr("k.cu"));
}

// Else a header that a source's flags include would not be read at all.
TEST(ClangCommand, WhatTheUserIncludesIsReadBehindThePrecompiledHeader) {
  const SourceOnDisk source("");
  const std::vector<std::string> user{"-include", "mine.h", "-DMINE"};
  Invoked invoked(source, user);
  auto &options = invoked.clang.getPreprocessorOpts();
  const size_t all = options.Includes.size();
  continueFrom({}, user, invoked.clang);
  EXPECT_EQ(options.Includes.size(), all);
  EXPECT_GT(all, 1u); // our own as well
  ParsedBefore before;
  before.header = "header";
  continueFrom(before, user, invoked.clang);
  EXPECT_THAT(options.Includes, ElementsAre("mine.h"));
  EXPECT_EQ(options.ImplicitPCHInclude, "header");
  before.preamble = "preamble";
  before.bounds = {7, true};
  continueFrom(before, {}, invoked.clang);
  EXPECT_THAT(options.Includes, IsEmpty());
  EXPECT_EQ(options.ImplicitPCHInclude, "preamble");
  EXPECT_EQ(options.PrecompiledPreambleBytes, std::pair(7u, true));
}
