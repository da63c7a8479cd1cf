#include "findings/suppress.h"
#include "input/suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <set>

namespace warplint {

std::vector<Allowance> readAllowances(const std::string &file,
                                      llvm::StringRef text) {
  constexpr llvm::StringRef mark = "warplint: allow(";
  std::vector<Allowance> found;
  unsigned number = 0;
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    ++number;
    size_t comment = line.find("//");
    size_t at = line.find(mark, comment == llvm::StringRef::npos ? 0 : comment);
    if (comment == llvm::StringRef::npos || at == llvm::StringRef::npos)
      continue;
    auto [ids, rest] = line.substr(at + mark.size()).split(')');
    llvm::SmallVector<llvm::StringRef, 2> parts;
    ids.split(parts, ',');
    for (llvm::StringRef id : parts)
      found.push_back({{file, number, unsigned(at + 1)},
                       id.trim().str(),
                       rest.trim().str(),
                       line.take_front(comment).trim().empty()});
  }
  return found;
}

namespace {

/// An allowance covers its own line, and the next if it has its line to itself.
bool covers(const Allowance &allowance, const Finding &finding) {
  if (allowance.check != finding.check ||
      allowance.place.file != finding.place.file)
    return false;
  return finding.place.line == allowance.place.line ||
         (allowance.ownLine && finding.place.line == allowance.place.line + 1);
}

std::string where(const Place &place) {
  return llvm::StringRef(place.file).rsplit('/').second.str() + ":" +
         std::to_string(place.line) + ": ";
}

} // namespace

Suppressed suppress(std::vector<Finding> findings,
                    const std::vector<std::string> &sources,
                    const std::vector<std::string> &known,
                    const std::vector<std::string> &ran) {
  std::set<std::string> files(sources.begin(), sources.end());
  for (const Finding &finding : findings)
    files.insert(finding.place.file);
  std::vector<Allowance> allowances;
  for (const std::string &file : files)
    if (auto text = llvm::MemoryBuffer::getFile(file))
      llvm::append_range(allowances,
                         readAllowances(file, (*text)->getBuffer()));

  Suppressed result;
  std::vector<bool> used(allowances.size());
  for (Finding &finding : findings) {
    bool hidden = false;
    for (size_t i = 0; i < allowances.size(); ++i)
      if (!allowances[i].reason.empty() && covers(allowances[i], finding))
        hidden = used[i] = true;
    if (hidden)
      ++result.hidden;
    else
      result.findings.push_back(std::move(finding));
  }
  for (size_t i = 0; i < allowances.size(); ++i) {
    const Allowance &allowance = allowances[i];
    std::string id = "'allow(" + allowance.check + ")' ";
    if (!llvm::is_contained(known, allowance.check)) {
      std::string near = nearest(allowance.check, known);
      result.notes.push_back(
          where(allowance.place) + id + "names no check" +
          (near.empty() ? "" : "; did you mean '" + near + "'?"));
    } else if (allowance.reason.empty()) {
      result.notes.push_back(where(allowance.place) + id +
                             "has no reason, so it hides nothing");
    } else if (!used[i] && llvm::is_contained(ran, allowance.check)) {
      result.notes.push_back(where(allowance.place) + id +
                             "hides nothing any more");
    }
  }
  return result;
}

} // namespace warplint
