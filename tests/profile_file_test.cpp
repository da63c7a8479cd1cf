// A file of Nsight Compute, read by whichever of NVIDIA's readers is there.
// Scripts stand in for them.
#include "input_folder.h"
#include "run/profile_file.h"
#include "test_paths.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

const std::string recorded =
    WARPLINT_SOURCE_DIR "/kernels/contended-atomic.profile.csv";

class ProfileFile : public testing::Test {
protected:
  /// Why the report cannot be read; empty if it is.
  std::string whyNot(const std::string &file) {
    Environment path("PATH", (folder / "bin:/usr/bin:/bin").c_str());
    auto read = readProfileFile(file, Options());
    if (!read)
      return llvm::toString(read.takeError());
    profile = std::move(*read);
    return "";
  }
  /// A report that `ncu`, the script, reads.
  std::string reportFor(const std::string &script) {
    folder.writeProgram("bin/ncu", "#!/bin/sh\n" + script + "\n");
    return folder.write("r.ncu-rep", "a report");
  }
  InputFolder folder;
  Profile profile;
};

TEST_F(ProfileFile, ATableIsReadWithoutAnyReader) {
  EXPECT_EQ(whyNot(recorded), "");
  EXPECT_FALSE(profile.kernels.empty());
  EXPECT_THAT(whyNot("/no/such.csv"), HasSubstr("/no/such.csv: "));
}

TEST_F(ProfileFile, AReportIsReadByNcu) {
  EXPECT_EQ(whyNot(reportFor(
                "case \"$*\" in\n"
                "*'--page source --print-source cuda,sass --csv') cat '" +
                recorded +
                "';;\n*details*) echo "
                "'\"Kernel Name\",\"Rule Name\",\"Estimated Speedup\"';;\n"
                "*) exit 9;;\nesac")),
            "");
  EXPECT_FALSE(profile.kernels.empty());
}

// Older releases have no such estimates; what warps waited for counts.
TEST_F(ProfileFile, AReportWithoutEstimatesIsReadAllTheSame) {
  EXPECT_EQ(whyNot(reportFor("case \"$*\" in *source*) cat '" + recorded +
                             "';; *) exit 9;; esac")),
            "");
  EXPECT_FALSE(profile.kernels.empty());
}

// ncu prints its banner first, and the reason last.
TEST_F(ProfileFile, WhatTheReaderSaidIsQuoted) {
  EXPECT_EQ(whyNot(reportFor("echo '==PROF== begins'; echo 'old format'; "
                             "exit 1")),
            "ncu could not read r.ncu-rep: old format");
}

TEST_F(ProfileFile, WithoutAReaderTheReportSaysWhatToInstall) {
  folder.writeProgram("bin/python3", "#!/bin/sh\necho 'no module'; exit 1\n");
  Environment path("PATH", (folder / "bin").c_str());
  auto read = readProfileFile(folder.write("r.ncu-rep", "a report"), Options());
  ASSERT_FALSE(bool(read));
  EXPECT_THAT(llvm::toString(read.takeError()),
              HasSubstr("pip install ncu-report"));
}

} // namespace
