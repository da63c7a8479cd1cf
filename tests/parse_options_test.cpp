#include "commands/parse_options.h"
#include "test_paths.h"
#include "version.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static llvm::Expected<Options>
parsed(std::initializer_list<const char *> arguments) {
  std::vector<const char *> all = {"warplint"};
  all.insert(all.end(), arguments);
  return parseOptions(all);
}

static Options good(std::initializer_list<const char *> arguments) {
  llvm::Expected<Options> options = parsed(arguments);
  if (options)
    return *options;
  ADD_FAILURE() << llvm::toString(options.takeError());
  return {};
}

static std::string bad(std::initializer_list<const char *> arguments) {
  llvm::Expected<Options> options = parsed(arguments);
  return options ? "no error" : llvm::toString(options.takeError());
}

TEST(Options, CheckTakesPathsAndFlagsInAnyOrder) {
  Options options = good({"check",
                          "--refuted",
                          "src",
                          "-p",
                          "build",
                          "more/a.cu",
                          "-j4",
                          "--format=json",
                          "--arch",
                          "sm_80,sm_90a",
                          "--block",
                          "32x8",
                          "--check",
                          "a,b",
                          "--check",
                          "c",
                          "--all",
                          "--no-judge",
                          "--cuda-path",
                          "/opt/cuda",
                          "--resource-dir=/opt/clang",
                          "--color",
                          "always"});
  EXPECT_EQ(options.command, CommandName::Check);
  EXPECT_THAT(options.sources.paths, ElementsAre("src", "more/a.cu"));
  EXPECT_EQ(options.sources.database, "build");
  EXPECT_EQ(options.limits.threads, 4u);
  EXPECT_EQ(options.output.format, Format::Json);
  EXPECT_THAT(options.settings.architectures, ElementsAre("sm_80", "sm_90a"));
  EXPECT_EQ(options.settings.block, "32x8");
  EXPECT_THAT(options.settings.enabled, ElementsAre("a", "b", "c"));
  EXPECT_TRUE(options.output.refuted);
  EXPECT_TRUE(options.settings.allChecks);
  EXPECT_FALSE(options.compiling.judge);
  EXPECT_EQ(options.sources.cudaPath, "/opt/cuda");
  EXPECT_EQ(options.sources.resourceDir, "/opt/clang");
  EXPECT_EQ(options.output.colour, true);
}

TEST(Options, DefaultsMatchTheHelpPage) {
  Options options = good({"check", "src/"});
  EXPECT_EQ(options.output.format, Format::Text);
  EXPECT_EQ(options.output.colour, std::nullopt);
  EXPECT_EQ(options.limits.threads, 0u);
  EXPECT_TRUE(options.compiling.judge);
  EXPECT_FALSE(options.output.refuted);
  EXPECT_FALSE(options.settings.allChecks);
  EXPECT_THAT(options.settings.enabled, IsEmpty());
  EXPECT_THAT(options.sources.extraFlags, IsEmpty());
}

TEST(Options, MemoryIsASize) {
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
TEST(Options, APasswordIsNotPrinted) {
  for (const char *url :
       {"ftp://me:s3cret@host/x", "htps:me:s3cret@host", "me:s3cret@host",
        "ftp://me:s3c@s3cret@host", "https:/me:a/s3cret@host"}) {
    const std::string said = bad({"check", "a", "--remote-cache", url});
    EXPECT_THAT(said, HasSubstr("takes the URL of a server")) << url;
    EXPECT_THAT(said, HasSubstr("***@host")) << url;
    EXPECT_THAT(said, Not(HasSubstr("s3c"))) << url;
  }
}

// A list flag that eats the path behind it would lint nothing, silently.
TEST(Options, AListFlagTakesOneWord) {
  Options options =
      good({"check", "--check", "a", "src", "--arch", "sm_90", "b.cu"});
  EXPECT_THAT(options.settings.enabled, ElementsAre("a"));
  EXPECT_THAT(options.sources.paths, ElementsAre("src", "b.cu"));
}

TEST(Options, PassesOnFlagsAfterTheDashes) {
  Options options = good({"accesses", "a.cu", "--format", "csv", "--", "-Iinc",
                          "--refuted", "--", "-O3"});
  EXPECT_EQ(options.command, CommandName::Accesses);
  EXPECT_EQ(options.output.format, Format::Csv);
  EXPECT_FALSE(options.output.refuted);
  EXPECT_THAT(options.sources.extraFlags,
              ElementsAre("-Iinc", "--refuted", "--", "-O3"));
}

// A project may well have a folder called as a command is.
TEST(Options, APathMayHaveACommandsName) {
  EXPECT_THAT(good({"check", "checks", "explain"}).sources.paths,
              ElementsAre("checks", "explain"));
}

// A build script sets a default, its user adds another value behind it.
TEST(Options, TheLastOfTwoValuesWins) {
  EXPECT_EQ(good({"check", "--format", "json", "--format", "text", "a"})
                .output.format,
            Format::Text);
}

TEST(Options, ColourIsSpeltInTwoWays) {
  EXPECT_EQ(good({"checks", "--colour", "never"}).output.colour, false);
  EXPECT_EQ(good({"check", "a", "--color=auto"}).output.colour, std::nullopt);
}

TEST(Options, ChecksAndExplain) {
  EXPECT_EQ(good({"checks"}).command, CommandName::Checks);
  Options options = good({"explain", "strided-global-access"});
  EXPECT_EQ(options.command, CommandName::Explain);
  EXPECT_EQ(options.topic, "strided-global-access");
}

TEST(Options, HelpWorksInAnyPosition) {
  const std::string page = good({}).text;
  EXPECT_EQ(good({"help"}).text, page);
  EXPECT_EQ(good({"--help"}).text, page);
  EXPECT_EQ(good({"-h"}).text, page);
  const std::string check = good({"check", "--help"}).text;
  EXPECT_NE(check, page);
  EXPECT_EQ(good({"help", "check"}).text, check);
  EXPECT_EQ(good({"check", "src", "-h"}).text, check);
  EXPECT_EQ(good({"check", "-h"}).command, CommandName::Help);
  EXPECT_EQ(good({"check", "a.cu", "--", "--help"}).command,
            CommandName::Check);
  EXPECT_EQ(bad({"help", "chek"}),
            "unknown command 'chek'; did you mean 'check'?");
}

TEST(Options, PrintsItsVersion) {
  Options options = good({"--version"});
  EXPECT_EQ(options.command, CommandName::Version);
  EXPECT_THAT(options.text, HasSubstr("warplint " WARPLINT_VERSION " (Clang "));
}

TEST(Options, AMisspeltCommandGetsASuggestion) {
  EXPECT_EQ(bad({"chekc", "src"}),
            "unknown command 'chekc'; did you mean 'check'?");
  EXPECT_EQ(bad({"explian", "x"}),
            "unknown command 'explian'; did you mean 'explain'?");
  EXPECT_EQ(bad({"frobnicate"}),
            "unknown command 'frobnicate'; 'warplint help' lists the commands");
  EXPECT_EQ(bad({"--versoin"}),
            "unknown flag '--versoin'; did you mean '--version'?");
}

TEST(Options, AForgottenCommandGetsASuggestion) {
  EXPECT_EQ(bad({WARPLINT_SOURCE_DIR}),
            "unknown command '" WARPLINT_SOURCE_DIR
            "'; did you mean 'warplint check " WARPLINT_SOURCE_DIR "'?");
  EXPECT_EQ(bad({"--format", "json", "src"}),
            "flags follow the command: 'warplint check --format ...'");
}

TEST(Options, AMisspeltFlagGetsASuggestion) {
  EXPECT_EQ(bad({"check", "--frmat", "json", "src"}),
            "'check' has no flag '--frmat'; did you mean '--format'?");
  EXPECT_EQ(bad({"check", "src", "--refute"}),
            "'check' has no flag '--refute'; did you mean '--refuted'?");
  EXPECT_EQ(bad({"check", "src", "--forma=json"}),
            "'check' has no flag '--forma'; did you mean '--format'?");
  EXPECT_EQ(bad({"accesses", "src", "--refuted"}),
            "'accesses' has no flag '--refuted'; flags for the compiler follow "
            "'--'");
  EXPECT_EQ(bad({"check", "a.cu", "-O3"}),
            "'check' has no flag '-O3'; flags for the compiler follow '--'");
  EXPECT_EQ(bad({"checks", "--json"}), "'checks' has no flag '--json'");
}

TEST(Options, AWrongValueIsReported) {
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

// The baseline of the default name was missed, a file that nobody typed.
TEST(Options, AFileThatIsTakenForASourceIsNamed) {
  for (const char *flag : {"--baseline", "--write-baseline"})
    EXPECT_EQ(bad({"check", flag, "none/such", "src"}),
              std::string("there is no file or folder 'none/such' to read; if "
                          "it is the file of '") +
                  flag + "', its name ends in '.json' or follows '" + flag +
                  "='");
  EXPECT_EQ(good({"check", "--baseline=none/such", "src"}).check.baseline,
            "none/such");
  EXPECT_EQ(good({"check", "src", "--baseline", "-q"}).check.baseline,
            ".warplint-baseline.json");
}

TEST(Options, AWrongArchitectureIsReported) {
  EXPECT_EQ(bad({"check", "a", "--arch", "90"}),
            "'--arch' has no '90'; did you mean 'sm_90'?");
  EXPECT_EQ(bad({"check", "a", "--arch", "sm_80,compute_100a"}),
            "'--arch' has no 'compute_100a'; did you mean 'sm_100a'?");
  EXPECT_EQ(bad({"check", "a", "--arch", "hopper"}),
            "'--arch' takes an architecture such as sm_90, not 'hopper'");
  EXPECT_THAT(good({"check", "a", "--arch", "sm_120f"}).settings.architectures,
              ElementsAre("sm_120f"));
}

TEST(Options, ImpossibleBlocksAreRejected) {
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

TEST(Options, MissingAndExtraWordsAreReported) {
  EXPECT_EQ(bad({"check"}),
            "'check' needs a file or a folder: 'warplint check src/'");
  EXPECT_EQ(bad({"accesses", "--", "-Iinc"}),
            "'accesses' needs a file or a folder: 'warplint accesses src/'");
  EXPECT_EQ(bad({"explain"}), "'explain' needs the id of a check; 'warplint "
                              "checks' lists them");
  EXPECT_EQ(bad({"explain", "a", "b"}),
            "'explain' takes one id at a time; 'b' is a second one");
  EXPECT_EQ(bad({"checks", "strided"}),
            "'checks' takes no 'strided'; did you mean 'warplint explain "
            "strided'?");
  EXPECT_EQ(bad({"explain", "a", "--", "-O3"}),
            "'explain' compiles nothing, so it takes no flags after '--'");
}

// "-" alone would wait for input that nobody names.
TEST(Options, ASourceOnStandardInputHasAName) {
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

TEST(Options, FindingsCanBeLimited) {
  EXPECT_EQ(good({"check", "a"}).output.mostFindings, std::nullopt);
  EXPECT_EQ(good({"check", "a", "--max-findings", "0"}).output.mostFindings,
            0u);
  EXPECT_EQ(good({"merge", "a", "--max-findings=7"}).output.mostFindings, 7u);
}
