#include "commands/parse_options.h"
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
  std::string page = good({}).text;
  EXPECT_EQ(good({"help"}).text, page);
  EXPECT_EQ(good({"--help"}).text, page);
  EXPECT_EQ(good({"-h"}).text, page);
  EXPECT_EQ(good({"help", "check"}).text, page);
  EXPECT_EQ(good({"check", "--help"}).text, page);
  EXPECT_EQ(good({"explain", "-h"}).text, page);
  EXPECT_EQ(good({"check", "-h"}).command, CommandName::Help);
  EXPECT_EQ(good({"check", "a.cu", "--", "--help"}).command,
            CommandName::Check);
}

TEST(Options, HelpPageListsEveryCommand) {
  EXPECT_EQ(
      good({"help"}).text,
      R"(warplint: finds what makes CUDA and Kokkos kernels slow, and judges its findings
by the compiled code

commands:
  warplint check PATHS... [OPTIONS] [-- FLAGS]        report findings, judged by the compiled code
  warplint accesses PATHS... [OPTIONS] [-- FLAGS]     list memory accesses, their sectors and conflicts
  warplint cost PATHS... [OPTIONS] [-- FLAGS]         list what bounds each kernel, and its predicted time
  warplint resources INPUTS... [OPTIONS] [-- FLAGS]   list resources of kernels: spills, registers, ...
  warplint diff OLD NEW                               compare two json reports of 'resources'
  warplint config FILE                                print the settings of a source and their origins
  warplint wrap [OPTIONS] -- COMPILER ...             run a compiler, and lint its source meanwhile
  warplint collect BUILD [OPTIONS]                    report the findings of 'wrap' in a whole build
  warplint merge PARTS... [OPTIONS]                   merge the parts that 'check --shard' wrote
  warplint cache [--clear]                            print the size and the folder of the cache
  warplint lsp [OPTIONS] [-- FLAGS]                   serve an editor (Language Server Protocol)
  warplint checks                                     list the checks
  warplint explain ID                                 describe a check and its cures
  warplint help                                       print this page

PATHS are sources and folders; FLAGS are nvcc's, such as -Iinclude
INPUTS are PATHS, build logs ('-': standard input), and machine code

options of check, accesses and resources:
  -p, --database PATH       compile_commands.json or its folder; else searched near the paths
      --format NAME         text (default), json; check: sarif, github, gitlab, junit, markdown, html;
                          accesses: csv; resources: csv, markdown
      --from NAME           read kernels from the source (default) or from the ptx that nvcc makes of it
      --arch NAME           architecture to read and judge for, such as sm_90; repeatable; else the build's
      --block SHAPE         block of kernels whose launch is not seen, such as 32x8
      --device-layout SIDE  layout on the device, left (default) or right, of a Kokkos host build's Views that name none
      --cuda-path DIR       CUDA toolkit of commands that name none
      --trust-compiler GLOB let a compile database name the compilers that GLOB matches
      --resource-dir DIR    folder of Clang's own headers, if it is not found
      --timeout SECONDS     limit for reading and linting a source, and for compiling it (300); 0: none
      --memory SIZE         memory for reading a source, and for each program of nvcc's, such as 2G or 512M; else a share of the machine's; 0: no limit
      --remote-cache URL    share the cache through this server; else $WARPLINT_REMOTE_CACHE
      --no-cache            neither read nor write the cache
  -j N                      threads; else one per core
      --config FILE         use this configuration; else the nearest .warplint.yaml
      --no-config           use no configuration

options of check, wrap and lsp:
      --check ID            report only this check; repeatable, or a list with commas
      --all                 report findings of level opinion as well
      --refuted             report refuted findings as well
      --minor               report findings below --min-share as well
      --min-share PERCENT   findings that save less of their kernel's time are minor (2)
      --sort ORDER          cost (default): the dearest first; place: by file and line
      --no-judge            compile nothing; every finding stays unjudged
      --compile WHEN        auto (default): where it is needed to judge; never: --no-judge

options of check:
      --diff REV            report only lines changed since git's REV, or in the diff on standard input ('-')
      --baseline FILE       leave out findings that FILE (.warplint-baseline.json) records
      --write-baseline FILE write the findings to FILE (.warplint-baseline.json)
      --unconditional       findings that are confirmed under a condition fail nothing
  -o, --output FILE         write the report to FILE, and one line about it to standard error
      --statistics          count findings by check, level, verdict, file and kernel
      --shard I/N           lint share I of N of the sources, and write a part for 'merge' to -o

options of wrap:
      --deny LEVEL          fail if a finding has at least LEVEL: certain, likely, opinion
      --unconditional       findings that are confirmed under a condition fail nothing

options of accesses:
      --summary             count accesses by what is known, and say why the rest is unknown
      --disagree            list accesses whose costs in source and PTX differ, and why
      --totals              add up what each kernel reads and writes, by thread and launch

options of resources:
      --deny EXPR           exit with 1 if EXPR holds for a kernel: 'spill > 0'; repeatable
      --allow EXPR          leave out kernels for which EXPR holds: 'kernel =~ debug_'
      --ratchet FILE        exit with 1 if kernels differ from FILE (.warplint-resources.json)
      --update FILE         write FILE (.warplint-resources.json), and print what changed

options of cache:
      --clear               remove all its records

options of every command:
      --color WHEN          auto (default), always, never
  -h, --help                print this page
      --version               print the release

examples:
  warplint check src/
  warplint check -p build --refuted src/gather.cu
  warplint check -p build --format html -o report.html
  warplint accesses --summary -p build
  warplint accesses --format csv gather.cu -- -Iinclude -arch=sm_90
  warplint accesses kernel.ptx
  make 2>&1 | warplint resources - --deny 'spill > 0'
  cmake -DCMAKE_CUDA_COMPILER_LAUNCHER='warplint;wrap;--' ...

exit codes:
  0  no findings
  1  findings, confirmed or unjudged
  2  warplint itself failed
  3  no findings, but some source could not be read whole
  'wrap' ends as the compiler does, or with 1 if a finding is denied
)");
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
            "'--format' is text, json, sarif, github, gitlab, junit, markdown "
            "or html, not 'csv'");
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
  EXPECT_EQ(bad({"accesses", "a", "--totals", "--disagree"}),
            "'--totals' and '--disagree' exclude each other");
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
