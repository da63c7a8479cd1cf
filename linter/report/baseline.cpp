#include "report/baseline.h"
#include "base/failure.h"
#include "base/parse_json.h"
#include "report/text.h"
#include "version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace warplint {

static constexpr int64_t schema = 1; ///< raised when a reader would go wrong

static std::string utf8(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

static void printKnown(const Finding &finding, const Fingerprint &fingerprint,
                       const std::string &folder, json::OStream &json) {
  json.attribute("fingerprint", fingerprint.text);
  json.attribute("moved", fingerprint.moved);
  json.attribute("statement", fingerprint.statement);
  json.attribute("check", finding.check);
  json.attribute("file", utf8(shownPath(finding.place.file, folder)));
  if (!finding.kernels.empty())
    json.attribute("kernel", utf8(finding.kernels.front().name));
  json.attribute("message", utf8(finding.message));
}

void printBaseline(ArrayRef<Finding> all, ArrayRef<std::string> sources,
                   const std::string &folder, raw_ostream &out) {
  const std::vector<Fingerprint> identities = fingerprints(all);
  json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("warplint", WARPLINT_VERSION);
    json.attribute("baseline", schema);
    json.attributeArray("sources", [&] {
      for (const std::string &source : sources)
        json.value(utf8(shownPath(source, folder)));
    });
    json.attributeArray("findings", [&] {
      for (const auto &[finding, identity] : zip(all, identities))
        if (finding.verdict() != Verdict::Refuted)
          json.object([&] { printKnown(finding, identity, folder, json); });
    });
  });
  out << '\n';
}

Expected<Baseline> readBaseline(StringRef text, const std::string &file,
                                const std::string &folder) {
  auto noBaseline = [&](const Twine &why) {
    return failure("'" + file + "' is no baseline: " + why +
                   "; 'warplint check --write-baseline' makes "
                   "one");
  };
  auto value = parseJson(text);
  if (!value)
    return noBaseline(toString(value.takeError()));
  const json::Object *root = value->getAsObject();
  auto found = root ? root->getInteger("baseline") : std::nullopt;
  if (!found)
    return noBaseline("it does not say so");
  if (*found != schema)
    return noBaseline("it has the schema " + Twine(*found) +
                      ", and this release reads " + Twine(schema));
  auto absolute = [&](StringRef name) {
    SmallString<256> path(name);
    sys::path::make_absolute(folder, path);
    return path.str().str();
  };
  const json::Array *sources = root->getArray("sources"),
                    *findings = root->getArray("findings");
  if (!sources || !findings)
    return noBaseline("'sources' or 'findings' is missing");
  Baseline baseline;
  for (const json::Value &source : *sources)
    baseline.sources.push_back(absolute(source.getAsString().value_or("")));
  for (const json::Value &each : *findings) {
    const json::Object *object = each.getAsObject();
    auto field = [&](StringRef name) {
      return object ? object->getString(name).value_or("").str() : "";
    };
    KnownFinding known{
        {field("fingerprint"), field("moved"), field("statement")},
        field("check"),
        absolute(field("file")),
        field("kernel"),
        field("message")};
    if (known.fingerprint.text.empty() || known.check.empty())
      return noBaseline("a finding has no 'fingerprint' or no 'check'");
    baseline.findings.push_back(std::move(known));
  }
  return baseline;
}

namespace {

/// Pairs findings with known findings; each is in at most one pair.
class Matching {
public:
  Matching(ArrayRef<Fingerprint> identities,
           const std::vector<KnownFinding> &known)
      : isKnown(identities.size()), isThere(known.size()),
        identities_(identities), known_(known) {
    match(&Fingerprint::text);
    match(&Fingerprint::moved);
    matchStatements();
  }

  std::vector<bool> isKnown; ///< by finding
  std::vector<bool> isThere; ///< by known finding

private:
  void match(std::string Fingerprint::*identity) {
    std::multimap<std::string, size_t> left;
    for (size_t i = 0; i < known_.size(); ++i)
      if (!isThere[i])
        left.insert({known_[i].fingerprint.*identity, i});
    for (size_t i = 0; i < identities_.size(); ++i) {
      auto found = left.find(identities_[i].*identity);
      if (isKnown[i] || found == left.end())
        continue;
      isKnown[i] = isThere[found->second] = true;
      left.erase(found);
    }
  }

  /// Reformatting a statement may split one finding over several lines, or join
  /// several into one.
  void matchStatements() {
    std::set<std::string> known, found;
    for (const KnownFinding &each : known_)
      known.insert(each.fingerprint.statement);
    for (size_t i = 0; i < identities_.size(); ++i) {
      found.insert(identities_[i].statement);
      isKnown[i] = isKnown[i] || known.count(identities_[i].statement);
    }
    for (size_t i = 0; i < known_.size(); ++i)
      isThere[i] = isThere[i] || found.count(known_[i].fingerprint.statement);
  }

  ArrayRef<Fingerprint> identities_;
  const std::vector<KnownFinding> &known_;
};

} // namespace

BaselineResult applyBaseline(std::vector<Finding> all, const Baseline &baseline,
                             const std::set<std::string> &read,
                             const std::set<std::string> &ran,
                             const Buffers &buffers) {
  const Matching matching(fingerprints(all, buffers), baseline.findings);
  const bool readAll = all_of(baseline.sources, [&](const std::string &source) {
    return read.count(source) || !sys::fs::exists(source);
  });
  BaselineResult result;
  for (size_t i = 0; i < all.size(); ++i) {
    if (matching.isKnown[i] && all[i].verdict() != Verdict::Refuted)
      ++result.known;
    else
      result.findings.push_back(std::move(all[i]));
  }
  for (size_t i = 0; i < baseline.findings.size(); ++i) {
    const KnownFinding &known = baseline.findings[i];
    if (!matching.isThere[i] && ran.count(known.check) &&
        (readAll || read.count(known.file)))
      result.gone.push_back(known);
  }
  return result;
}

} // namespace warplint
