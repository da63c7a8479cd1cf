#include "findings/fingerprint.h"
#include "findings/statements.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <optional>

using namespace llvm;

namespace warplint {
namespace {

/// Reads the statements of each file once.
class Sources {
public:
  explicit Sources(const Buffers &buffers) : buffers_(buffers) {}

  std::string statementAt(const Place &place) {
    if (place.line == 0)
      return "";
    auto [it, isNew] = files_.try_emplace(place.file);
    if (isNew)
      if (auto text = readText(place.file, buffers_))
        it->second.emplace(text->getBuffer());
    return it->second ? it->second->at(place.line, place.column).str() : "";
  }

private:
  const Buffers &buffers_;
  std::map<std::string, std::optional<StatementIndex>> files_;
};

/// "ns::k" of "ns::k<float, 4>". The place in the name of a lambda moves with
/// its lines, and stands between angle brackets or after "lambda at".
std::string templateName(StringRef name) {
  name = name.split("lambda at ").first;
  std::string result;
  unsigned depth = 0;
  for (char c : name) {
    if (c == '<')
      ++depth;
    else if (c == '>' && depth)
      --depth;
    else if (!depth)
      result += c;
  }
  return result;
}

/// Figures in a message change with the compiler.
std::string subject(const Finding &finding) {
  std::string text;
  for (char c : finding.about)
    if (!isSpace(c) && !(finding.about == finding.message && isDigit(c)))
      text += c;
  return text;
}

std::string statementKey(const Finding &finding, Sources &sources) {
  // The separators cannot occur in the parts.
  std::string text = finding.check + '\0';
  for (const Place &call : finding.callSites)
    text += sources.statementAt(call) + '\0';
  text += sources.statementAt(finding.place) + '\0';
  if (!finding.kernels.empty())
    text += templateName(finding.kernels.front().name);
  return text;
}

std::string digits(StringRef text) {
  return utohexstr(xxh3_64bits(text), /*LowerCase=*/true, /*Width=*/16);
}

} // namespace

std::vector<Fingerprint> fingerprints(ArrayRef<Finding> findings,
                                      const Buffers &buffers) {
  Sources sources(buffers);
  std::map<std::string, unsigned> seen;
  std::vector<Fingerprint> result;
  for (const Finding &finding : findings) {
    const std::string statement = statementKey(finding, sources);
    const std::string moved = statement + '\0' + subject(finding);
    const std::string file =
        sys::path::filename(finding.place.file).str() + '\0';
    std::string here = file + moved;
    unsigned occurrence = seen[here]++;
    here += '\0' + std::to_string(occurrence);
    result.push_back({digits(here), digits(moved), digits(file + statement)});
  }
  return result;
}

} // namespace warplint
