#include "report/sarif.h"
#include "findings/check.h"
#include "findings/fingerprint.h"
#include "report/evidence.h"
#include "report/fields.h"
#include "report/markdown_page.h"
#include "report/severity.h"
#include "report/source_lines.h"
#include "report/text.h"
#include "version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace llvm;

namespace warplint {
namespace {

constexpr const char *schemaUri =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json";
constexpr const char *rootId = "SRCROOT";

StringRef view(std::string_view text) {
  return StringRef(text.data(), text.size()).trim('\n');
}

const char *levelOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  case Severity::None:
    return "none";
  }
  return "";
}

/// The `precision` of a level, as code-scanning services call it.
const char *precisionOf(Level level) {
  return level == Level::Certain  ? "very-high"
         : level == Level::Likely ? "high"
                                  : "medium";
}

/// RFC 3986: escapes all bytes but the unreserved ones and '/'.
std::string uriPath(StringRef path) {
  std::string text;
  for (char c : path) {
    if (isAlnum(c) || StringRef("-._~/").contains(c))
      text += c;
    else
      text += "%" + utohexstr((unsigned char)c, /*LowerCase=*/false, 2);
  }
  return text;
}

/// Escapes characters that would be placeholders or links in a message (SARIF
/// 2.1.0, 3.11.5 and 3.11.6).
std::string messageText(StringRef text) {
  std::string result;
  for (char c : utf8(text)) {
    if (c == '{' || c == '}')
      result += c;
    if (c == '(' && StringRef(result).ends_with("]"))
      result.insert(result.size() - 1, 1, '\\');
    result += c;
  }
  return result;
}

class Writer {
public:
  Writer(const Report &report, bool refuted, StringRef root, raw_ostream &out)
      : report_(report), refuted_(refuted), root_(root.rtrim('/')),
        json_(out, /*IndentSize=*/2) {}

  void write();

private:
  void text(StringRef key, StringRef value) {
    json_.attributeObject(key, [&] { json_.attribute("text", utf8(value)); });
  }
  void message(StringRef value) {
    json_.attributeObject("message",
                          [&] { json_.attribute("text", messageText(value)); });
  }
  void writeRule(const CheckInfo &info);
  void writeInvocation();
  void writeNotification(StringRef level, StringRef what, StringRef file);
  void writeArtifactLocation(const std::string &file, bool withIndex);
  void writePhysicalLocation(const Place &place);
  void writeKernels(const Finding &finding);
  void writeLocation(const Place &place, StringRef what);
  void writeRelated(const Finding &finding);
  void writeCodeFlow(const Finding &finding);
  void writeProperties(const Finding &finding);
  void writeFixes(const Finding &finding);
  void writeReplacement(const Edit &edit);
  void writeResult(const Finding &finding, StringRef fingerprint);
  void writeResults();
  void writeArtifacts();

  const Report &report_;
  const bool refuted_;
  const StringRef root_;
  json::OStream json_;
  SourceLines sources_{report_.buffers};
  /// Numbers by path, in order of first use.
  std::map<std::string, unsigned> artifacts_;
  std::vector<std::string> artifactPaths_;
};

void Writer::writeRule(const CheckInfo &info) {
  json_.attribute("id", view(info.id));
  text("shortDescription", view(info.summary));
  text("fullDescription", view(info.why));
  json_.attributeObject("defaultConfiguration", [&] {
    json_.attribute("enabled", info.level != Level::Opinion);
    json_.attribute("level", levelOf(severity(info.level)));
  });
  json_.attributeObject("help", [&] {
    std::string plain = "Why it costs\n" + view(info.why).str() +
                        "\n\nWhat to do\n" + view(info.cures).str();
    auto section = [&](StringRef title, std::string_view text) {
      if (!text.empty())
        plain += ("\n\n" + title + "\n" + view(text)).str();
    };
    section("When it is not worth it", info.whenNot);
    section("In Nsight Compute", info.ncu);
    json_.attribute("text", plain);
    json_.attribute("markdown", markdownPage(info));
  });
  json_.attributeObject("properties", [&] {
    json_.attributeArray("tags", [&] {
      for (const char *tag : {"performance", "cuda"})
        json_.value(tag);
    });
    json_.attribute("warplint/level", spelling(info.level));
    json_.attribute("precision", precisionOf(info.level));
    json_.attribute("problem.severity", info.level == Level::Opinion
                                            ? "recommendation"
                                            : levelOf(severity(info.level)));
  });
}

void Writer::writeArtifactLocation(const std::string &file, bool withIndex) {
  auto [it, isNew] = artifacts_.try_emplace(file, artifactPaths_.size());
  if (isNew)
    artifactPaths_.push_back(file);
  StringRef shown = shownPath(file, root_);
  const bool below = shown.size() != file.size();
  json_.attribute("uri", below                    ? uriPath(shown)
                         : shown.starts_with("/") ? "file://" + uriPath(shown)
                                                  : uriPath(shown));
  if (below)
    json_.attribute("uriBaseId", rootId);
  if (withIndex)
    json_.attribute("index", it->second);
}

void Writer::writePhysicalLocation(const Place &place) {
  if (place.file.empty())
    return;
  json_.attributeObject("physicalLocation", [&] {
    json_.attributeObject("artifactLocation",
                          [&] { writeArtifactLocation(place.file, true); });
    if (place.line == 0)
      return;
    json_.attributeObject("region", [&] {
      json_.attribute("startLine", place.line);
      if (place.column)
        json_.attribute(
            "startColumn",
            sources_.utf16Column(place.file, place.line, place.column));
      if (auto line = sources_.line(place.file, place.line))
        text("snippet", *line);
    });
  });
}

void Writer::writeLocation(const Place &place, StringRef what) {
  writePhysicalLocation(place);
  message(what);
}

/// The kernels of the finding, as logical locations.
void Writer::writeKernels(const Finding &finding) {
  std::vector<std::string> names = kernelNames(finding);
  if (names.empty())
    return;
  json_.attributeArray("logicalLocations", [&] {
    for (const std::string &name : names)
      json_.object([&] {
        json_.attribute("fullyQualifiedName", utf8(name));
        json_.attribute("kind", "function");
      });
  });
}

void Writer::writeRelated(const Finding &finding) {
  const auto related = relatedPlaces(finding);
  if (related.empty())
    return;
  json_.attributeArray("relatedLocations", [&] {
    for (size_t i = 0; i < related.size(); ++i)
      json_.object([&] {
        json_.attribute("id", i + 1);
        writeLocation(related[i].first, related[i].second);
      });
  });
}

/// The chain of calls from the kernel to inlined code.
void Writer::writeCodeFlow(const Finding &finding) {
  if (finding.callSites.empty())
    return;
  auto step = [&](const Place &place, size_t depth, StringRef what) {
    json_.object([&] {
      json_.attribute("nestingLevel", depth);
      json_.attributeObject("location", [&] { writeLocation(place, what); });
    });
  };
  json_.attributeArray("codeFlows", [&] {
    json_.object([&] {
      json_.attributeArray("threadFlows", [&] {
        json_.object([&] {
          json_.attributeArray("locations", [&] {
            for (size_t i = 0; i < finding.callSites.size(); ++i)
              step(finding.callSites[i], i, "the call here is inlined");
            step(finding.place, finding.callSites.size(), finding.message);
          });
        });
      });
    });
  });
}

void Writer::writeProperties(const Finding &finding) {
  json_.attributeObject("properties", [&] {
    json_.attribute("verdict", spelling(finding.verdict()));
    if (std::string condition = finding.condition(); !condition.empty())
      json_.attribute("condition", utf8(condition));
    json_.attribute("level", spelling(finding.level));
    if (!finding.fix.empty())
      json_.attribute("fix", utf8(finding.fix));
    json_.attributeArray("kernels", [&] {
      for (const FindingKernel &kernel : finding.kernels)
        json_.object([&] {
          json_.attribute("name", utf8(kernel.name));
          json_.attribute("mangled", utf8(kernel.mangled));
          json_.attribute("arch", utf8(kernel.architecture));
          json_.attribute("verdict", spelling(kernel.judgement.verdict));
          json_.attribute("evidence", utf8(kernel.judgement.evidence));
          if (const std::string &condition = kernel.judgement.condition;
              !condition.empty())
            json_.attribute("condition", utf8(condition));
        });
    });
  });
}

void Writer::writeReplacement(const Edit &edit) {
  json_.attributeObject("deletedRegion", [&] {
    auto column = [&](const Place &place) {
      return sources_.utf16Column(place.file, place.line, place.column);
    };
    json_.attribute("startLine", edit.begin.line);
    json_.attribute("startColumn", column(edit.begin));
    json_.attribute("endLine", edit.end.line);
    json_.attribute("endColumn", column(edit.end));
  });
  text("insertedContent", edit.text);
}

/// A service offers these with one click, so those that were rolled back are
/// left out.
void Writer::writeFixes(const Finding &finding) {
  if (!finding.edit || finding.edit->edits.empty() ||
      finding.edit->proof == Proof::RolledBack)
    return;
  const Fix &fix = *finding.edit;
  json_.attributeArray("fixes", [&] {
    json_.object([&] {
      json_.attributeObject("description", [&] {
        json_.attribute("text", messageText(helpLines(finding).back()));
      });
      json_.attributeArray("artifactChanges", [&] {
        json_.object([&] {
          json_.attributeObject("artifactLocation", [&] {
            writeArtifactLocation(fix.edits.front().begin.file, true);
          });
          json_.attributeArray("replacements", [&] {
            for (const Edit &edit : fix.edits)
              json_.object([&] { writeReplacement(edit); });
          });
        });
      });
    });
  });
}

void Writer::writeResult(const Finding &finding, StringRef fingerprint) {
  json_.attribute("ruleId", utf8(finding.check));
  const auto *check = find_if(ArrayRef(checks()), [&](const Check &check) {
    return view(check.info.id) == finding.check;
  });
  if (check != ArrayRef(checks()).end())
    json_.attribute("ruleIndex", check - checks().data());
  const Severity loud = severity(finding);
  json_.attribute("kind", loud == Severity::None ? "pass" : "fail");
  json_.attribute("level", levelOf(loud));
  message(allWords(finding));
  json_.attributeArray("locations", [&] {
    json_.object([&] {
      writePhysicalLocation(finding.place);
      writeKernels(finding);
    });
  });
  json_.attributeObject("partialFingerprints", [&] {
    json_.attribute("warplintFinding/v1", fingerprint);
  });
  writeRelated(finding);
  writeCodeFlow(finding);
  writeFixes(finding);
  writeProperties(finding);
}

void Writer::writeResults() {
  std::vector<Fingerprint> prints =
      fingerprints(report_.findings, report_.buffers);
  json_.attributeArray("results", [&] {
    for (size_t i = 0; i < prints.size(); ++i)
      if (refuted_ || report_.findings[i].verdict() != Verdict::Refuted)
        json_.object([&] { writeResult(report_.findings[i], prints[i].text); });
  });
}

void Writer::writeNotification(StringRef level, StringRef what,
                               StringRef file) {
  json_.object([&] {
    json_.attribute("level", level);
    message(what);
    if (!file.empty())
      json_.attributeArray("locations", [&] {
        json_.object([&] { writePhysicalLocation({file.str()}); });
      });
  });
}

/// A source that was not read makes the results incomplete; SARIF 2.1.0,
/// appendix I, has the level for that.
void Writer::writeInvocation() {
  const ExitCode code = exitCode(report_);
  json_.attribute("executionSuccessful", true);
  json_.attribute("exitCode", int(code));
  json_.attribute("exitCodeDescription", code == ExitCode::Clean ? "no findings"
                                         : code == ExitCode::Findings
                                             ? "findings"
                                             : "some source was not read");
  json_.attributeArray("toolExecutionNotifications", [&] {
    for (const UnreadSource &unread : report_.unread)
      writeNotification(
          "error",
          (unread.anyKernelRead ? "read in part: " : "not read: ") +
              unread.firstError,
          unread.source);
    for (const UnreadKernel &kernel : report_.unreadKernels)
      writeNotification("error",
                        "kernel '" + kernel.name + "' not read: " + kernel.why,
                        kernel.source);
    for (const std::string &note : report_.notes)
      writeNotification("note", note, "");
  });
}

void Writer::writeArtifacts() {
  json_.attributeArray("artifacts", [&] {
    for (const std::string &path : artifactPaths_)
      json_.object([&] {
        json_.attributeObject("location",
                              [&] { writeArtifactLocation(path, false); });
      });
  });
}

void Writer::write() {
  auto run = [&] {
    json_.attributeObject("tool", [&] {
      json_.attributeObject("driver", [&] {
        json_.attribute("name", "warplint");
        json_.attribute("semanticVersion", WARPLINT_VERSION);
        json_.attributeArray("rules", [&] {
          for (const Check &check : checks())
            json_.object([&] { writeRule(check.info); });
        });
      });
    });
    json_.attributeArray("invocations",
                         [&] { json_.object([&] { writeInvocation(); }); });
    json_.attributeObject("originalUriBaseIds", [&] {
      json_.attributeObject(rootId, [&] {
        json_.attribute("uri", "file://" + uriPath(root_) + "/");
      });
    });
    json_.attribute("columnKind", "utf16CodeUnits");
    writeResults();
    writeArtifacts();
  };
  json_.object([&] {
    json_.attribute("$schema", schemaUri);
    json_.attribute("version", "2.1.0");
    json_.attributeArray("runs", [&] { json_.object(run); });
  });
}

} // namespace

void printSarif(const Report &report, bool refuted, const std::string &root,
                raw_ostream &out) {
  Writer(report, refuted, root, out).write();
  out << '\n';
}

} // namespace warplint
