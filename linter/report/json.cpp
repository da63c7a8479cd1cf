#include "report/json.h"
#include "report/fields.h"
#include "report/resources/resource_diff.h"
#include "version.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace warplint {

static void printPlace(const Place &place, json::OStream &json) {
  json.attribute("file", utf8(place.file));
  json.attribute("line", place.line);
  json.attribute("column", place.column);
}

static void printTexts(StringRef key, const std::vector<std::string> &texts,
                       json::OStream &json) {
  json.attributeArray(key, [&] {
    for (const std::string &text : texts)
      json.value(utf8(text));
  });
}

static void printKernel(const FindingKernel &kernel, json::OStream &json) {
  json.attribute("name", utf8(kernel.name));
  json.attribute("mangled", utf8(kernel.mangled));
  json.attribute("arch", utf8(kernel.architecture));
  json.attribute("verdict", spelling(kernel.judgement.verdict));
  json.attribute("evidence", utf8(kernel.judgement.evidence));
  json.attribute("condition", utf8(kernel.judgement.condition));
  if (kernel.share)
    json.attribute("share", *kernel.share);
}

static void printEdit(const Fix &fix, json::OStream &json) {
  json.attribute("class", spelling(fix.kind));
  json.attribute("assumes", utf8(fix.assumes));
  json.attribute("proof", spelling(fix.proof));
  json.attribute("why", utf8(fix.why));
  json.attributeArray("edits", [&] {
    for (const Edit &edit : fix.edits)
      json.object([&] {
        printPlace(edit.begin, json);
        json.attribute("endLine", edit.end.line);
        json.attribute("endColumn", edit.end.column);
        json.attribute("offset", edit.offset);
        json.attribute("length", edit.length);
        json.attribute("text", utf8(edit.text));
      });
  });
}

static void printFinding(const Finding &finding, json::OStream &json) {
  json.attribute("check", utf8(finding.check));
  json.attribute("level", spelling(finding.level));
  json.attribute("verdict", spelling(finding.verdict()));
  json.attribute("condition", utf8(finding.condition()));
  printPlace(finding.place, json);
  json.attribute("message", utf8(finding.message));
  printTexts("notes", finding.notes, json);
  json.attribute("fix", utf8(finding.fix));
  if (finding.edit)
    json.attributeObject("edit", [&] { printEdit(*finding.edit, json); });
  json.attribute("about", utf8(finding.about));
  json.attribute("weight", finding.weight);
  if (finding.share)
    json.attribute("share", *finding.share);
  json.attribute("minor", finding.minor);
  json.attribute("part", finding.isPart);
  json.attribute("cost", utf8(finding.cost));
  if (!finding.launch.empty())
    json.attribute("launch", utf8(finding.launch));
  json.attribute("object", utf8(finding.object));
  json.attribute("cause", utf8(finding.cause));
  json.attributeArray("places", [&] {
    json.object([&] { printPlace(finding.place, json); });
    for (const Place &place : finding.places)
      json.object([&] { printPlace(place, json); });
  });
  json.attributeArray("callSites", [&] {
    for (const Place &place : finding.callSites)
      json.object([&] { printPlace(place, json); });
  });
  json.attributeArray("kernels", [&] {
    for (const FindingKernel &kernel : finding.kernels)
      json.object([&] { printKernel(kernel, json); });
  });
}

static void printUnread(const UnreadSource &unread, json::OStream &json) {
  json.attribute("source", utf8(unread.source));
  json.attribute("readInPart", unread.anyKernelRead);
  json.attribute("firstError", utf8(unread.firstError));
}

static void printUnreadKernel(const UnreadKernel &unread, json::OStream &json) {
  json.attribute("source", utf8(unread.source));
  json.attribute("name", utf8(unread.name));
  json.attribute("why", utf8(unread.why));
}

static void printSummary(const Report &report, json::OStream &json) {
  unsigned confirmed = 0, unjudged = 0, refuted = 0;
  for (const Finding &finding : report.findings)
    ++(finding.verdict() == Verdict::Confirmed  ? confirmed
       : finding.verdict() == Verdict::Unjudged ? unjudged
                                                : refuted);
  json.attribute("sources", report.sourcesRead);
  json.attribute("kernels", report.kernelsRead);
  json.attribute("kernelsInPart", report.kernelsInPart);
  json.attribute("kernelTemplatesIdle", report.kernelTemplatesIdle);
  json.attribute("findings", confirmed + unjudged);
  json.attribute("confirmed", confirmed);
  json.attribute("unjudged", unjudged);
  json.attribute("refuted", refuted);
  json.attribute("allowed", report.allowed);
  if (report.beyond)
    json.attribute("beyond", report.beyond);
}

void printJson(const Report &report, bool refuted, raw_ostream &out) {
  json::OStream json(out, /*IndentSize=*/2);
  json.objectBegin();
  json.attribute("warplint", WARPLINT_VERSION);
  json.attribute("schema", jsonSchema);
  json.attributeArray("findings", [&] {
    for (const Finding &finding : report.findings)
      if (refuted || finding.verdict() != Verdict::Refuted)
        json.object([&] { printFinding(finding, json); });
  });
  json.attributeArray("unread", [&] {
    for (const UnreadSource &unread : report.unread)
      json.object([&] { printUnread(unread, json); });
  });
  json.attributeArray("unreadKernels", [&] {
    for (const UnreadKernel &unread : report.unreadKernels)
      json.object([&] { printUnreadKernel(unread, json); });
  });
  printTexts("notes", report.notes, json);
  json.attributeObject("summary", [&] { printSummary(report, json); });
  json.objectEnd();
  out << '\n';
}

} // namespace warplint
