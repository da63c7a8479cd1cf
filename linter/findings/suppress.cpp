#include "findings/suppress.h"
#include "base/allowance_marker.h"
#include "base/suggest.h"
#include "base/validate.h"
#include "findings/allowances.h"
#include "findings/useless_allow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace warplint {

namespace {

/// A file with allowances.
struct AllowingFile {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::optional<SourceText> text;
  std::vector<Allowance> allowances;
  std::vector<bool> used; ///< by allowance
};

using AllowingFiles = std::map<std::string, AllowingFile>;

AllowingFiles readFiles(const std::vector<SourceFindings> &sources,
                        const Buffers &buffers) {
  std::set<std::string> files;
  for (const SourceFindings &source : sources) {
    auto add = [&](const std::string &file) {
      if (!source.isSilent || !source.isSilent(file))
        files.insert(file);
    };
    add(source.source);
    for (const KernelOutline &kernel : source.kernels)
      for (const auto &[file, lines] : kernel.lines)
        add(file);
    for (const Finding &finding : source.findings)
      add(finding.place.file);
  }
  AllowingFiles result;
  for (const std::string &file : files) {
    auto buffer = readText(file, buffers);
    if (!buffer || !hasAllowanceMarker(buffer->getBuffer()))
      continue;
    AllowingFile &read = result[file];
    read.buffer = std::move(buffer);
    read.text.emplace(read.buffer->getBuffer());
    read.allowances = readAllowances(file, *read.text);
    read.used.resize(read.allowances.size());
  }
  return result;
}

bool containsLine(const Allowance &allowance, unsigned line) {
  return allowance.ofFile ||
         (allowance.first <= line && line <= allowance.last);
}

bool contains(const Allowance &allowance, const Place &place) {
  return place.file == allowance.place.file &&
         containsLine(allowance, place.line);
}

bool mayHide(const Allowance &allowance,
             const std::vector<std::string> &known) {
  return allowance.wrong.empty() && !allowance.reason.empty() &&
         llvm::is_contained(known, allowance.check);
}

/// Removes the kernels of a finding that the allowance applies to. Returns true
/// if there were any.
bool hide(const Allowance &allowance, const AllowingFile &file,
          llvm::ArrayRef<KernelOutline> kernels, Finding &finding) {
  // In a library's code, the user can only mark the inlined call.
  if (contains(allowance, finding.place) ||
      llvm::any_of(finding.callSites, [&](const Place &call) {
        return !allowance.ofFile && contains(allowance, call);
      })) {
    finding.kernels.clear();
    return true;
  }
  const size_t before = finding.kernels.size();
  llvm::erase_if(finding.kernels, [&](const FindingKernel &in) {
    auto kernel = llvm::find_if(kernels, [&](const KernelOutline &kernel) {
      return kernel.mangled == in.mangled;
    });
    return kernel != kernels.end() &&
           isOfKernel(allowance, *file.text, *kernel);
  });
  return finding.kernels.size() < before;
}

/// Returns true if kernels of the finding are left.
bool isLeft(Finding &finding, llvm::ArrayRef<KernelOutline> kernels,
            const std::vector<std::string> &known, AllowingFiles &files) {
  bool anyHidden = false;
  for (auto &[_, file] : files)
    for (size_t i = 0; i < file.allowances.size(); ++i) {
      const Allowance &allowance = file.allowances[i];
      if (allowance.check != finding.check || !mayHide(allowance, known))
        continue;
      Finding copy = finding;
      if (!hide(allowance, file, kernels, copy))
        continue;
      anyHidden = file.used[i] = true;
      finding = std::move(copy);
    }
  return !anyHidden || !finding.kernels.empty();
}

/// Returns true if the lines are in a kernel's own text, with nothing before
/// them that may exclude them: template instances, and code behind an #if,
/// differ from source to source.
bool isInText(const Allowance &allowance, const SourceText &text,
              const KernelOutline &kernel, unsigned lastLine) {
  if (kernel.place.file != allowance.place.file ||
      llvm::StringRef(kernel.name).contains('<') ||
      allowance.first <= kernel.place.line || allowance.last > lastLine)
    return false;
  const llvm::StringRef before =
      llvm::StringRef(text.code())
          .slice(text.startOf(kernel.place.line), allowance.begin);
  return !llvm::Regex("#[ \t]*(if|el|endif)|if[ \t]+constexpr").match(before);
}

/// The parts of a file that a source inspected.
struct Looked {
  bool atFile = false;
  bool atThis = false; ///< the code that the allowance applies to
};

Looked lookedAt(const Allowance &allowance, const AllowingFile &file,
                const SourceFindings &source) {
  Looked looked;
  looked.atFile = source.source == allowance.place.file;
  for (const KernelOutline &kernel : source.kernels) {
    unsigned lastLine = 0;
    if (auto here = kernel.lines.find(allowance.place.file);
        here != kernel.lines.end()) {
      looked.atFile = true;
      looked.atThis |= llvm::any_of(here->second, [&](unsigned line) {
        return containsLine(allowance, line);
      });
      lastLine = here->second.back();
    }
    looked.atThis |= isOfKernel(allowance, *file.text, kernel) ||
                     isInText(allowance, *file.text, kernel, lastLine);
  }
  return looked;
}

/// Returns true if all sources that could use the allowance were inspected, and
/// at least one could.
bool isUseless(const Allowance &allowance, const AllowingFile &file,
               const std::vector<SourceFindings> &sources, bool allSources) {
  bool anyLooked = false;
  for (const SourceFindings &source : sources) {
    const Looked looked = lookedAt(allowance, file, source);
    if (!looked.atFile)
      continue;
    if (source.source != allowance.place.file && !allSources)
      return false;
    if (!source.isWhole || !llvm::is_contained(source.ran, allowance.check))
      return false;
    anyLooked |= looked.atThis;
  }
  return anyLooked;
}

/// The error in an allowance; empty if there is none.
std::string whatIsWrong(const Allowance &allowance,
                        const std::vector<std::string> &known) {
  if (!allowance.wrong.empty())
    return allowance.wrong;
  const std::string id = "'allow(" + allowance.check + ")' ";
  if (allowance.check.empty())
    return id + "names no check, so it hides nothing";
  if (!llvm::is_contained(known, allowance.check))
    return id + "names no check" + didYouMean(nearest(allowance.check, known));
  if (allowance.reason.empty())
    return id + "has no reason, so it hides nothing";
  return "";
}

Finding useless(const Place &place, Level level, const std::string &message) {
  Finding finding;
  finding.check = uselessAllow().info.id;
  finding.level = level;
  finding.place = place;
  finding.message = finding.about = message;
  // It is in no kernel, so there is nothing to judge.
  finding.kernels.push_back({"", "", "", {Verdict::Confirmed, ""}, 0});
  return finding;
}

/// The level in the first source that reports in the file.
std::optional<Level> levelIn(const std::string &file,
                             const std::vector<SourceFindings> &sources) {
  for (const SourceFindings &source : sources)
    if (source.source == file || !source.reportsIn || source.reportsIn(file))
      return source.uselessLevel;
  return std::nullopt;
}

} // namespace

Suppressed suppress(std::vector<SourceFindings> sources,
                    const std::vector<std::string> &known, bool allSources,
                    const Buffers &buffers) {
  AllowingFiles files = readFiles(sources, buffers);
  Suppressed result;
  for (SourceFindings &source : sources)
    for (Finding &finding : source.findings) {
      if (!files.empty() && !isLeft(finding, source.kernels, known, files))
        ++result.hidden;
      else if (!source.reportsIn || source.reportsIn(finding.place.file))
        result.findings.push_back(std::move(finding));
    }
  for (const auto &[name, file] : files) {
    const std::optional<Level> level = levelIn(name, sources);
    if (!level)
      continue;
    for (size_t i = 0; i < file.allowances.size(); ++i) {
      const Allowance &allowance = file.allowances[i];
      std::string wrong = whatIsWrong(allowance, known);
      if (wrong.empty() && !file.used[i] &&
          isUseless(allowance, file, sources, allSources))
        wrong = "'allow(" + allowance.check + ")' hides nothing any more";
      if (!wrong.empty())
        result.findings.push_back(useless(allowance.place, *level, wrong));
    }
  }
  return result;
}

} // namespace warplint
