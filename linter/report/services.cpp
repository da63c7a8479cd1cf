#include "report/services.h"
#include "base/printable.h"
#include "findings/fingerprint.h"
#include "report/closing.h"
#include "report/evidence.h"
#include "report/fields.h"
#include "report/severity.h"
#include "report/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace llvm;

namespace warplint {
namespace {

/// The text of a finding below its message.
std::string details(const Finding &finding) {
  std::vector<std::string> lines = detailLines(finding);
  append_range(lines, helpLines(finding));
  return join(lines, "\n");
}

std::string whyUnread(const UnreadSource &unread) {
  return (unread.anyKernelRead ? "read in part: " : "not read: ") +
         unread.firstError;
}

std::string whyUnread(const UnreadKernel &kernel) {
  return "kernel '" + kernel.name + "' not read: " + kernel.why;
}

/// Line breaks stay, since they are escaped.
std::string printableText(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  return join(map_range(lines, printable), "\n");
}

/// Escapes characters that end a workflow command's line or property as a
/// percent sign and two digits (actions/toolkit, packages/core/src/command.ts).
std::string commandEscaped(StringRef text, bool isProperty) {
  std::string result;
  for (char c : printableText(text)) {
    if (StringRef("%\n").contains(c) ||
        (isProperty && StringRef(":,").contains(c)))
      result += "%" + utohexstr((unsigned char)c, /*LowerCase=*/false, 2);
    else
      result += c;
  }
  return result;
}

void printCommand(StringRef command, StringRef file, const Place &place,
                  StringRef title, StringRef message, raw_ostream &out) {
  out << "::" << command << " file=" << commandEscaped(file, true);
  if (place.line)
    out << ",line=" << place.line;
  if (place.line && place.column)
    out << ",col=" << place.column;
  out << ",title=" << commandEscaped(title, true)
      << "::" << commandEscaped(message, false) << '\n';
}

const char *commandOf(Severity severity) {
  return severity == Severity::Error     ? "error"
         : severity == Severity::Warning ? "warning"
                                         : "notice";
}

const char *gitlabSeverity(Severity severity) {
  return severity == Severity::Error     ? "major"
         : severity == Severity::Warning ? "minor"
                                         : "info";
}

/// Buffers one `<testsuite>`: its counts are printed before its tests.
struct Suite {
  unsigned tests = 0, failures = 0, errors = 0, skipped = 0;
  std::string cases;
};

/// Readers turn a line break in an attribute into white space.
std::string attribute(StringRef text) {
  std::string result;
  for (char c : markupEscaped(printableText(text)))
    result += c == '\n' ? "&#10;" : std::string(1, c);
  return result;
}

void addCase(StringRef name, StringRef file, const Place &place,
             StringRef element, StringRef type, StringRef message,
             StringRef text, Suite &suite) {
  raw_string_ostream out(suite.cases);
  out << "    <testcase name=\"" << attribute(name) << "\" classname=\""
      << attribute(file) << "\" file=\"" << attribute(file) << '"';
  if (place.line)
    out << " line=\"" << place.line << '"';
  out << ">\n      <" << element;
  // Jenkins' schema has no type for a skipped test.
  if (element != "skipped")
    out << " type=\"" << attribute(type) << '"';
  out << " message=\"" << attribute(message) << '"';
  if (element == "skipped")
    out << "/>\n";
  else
    out << '>' << markupEscaped(printableLines(text)) << "</" << element
        << ">\n";
  out << "    </testcase>\n";
  ++suite.tests;
  ++(element == "failure" ? suite.failures
     : element == "error" ? suite.errors
                          : suite.skipped);
}

std::map<std::string, Suite> suitesOf(const Report &report, bool refuted,
                                      StringRef root) {
  std::map<std::string, Suite> suites;
  for (const Finding &finding : report.findings) {
    const bool isRefuted = finding.verdict() == Verdict::Refuted;
    if (isRefuted && !refuted)
      continue;
    std::string file = shownPath(finding.place.file, root).str();
    std::string place = file + ":" + std::to_string(finding.place.line) + ":" +
                        std::to_string(finding.place.column);
    addCase(finding.check + " at " + place, file, finding.place,
            isRefuted ? "skipped" : "failure", finding.check,
            isRefuted ? "refuted: " + finding.message : finding.message,
            printable(place) + ": " + finding.message + "\n" + details(finding),
            suites[file]);
  }
  auto addError = [&](const std::string &source, const std::string &why) {
    std::string file = shownPath(source, root).str();
    addCase("read", file, {}, "error", "unread", why, why, suites[file]);
  };
  for (const UnreadSource &unread : report.unread)
    addError(unread.source, whyUnread(unread));
  for (const UnreadKernel &kernel : report.unreadKernels)
    addError(kernel.source, whyUnread(kernel));
  return suites;
}

void printCounts(const Suite &suite, raw_ostream &out) {
  out << " tests=\"" << suite.tests << "\" failures=\"" << suite.failures
      << "\" errors=\"" << suite.errors << '"';
}

} // namespace

void printGithub(const Report &report, bool refuted, const std::string &root,
                 raw_ostream &out) {
  for (const Finding &finding : report.findings) {
    if (finding.verdict() == Verdict::Refuted && !refuted)
      continue;
    std::string text = details(finding);
    printCommand(commandOf(severity(finding)),
                 shownPath(finding.place.file, root), finding.place,
                 finding.check + " (" + spelling(finding.verdict()) + ")",
                 finding.message + (text.empty() ? "" : "\n" + text), out);
  }
  for (const UnreadSource &unread : report.unread)
    printCommand("error", shownPath(unread.source, root), {}, "not read",
                 whyUnread(unread), out);
  for (const UnreadKernel &kernel : report.unreadKernels)
    printCommand("error", shownPath(kernel.source, root), {}, "not read",
                 whyUnread(kernel), out);
  for (const std::string &note : report.notes)
    out << "::notice title=warplint::" << commandEscaped(note, false) << '\n';
  out << commandEscaped(closingLine(report, refuted), false) << '\n';
}

void printGitlab(const Report &report, bool refuted, const std::string &root,
                 raw_ostream &out) {
  std::vector<Fingerprint> prints =
      fingerprints(report.findings, report.buffers);
  json::OStream json(out, /*IndentSize=*/2);
  json.array([&] {
    for (size_t i = 0; i < prints.size(); ++i) {
      const Finding &finding = report.findings[i];
      if (finding.verdict() == Verdict::Refuted && !refuted)
        continue;
      json.object([&] {
        std::string verdict = spelling(finding.verdict());
        json.attribute("description",
                       utf8(finding.message + " (" + verdict + ")"));
        json.attributeObject(
            "content", [&] { json.attribute("body", utf8(details(finding))); });
        json.attribute("check_name", utf8(finding.check));
        json.attribute("fingerprint", prints[i].text);
        json.attribute("severity", gitlabSeverity(severity(finding)));
        json.attributeObject("location", [&] {
          json.attribute("path", utf8(shownPath(finding.place.file, root)));
          json.attributeObject("lines", [&] {
            json.attribute("begin", std::max(1u, finding.place.line));
          });
        });
      });
    }
  });
  out << '\n';
}

void printJunit(const Report &report, bool refuted, const std::string &root,
                raw_ostream &out) {
  std::map<std::string, Suite> suites = suitesOf(report, refuted, root);
  if (suites.empty()) {
    Suite &clean = suites["warplint"];
    clean.tests = 1;
    clean.cases = "    <testcase name=\"" +
                  attribute(closingLine(report, refuted)) +
                  "\" classname=\"warplint\"/>\n";
  }
  Suite all;
  for (const auto &[file, suite] : suites) {
    all.tests += suite.tests;
    all.failures += suite.failures;
    all.errors += suite.errors;
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << "<testsuites name=\"warplint\"";
  printCounts(all, out);
  out << ">\n";
  for (const auto &[file, suite] : suites) {
    out << "  <testsuite name=\"" << attribute(file) << '"';
    printCounts(suite, out);
    out << " skipped=\"" << suite.skipped << "\">\n"
        << suite.cases << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

} // namespace warplint
