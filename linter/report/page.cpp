#include "report/page.h"
#include "findings/check.h"
#include "findings/fingerprint.h"
#include "report/closing.h"
#include "report/evidence.h"
#include "report/fields.h"
#include "report/severity.h"
#include "report/source_lines.h"
#include "report/text.h"
#include "version.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <set>

using namespace llvm;

namespace warplint {

/// page/page.html with its style and script, embedded by CMake.
extern const char *const pageTemplate;

namespace {

/// Lines shown before and after a line of interest.
constexpr unsigned context = 6;
/// Cuts longer lines, which are generated code.
constexpr size_t longestLine = 1000;

StringRef view(std::string_view text) {
  return StringRef(text.data(), text.size()).trim('\n');
}

class Writer {
public:
  Writer(const Report &report, const ReportContext &around, bool refuted,
         StringRef root, raw_ostream &out)
      : report_(report), around_(around), refuted_(refuted), root_(root),
        json_(out) {}

  void write();

private:
  bool isShown(const Finding &finding) const {
    return refuted_ || finding.verdict() != Verdict::Refuted;
  }
  void text(StringRef key, StringRef value) {
    json_.attribute(key, utf8(value));
  }
  void texts(StringRef key, const std::vector<std::string> &values);
  void writePlace(const Place &place);
  void writeFinding(const Finding &finding, StringRef fingerprint);
  void writeFigure(const Figure &figure);
  void writeLines(const std::string &file, const std::set<unsigned> &named);
  void writeFiles();
  void writeCheck(const CheckInfo &info);
  void writeResources();
  void writeUnread();

  const Report &report_;
  const ReportContext &around_;
  const bool refuted_;
  const StringRef root_;
  json::OStream json_;
  SourceLines sources_{report_.buffers};
};

void Writer::texts(StringRef key, const std::vector<std::string> &values) {
  json_.attributeArray(key, [&] {
    for (const std::string &value : values)
      json_.value(utf8(value));
  });
}

void Writer::writePlace(const Place &place) {
  text("file", shownPath(place.file, root_));
  json_.attribute("line", place.line);
  json_.attribute("column",
                  sources_.utf16Column(place.file, place.line, place.column));
}

void Writer::writeFinding(const Finding &finding, StringRef fingerprint) {
  text("id", fingerprint);
  text("check", finding.check);
  text("level", spelling(finding.level));
  text("verdict", spelling(finding.verdict()));
  writePlace(finding.place);
  text("message", finding.message);
  texts("evidence", evidenceLines(finding));
  texts("notes", finding.notes);
  text("fix", finding.fix);
  if (finding.share)
    json_.attribute("share", *finding.share);
  text("cost", finding.cost);
  texts("kernels", kernelNames(finding));
  json_.attributeArray("calls", [&] {
    for (const Place &place : finding.callSites)
      json_.object([&] { writePlace(place); });
  });
}

void Writer::writeFigure(const Figure &figure) {
  text("space", spelling(figure.space));
  text("op", spelling(figure.operation));
  text("accessed", figure.accessed);
  text("words", figure.words);
  json_.attribute("known", figure.isKnown);
  json_.attribute("value", figure.value);
  json_.attribute("ideal", figure.ideal);
  texts("kernels", figure.kernels);
}

/// Excerpts of the source: the lines of interest and those around them. Fills a
/// gap that is no longer than the note about it.
void Writer::writeLines(const std::string &file,
                        const std::set<unsigned> &named) {
  const bool anyLine = !named.empty() && *named.rbegin() != 0;
  const unsigned count = anyLine ? sources_.count(file) : 0;
  std::vector<std::pair<unsigned, unsigned>> pieces; // by first and last line
  for (unsigned line : named) {
    if (line == 0 || line > count)
      continue;
    // A single line at either end takes as much room as the note on it.
    const unsigned first = line > context + 2 ? line - context : 1;
    const unsigned last = line + context + 1 >= count ? count : line + context;
    if (!pieces.empty() && first <= pieces.back().second + 2)
      pieces.back().second = last;
    else
      pieces.push_back({first, last});
  }
  json_.attribute("count", count);
  json_.attributeArray("pieces", [&] {
    for (auto [first, last] : pieces)
      json_.object([&] {
        json_.attribute("first", first);
        json_.attributeArray("lines", [&] {
          for (unsigned line = first; line <= last; ++line)
            json_.value(utf8(sources_.line(file, line)
                                 .value_or("")
                                 .take_front(longestLine)));
        });
      });
  });
}

void Writer::writeFiles() {
  std::map<std::string, std::set<unsigned>> named;
  std::map<std::string, std::map<unsigned, std::vector<const Figure *>>> beside;
  for (const Finding &finding : report_.findings) {
    if (!isShown(finding))
      continue;
    named[finding.place.file].insert(finding.place.line);
    for (const Place &call : finding.callSites)
      named[call.file].insert(call.line);
  }
  for (const Figure &figure : around_.figures) {
    named[figure.place.file].insert(figure.place.line);
    beside[figure.place.file][figure.place.line].push_back(&figure);
  }
  for (const auto &[file, lines] : named)
    json_.object([&, &file = file, &lines = lines] {
      text("path", shownPath(file, root_));
      writeLines(file, lines);
      json_.attributeArray("figures", [&] {
        for (const auto &[line, figures] : beside[file])
          json_.object([&, line = line, &figures = figures] {
            json_.attribute("line", line);
            json_.attributeArray("of", [&] {
              for (const Figure *figure : figures)
                json_.object([&] { writeFigure(*figure); });
            });
          });
      });
    });
}

void Writer::writeCheck(const CheckInfo &info) {
  text("id", view(info.id));
  text("summary", view(info.summary));
  text("why", view(info.why));
  text("slow", view(info.slow));
  text("fast", view(info.fast));
  text("cures", view(info.cures));
  text("whenNot", view(info.whenNot));
}

void Writer::writeResources() {
  json_.attributeArray("measures", [&] {
    for (const Measure &measure : measures())
      json_.object([&] {
        text("name", measure.name);
        text("heading", measure.heading);
        json_.attribute("moreIsBetter", measure.moreIsBetter);
      });
  });
  // By kernel, the share of its time that its findings explain.
  std::map<std::string, double> explained;
  for (const Finding &finding : report_.findings)
    if (finding.share && finding.verdict() != Verdict::Refuted)
      for (const std::string &kernel : kernelNames(finding))
        explained[kernel] += *finding.share;
  json_.attributeArray("kernels", [&] {
    for (const ResourceRow &row : around_.resources.rows)
      json_.object([&] {
        text("kernel", row.kernel);
        text("bound", row.bound);
        if (auto share = explained.find(row.kernel); share != explained.end())
          json_.attribute("explained", std::min(1.0, share->second));
        text("signature", row.signature);
        text("arch", row.architecture);
        text("file", row.place.file.empty() ? row.source : row.place.file);
        json_.attribute("line", row.place.line);
        for (const Measure &measure : measures())
          if (row.*measure.value)
            json_.attribute(measure.name, *(row.*measure.value));
      });
  });
}

void Writer::writeUnread() {
  for (const UnreadSource &unread : report_.unread)
    json_.value(
        utf8(shownPath(unread.source, root_).str() +
             (unread.anyKernelRead ? ": read in part: " : ": not read: ") +
             unread.firstError));
  for (const UnreadKernel &kernel : report_.unreadKernels)
    json_.value(utf8(shownPath(kernel.source, root_).str() + ": kernel '" +
                     kernel.name + "' not read: " + kernel.why));
  for (const MissingReport &missing : around_.resources.missing)
    json_.value(utf8(missing.source + ": " + missing.why));
}

void Writer::write() {
  std::vector<Fingerprint> prints =
      fingerprints(report_.findings, report_.buffers);
  std::set<std::string> used;
  json_.object([&] {
    text("version", WARPLINT_VERSION);
    text("closing", closingLine(report_, refuted_));
    json_.attributeArray("findings", [&] {
      for (size_t i = 0; i < prints.size(); ++i) {
        const Finding &finding = report_.findings[i];
        if (!isShown(finding))
          continue;
        used.insert(finding.check);
        json_.object([&] { writeFinding(finding, prints[i].text); });
      }
    });
    json_.attributeArray("files", [&] { writeFiles(); });
    json_.attributeArray("checks", [&] {
      for (const Check &check : checks())
        if (used.count(std::string(check.info.id)))
          json_.object([&] { writeCheck(check.info); });
    });
    json_.attributeObject("resources", [&] { writeResources(); });
    json_.attributeArray("unread", [&] { writeUnread(); });
    texts("notes", report_.notes);
  });
}

} // namespace

void printPage(const Report &report, const ReportContext &around, bool refuted,
               const std::string &root, raw_ostream &out) {
  std::string data;
  raw_string_ostream into(data);
  Writer(report, around, refuted, root, into).write();
  auto [before, after] = StringRef(pageTemplate).split("{{data}}");
  out << before;
  // In JSON, '<' occurs only in strings; it must not end the script element.
  for (StringRef rest = data; !rest.empty();) {
    StringRef piece = rest.take_until([](char c) { return c == '<'; });
    out << piece;
    rest = rest.drop_front(piece.size());
    if (rest.consume_front("<"))
      out << "\\u003c";
  }
  out << after;
}

} // namespace warplint
