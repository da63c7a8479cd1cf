// A wrong value ends in one sentence that says what is right.
#include "commands/read_options.h"
#include "typed_options.h"
#include <gmock/gmock.h>

using testing::ElementsAre;
using testing::HasSubstr;

namespace warplint {

TEST(ReadOptions, MemoryIsASize) {
  EXPECT_EQ(good({"check", "a"}).limits.memory, std::nullopt);
  EXPECT_EQ(good({"check", "a", "--memory", "2G"}).limits.memory, uint64_t(2)
                                                                      << 30);
  EXPECT_EQ(good({"check", "a", "--memory", "512m"}).limits.memory,
            uint64_t(512) << 20);
  EXPECT_EQ(good({"check", "a", "--memory", "0"}).limits.memory, 0u);
  for (const char *wrong : {"2", "G", "2T", "-1G", "1M", "2Gx", "99999999999G"})
    EXPECT_THAT(bad({"check", "a", "--memory", wrong}),
                HasSubstr("'--memory' takes a size such as 2G"))
        << wrong;
}

// It may stand in a log that everybody reads.
TEST(ReadOptions, APasswordIsNotPrinted) {
  for (const char *url :
       {"ftp://me:s3cret@host/x", "htps:me:s3cret@host", "me:s3cret@host",
        "ftp://me:s3c@s3cret@host", "https:/me:a/s3cret@host"}) {
    const std::string said = bad({"check", "a", "--remote-cache", url});
    EXPECT_THAT(said, HasSubstr("takes the URL of a server")) << url;
    EXPECT_THAT(said, HasSubstr("***@host")) << url;
    EXPECT_THAT(said, Not(HasSubstr("s3c"))) << url;
  }
}

TEST(ReadOptions, AWrongValueIsReported) {
  EXPECT_EQ(bad({"check", "a", "--format", "jsno"}),
            "'--format' has no 'jsno'; did you mean 'json'?");
  EXPECT_EQ(bad({"check", "a", "--format", "srif"}),
            "'--format' has no 'srif'; did you mean 'sarif'?");
  EXPECT_EQ(bad({"check", "a", "--format", "csv"}),
            "'--format' is text, json, concise, sarif, github, gitlab, junit, "
            "markdown or html, not 'csv'");
  EXPECT_EQ(bad({"accesses", "a", "--format", "sarif"}),
            "'--format' is text, json or csv, not 'sarif'");
  EXPECT_EQ(bad({"check", "a", "--statistics", "--format", "sarif"}),
            "statistics are text or json, not 'sarif'");
  EXPECT_EQ(bad({"accesses", "a", "--from", "ptxx"}),
            "'--from' has no 'ptxx'; did you mean 'ptx'?");
  EXPECT_EQ(bad({"check", "a", "--from", "binary"}),
            "'--from' is source or ptx, not 'binary'");
  EXPECT_EQ(bad({"accesses", "a", "--disagree", "--summary"}),
            "'--disagree' and '--summary' exclude each other");
  EXPECT_EQ(bad({"accesses", "a", "--disagree", "--from", "ptx"}),
            "'--disagree' reads both the source and the PTX; it excludes "
            "'--from ptx'");
  EXPECT_EQ(bad({"check", "a", "--color", "yes"}),
            "'--color' is auto, always or never, not 'yes'");
  EXPECT_EQ(bad({"check", "a", "-j", "many"}),
            "'-j' takes a number of threads up to 1024, not 'many'");
  EXPECT_EQ(bad({"check", "a", "-j", "-1"}),
            "'-j' takes a number of threads up to 1024, not '-1'");
  EXPECT_EQ(bad({"check", "a", "-j", "99999"}),
            "'-j' takes a number of threads up to 1024, not '99999'");
  EXPECT_EQ(bad({"check", "a", "--format"}), "'--format' needs a value");
  EXPECT_EQ(bad({"check", "a", "-p"}), "'--database' needs a value");
  EXPECT_EQ(bad({"check", "a", "--max-findings", "few"}),
            "'--max-findings' takes a number, not 'few'");
  EXPECT_EQ(bad({"check", "a", "--sort", "colour"}),
            "'--sort' is cost or place, not 'colour'");
  EXPECT_EQ(bad({"check", "a", "--device-layout", "rigth"}),
            "'--device-layout' has no 'rigth'; did you mean 'right'?");
  EXPECT_EQ(bad({"wrap", "--deny", "likly", "--", "nvcc"}),
            "'--deny' has no 'likly'; did you mean 'likely'?");
  EXPECT_EQ(bad({"explain", "a", "--format", "html"}),
            "'--format' is text or json, not 'html'");
  EXPECT_EQ(bad({"completion", "tcsh"}),
            "'completion' takes a shell, bash, zsh or fish, not 'tcsh'");
}

TEST(ReadOptions, AWrongArchitectureIsReported) {
  EXPECT_EQ(bad({"check", "a", "--arch", "90"}),
            "'--arch' has no '90'; did you mean 'sm_90'?");
  EXPECT_EQ(bad({"check", "a", "--arch", "sm_80,compute_100a"}),
            "'--arch' has no 'compute_100a'; did you mean 'sm_100a'?");
  EXPECT_EQ(bad({"check", "a", "--arch", "hopper"}),
            "'--arch' takes an architecture such as sm_90, not 'hopper'");
  EXPECT_THAT(good({"check", "a", "--arch", "sm_120f"}).settings.architectures,
              ElementsAre("sm_120f"));
}

TEST(ReadOptions, ImpossibleBlocksAreRejected) {
  for (const char *block : {"256", "32x8", "8x8x16", "1024x1x1"})
    EXPECT_EQ(good({"check", "a", "--block", block}).settings.block, block);
  for (const char *block : {"0", "32x", "x", "32x8x1x1", "-32", "32*8", "a"})
    EXPECT_EQ(bad({"check", "a", "--block", block}),
              std::string("'--block' takes one to three sizes such as 32x8, "
                          "not '") +
                  block + "'");
  EXPECT_EQ(
      bad({"check", "a", "--block", "64x32"}),
      "'--block 64x32' is more than the 1024 threads that a block can have");
  EXPECT_EQ(bad({"check", "a", "--block", "4294967295x4294967295x4294967295"}),
            "'--block 4294967295x4294967295x4294967295' is more than the 1024 "
            "threads that a block can have");
  EXPECT_EQ(
      bad({"check", "a", "--block", "1x1x128"}),
      "'--block 1x1x128' is deeper than the 64 threads that a block can be in "
      "z");
}

// "-" alone would wait for input that nobody names.
TEST(ReadOptions, ASourceOnStandardInputHasAName) {
  EXPECT_EQ(good({"check", "-", "--stdin-filename", "a.cu"}).sources.stdinName,
            "a.cu");
  EXPECT_THAT(good({"accesses", "--stdin-filename", "src/a.cu"}).sources.paths,
              ElementsAre("src/a.cu"));
  EXPECT_EQ(bad({"check", "-"}), "'-' is a source on standard input, and "
                                 "'--stdin-filename FILE' names it");
  EXPECT_EQ(bad({"check", "b.cu", "--stdin-filename", "a.cu"}),
            "'--stdin-filename' lints standard input alone, without 'b.cu'");
  EXPECT_EQ(bad({"check", "--diff", "-", "--stdin-filename", "a.cu"}),
            "'--diff -' and '--stdin-filename' both read standard input");
  EXPECT_THAT(good({"resources", "-"}).sources.paths, ElementsAre("-"));
}

TEST(ReadOptions, FindingsCanBeLimited) {
  EXPECT_EQ(good({"check", "a"}).output.mostFindings, std::nullopt);
  EXPECT_EQ(good({"check", "a", "--max-findings", "0"}).output.mostFindings,
            0u);
  EXPECT_EQ(good({"merge", "a", "--max-findings=7"}).output.mostFindings, 7u);
}

} // namespace warplint
