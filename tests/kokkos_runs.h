// Runs of the program on sources of Kokkos.
#pragma once
#include "input_folder.h"
#include "kokkos.h"
#include "marks.h"
#include "program.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

namespace warplint {

inline std::vector<std::string> withFlags(std::vector<std::string> arguments) {
  arguments.push_back("--");
  llvm::append_range(arguments, kokkosCudaFlags());
  return arguments;
}

inline llvm::json::Array parsed(const Outcome &outcome, llvm::StringRef what) {
  auto json = llvm::json::parse(outcome.out);
  if (!json) {
    ADD_FAILURE() << llvm::toString(json.takeError()) << outcome.err;
    return {};
  }
  return std::move(*json->getAsObject()->getArray(what));
}

/// "8", "4.5".
inline std::string number(double value) {
  std::string text = llvm::formatv("{0:f2}", value).str();
  return llvm::StringRef(text).rtrim('0').rtrim('.').str();
}

class KokkosRun : public testing::Test {
protected:
  /// "check line:column", sorted.
  static std::vector<std::string> findings(const Report &report) {
    std::vector<std::string> result;
    for (const Finding &finding : report.findings)
      result.push_back(llvm::formatv("{0} {1}:{2}", finding.check,
                                     finding.place.line, finding.place.column));
    llvm::sort(result);
    return result;
  }

  /// As a build with g++ says it, in a compilation database.
  Options hostBuild(const std::string &source,
                    const std::string &headers = kokkosHeaders()) {
    folder_.write("compile_commands.json",
                  llvm::formatv("[{{\"directory\": \"{0}\", \"file\": \"{1}\", "
                                "\"command\": \"g++ -std=c++17 -fopenmp -I{2} "
                                "-c {1}\"}]",
                                folder_.path, source, headers)
                      .str());
    Options options;
    options.command = CommandName::Check;
    options.sources.paths = {source};
    options.sources.database = folder_.path;
    return options;
  }

  Report lintedAsHostBuild(const std::string &source,
                           const std::string &deviceLayout = "") {
    Options options = hostBuild(source);
    options.sources.deviceLayout = deviceLayout;
    return reportOf(options);
  }

  InputFolder folder_;
};

} // namespace warplint
