#include "machine/build_log.h"
#include "machine/ptxas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Regex.h"
#include <set>

using namespace llvm;

namespace warplint {
namespace {

/// Returns true for the line of a failed compilation. A warning that quotes an
/// error does not begin like this.
bool isFailure(StringRef line) {
  static const Regex failures[] = {
      Regex("^ *(nvcc|ptxas|nvlink|fatbinary|cicc|cudafe\\+\\+) "
            "*(fatal|error) *:"),
      Regex("\\([0-9]+\\): (catastrophic |internal )?error[ :#]"), // EDG
      Regex("^[^ ].*:[0-9]+(:[0-9]+)?: (fatal )?error: "),         // gcc
      Regex("^(cc1plus|g\\+\\+|clang[^ ]*|collect2): (fatal )?error: "),
      Regex("^(g?make|gmake)(\\[[0-9]+\\])?: \\*\\*\\* "),
      Regex("^ninja: (error|build stopped)"),
      Regex("^FAILED: "),
      Regex("(ptxas|cicc|cudafe\\+\\+)' died (due to signal|with status)"),
  };
  return any_of(failures,
                [&](const Regex &failure) { return failure.match(line); });
}

bool asksForLinkTimeOptimisation(StringRef text) {
  static const Regex flag("(^|[ \"'])-?-(dlto|dlink-time-opt)($|[ \"'])|"
                          "code=[^ ]*lto_[0-9]+|[ =]lto_[0-9]+",
                          Regex::Newline);
  return flag.match(text);
}

std::string toolkitOf(StringRef text) {
  static const Regex says(
      "CUDA compiler identification is NVIDIA ([0-9]+\\.[0-9]+\\.[0-9]+)|"
      "Cuda compilation tools, release [0-9.]+, V([0-9]+\\.[0-9]+\\.[0-9]+)");
  std::set<std::string> releases;
  for (SmallVector<StringRef> parts; says.match(text, &parts);) {
    releases.insert((parts[1].empty() ? parts[2] : parts[1]).str());
    text = text.drop_front(parts[0].data() + parts[0].size() - text.data());
  }
  return releases.size() == 1 ? *releases.begin() : "";
}

std::string firstFailure(StringRef text) {
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.rtrim();
    if (isFailure(line))
      return line.trim().substr(0, 200).str();
  }
  return "";
}

} // namespace

BuildLog readBuildLog(StringRef text) {
  BuildLog log;
  PtxasReport report = readPtxas(text);
  log.usages = std::move(report.usages);
  log.functions = std::move(report.functions);
  log.toolkit = toolkitOf(text);
  if (std::string failure = firstFailure(text); !failure.empty())
    log.missing.push_back("the build failed, so what was not compiled has no "
                          "report: " +
                          failure);
  if (report.cutOff)
    log.missing.push_back(
        "the log is cut off, or lines of it are lost or cannot be told apart: "
        "not all kernels have their numbers");
  if (!log.usages.empty() || !log.missing.empty())
    return log;
  if (asksForLinkTimeOptimisation(text))
    log.missing.push_back("there is no report of ptxas in it: the build asks "
                          "for link-time optimisation, and then ptxas reports "
                          "nothing while it compiles");
  else
    log.missing.push_back("there is no report of ptxas in it: "
                          "'-Xptxas -v' makes nvcc print one for what it "
                          "compiles");
  return log;
}

} // namespace warplint
