// Sources with allowances, and what they leave of findings.
#pragma once
#include "findings/allowances.h"
#include "findings/suppress.h"
#include "input_folder.h"
#include <gmock/gmock.h>

namespace warplint {

const std::string strided = "strided-global-access";
const std::vector<std::string> known = {
    "register-spill", "repeated-global-write", "strided-global-access"};

/// A source with a kernel for each `__global__ void NAME(` in it; each line
/// behind the first kernel's is one that the model has an access on.
class SuppressRun : public testing::Test {
protected:
  std::string write(llvm::StringRef text) {
    const std::string file = folder.write("a.cu", text);
    constexpr llvm::StringRef head = "__global__ void ";
    SourceText places(text);
    for (size_t at = text.find(head); at != text.npos;
         at = text.find(head, at + 1)) {
      const size_t name = at + head.size();
      KernelOutline kernel;
      kernel.name = kernel.mangled = text.substr(name).split('(').first;
      kernel.place = {file, places.lineOf(name), places.columnOf(name)};
      kernels.push_back(std::move(kernel));
    }
    for (unsigned i = 0; i < kernels.size(); ++i) {
      const unsigned end = i + 1 < kernels.size() ? kernels[i + 1].place.line
                                                  : places.lines() + 1;
      for (unsigned line = kernels[i].place.line; line < end; ++line) {
        if (!places.hasCode(line))
          continue;
        kernels[i].lines[file].push_back(line);
      }
    }
    return file;
  }

  Finding found(const std::string &file, unsigned line,
                const std::string &kernel = "k",
                const std::string &check = strided) {
    Finding finding;
    finding.check = check;
    finding.place = {file, line, 3};
    finding.kernels.push_back({kernel, kernel, "sm_90", {}, 0});
    return finding;
  }

  /// Findings of strided-global-access in 'k', at `lines` of `text`.
  Suppressed lint(llvm::StringRef text, std::vector<unsigned> lines) {
    const std::string file = write(text);
    SourceFindings source{file, {}, kernels};
    for (unsigned line : lines)
      source.findings.push_back(found(file, line));
    source.ran = known;
    return suppress({source}, known, true);
  }

  static std::vector<unsigned> left(const Suppressed &result) {
    std::vector<unsigned> lines;
    for (const Finding &finding : result.findings)
      if (finding.check != "useless-allow")
        lines.push_back(finding.place.line);
    return lines;
  }
  /// "3:8: message".
  static std::vector<std::string> useless(const Suppressed &result) {
    std::vector<std::string> said;
    for (const Finding &finding : result.findings)
      if (finding.check == "useless-allow")
        said.push_back(std::to_string(finding.place.line) + ":" +
                       std::to_string(finding.place.column) + ": " +
                       finding.message);
    return said;
  }

  InputFolder folder;
  std::vector<KernelOutline> kernels;
};

} // namespace warplint
