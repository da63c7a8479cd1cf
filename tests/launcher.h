// A folder to run the launcher in, and compilers that only say that they ran.
#pragma once
#include "test_paths.h"
#include "tests/nvcc.h"
#include "llvm/Support/Program.h"
#include <gtest/gtest.h>
#include <optional>

namespace warplint {

inline constexpr const char *strided = R"(
__global__ void gather(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * 32];
}
)";

/// The output of nvcc 13.0 with -Xptxas -v.
constexpr const char *report = R"(
echo "ptxas info    : 0 bytes gmem" >&2
echo "ptxas info    : Compiling entry function '_Z6gatherPfPKf' for 'sm_90'" >&2
echo "ptxas info    : Function properties for _Z6gatherPfPKf" >&2
echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads" >&2
echo "ptxas info    : Used 10 registers, used 0 barriers" >&2
echo "ptxas info    : Compile time = 1.0 ms" >&2
)";

constexpr const char *good = "touch a.o";

/// `warplint wrap` in a folder of its own, with a source that has a finding.
class LauncherTest : public testing::Test {
protected:
  struct Outcome {
    int code;
    std::string out, err;
  };

  void SetUp() override {
    auto made = Scratch::create();
    ASSERT_TRUE(bool(made));
    scratch_.emplace(std::move(*made));
    for (const char *name : {"bin", "tmp"})
      llvm::sys::fs::create_directory(path(name));
    writeFile(path("a.cu"), strided);
  }

  std::string path(llvm::StringRef name) const { return scratch_->path(name); }

  /// An nvcc that writes its words to `words` and an object, then does `more`.
  void stub(const std::string &more, const char *name = "nvcc") {
    std::string file = path(std::string("bin/") + name);
    writeFile(file, "#!/bin/sh\n"
                    "case \"$*\" in --dryrun*|--version) exit 1;; esac\n"
                    "echo \"$@\" >> words\n" +
                        more + "\n");
    llvm::sys::fs::setPermissions(file, llvm::sys::fs::all_all);
  }

  /// A shell's line in the folder; `wrap` stands for the launcher.
  Outcome shell(const std::string &line) {
    std::string script =
        "cd '" + scratch_->folder().str() +
        "' && export PATH=\"$PWD/bin:$PATH\" TMPDIR=\"$PWD/tmp\" "
        "WARPLINT_CACHE_DIR=\"$PWD/cache\" LC_ALL=C\n"
        "wrap() { '" WARPLINT_BINARY "' wrap \"$@\"; }\n"
        "warplint='" WARPLINT_BINARY "'\n" +
        line;
    std::optional<llvm::StringRef> redirects[] = {"", outFile_, errFile_};
    outFile_ = path("stdout");
    errFile_ = path("stderr");
    for (const std::string &file : {outFile_, errFile_})
      llvm::sys::fs::remove(file); // it would be written over, not anew
    redirects[1] = outFile_;
    redirects[2] = errFile_;
    Outcome outcome;
    outcome.code = llvm::sys::ExecuteAndWait("/bin/sh", {"sh", "-c", script},
                                             std::nullopt, redirects, 1000);
    outcome.out = readFile(outFile_);
    outcome.err = readFile(errFile_);
    return outcome;
  }

  bool exists(llvm::StringRef name) const {
    return llvm::sys::fs::exists(path(name));
  }

  /// Returns true if a run leaves no file in the folder for temporary files.
  bool leavesNothing() const {
    std::error_code error;
    return llvm::sys::fs::directory_iterator(path("tmp"), error) ==
           llvm::sys::fs::directory_iterator();
  }

private:
  std::optional<Scratch> scratch_;
  std::string outFile_, errFile_;
};

} // namespace warplint
