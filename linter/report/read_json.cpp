#include "report/read_json.h"
#include "base/parse_json.h"
#include "report/json.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace warplint {

static bool fromJSON(const json::Value &value, Level &level, json::Path path) {
  for (Level one : {Level::Certain, Level::Likely, Level::Opinion})
    if (value.getAsString() == StringRef(spelling(one))) {
      level = one;
      return true;
    }
  path.report("no level");
  return false;
}

static bool fromJSON(const json::Value &value, Verdict &verdict,
                     json::Path path) {
  for (Verdict one : {Verdict::Unjudged, Verdict::Confirmed, Verdict::Refuted})
    if (value.getAsString() == StringRef(spelling(one))) {
      verdict = one;
      return true;
    }
  path.report("no verdict");
  return false;
}

static bool fromJSON(const json::Value &value, Place &place, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("file", place.file) && map.map("line", place.line) &&
         map.map("column", place.column);
}

static bool fromJSON(const json::Value &value, FindingKernel &kernel,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", kernel.name) &&
         map.map("mangled", kernel.mangled) &&
         map.map("arch", kernel.architecture) &&
         map.map("verdict", kernel.judgement.verdict) &&
         map.map("evidence", kernel.judgement.evidence) &&
         map.mapOptional("condition", kernel.judgement.condition) &&
         map.map("share", kernel.share);
}

static bool fromJSON(const json::Value &value, Finding &finding,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && fromJSON(value, finding.place, path) &&
         map.map("check", finding.check) && map.map("level", finding.level) &&
         map.map("message", finding.message) &&
         map.map("notes", finding.notes) && map.map("fix", finding.fix) &&
         map.map("about", finding.about) && map.map("weight", finding.weight) &&
         map.map("share", finding.share) &&
         map.mapOptional("cost", finding.cost) &&
         map.mapOptional("launch", finding.launch) &&
         map.mapOptional("object", finding.object) &&
         map.mapOptional("cause", finding.cause) &&
         map.map("callSites", finding.callSites) &&
         map.map("kernels", finding.kernels);
}

static bool fromJSON(const json::Value &value, UnreadSource &unread,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("source", unread.source) &&
         map.map("readInPart", unread.anyKernelRead) &&
         map.map("firstError", unread.firstError);
}

static bool fromJSON(const json::Value &value, UnreadKernel &unread,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("source", unread.source) &&
         map.map("name", unread.name) && map.map("why", unread.why);
}

static bool readSummary(const json::Value &value, Report &report,
                        json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("sources", report.sourcesRead) &&
         map.map("kernels", report.kernelsRead) &&
         map.mapOptional("kernelsInPart", report.kernelsInPart) &&
         map.mapOptional("kernelTemplatesIdle", report.kernelTemplatesIdle) &&
         map.map("allowed", report.allowed);
}

static bool fromJSON(const json::Value &value, Report &report,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  int schema = 0;
  if (!map || !map.map("schema", schema))
    return false;
  if (schema != jsonSchema) {
    path.field("schema").report("it is of another release of warplint");
    return false;
  }
  const json::Value *summary = value.getAsObject()->get("summary");
  return map.map("findings", report.findings) &&
         map.map("unread", report.unread) &&
         map.map("unreadKernels", report.unreadKernels) &&
         map.map("notes", report.notes) && summary &&
         readSummary(*summary, report, path.field("summary"));
}

Expected<Report> readJson(StringRef text) {
  Expected<json::Value> value = parseJson(text);
  if (!value)
    return value.takeError();
  Report report;
  json::Path::Root root("report");
  if (!fromJSON(*value, report, root))
    return root.getError();
  return report;
}

} // namespace warplint
