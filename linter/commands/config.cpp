#include "base/failure.h"
#include "base/folders.h"
#include "base/printable.h"
#include "base/short_number.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "report/text.h"
#include "run/settings.h"
#include "version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

namespace {

StringRef view(std::string_view text) {
  return StringRef(text.data(), text.size());
}

/// "off", "likely".
const char *wordFor(const CheckSettings &check) {
  return check.on.value ? spelling(check.level.value) : "off";
}

class Table {
public:
  Table(const std::string &folder, raw_ostream &out)
      : folder_(folder), out_(out) {}

  void row(StringRef name, StringRef value, const Origin &from) {
    out_ << formatv("{0,-28} {1,-12} {2}\n", printable(name), printable(value),
                    printable(text(from)));
  }
  void title(StringRef text) { out_ << '\n' << text << '\n'; }

  void print(const Settings &settings);

private:
  std::string text(const Origin &from) const {
    if (from.onCommandLine)
      return "command line";
    if (from.file.empty())
      return "default";
    const StringRef file = shownPath(from.file, folder_);
    return from.line ? formatv("{0}:{1}", file, from.line).str() : file.str();
  }

  const std::string &folder_;
  raw_ostream &out_;
};

void Table::print(const Settings &settings) {
  title("checks");
  for (const CheckSettings &check : settings.checks) {
    row(("  " + view(check.check->info.id)).str(), wordFor(check),
        check.on.from);
    if (check.threshold)
      row(("    " + view(check.check->info.threshold->name)).str(),
          std::to_string(check.threshold->value), check.threshold->from);
  }
  title("architectures");
  const auto &architectures = settings.architectures;
  row("",
      architectures.value.empty() ? "the build's"
                                  : join(architectures.value, ", "),
      architectures.from);
  title("least share of a kernel's time");
  row("", shortNumber(settings.leastShare.value * 100) + " %",
      settings.leastShare.from);
  title("blocks of kernels whose launch is not seen");
  for (const Setting<KernelBlock> &block : settings.blocks)
    row("  " + block.value.pattern, block.value.block, block.from);
  row("  all others", "256", {});
  title("skipped paths");
  for (const PathSetting &pattern : settings.skip)
    row("  " + pattern.value, "", pattern.from);
  if (settings.skip.empty())
    row("", "none", {});
  title("headers that findings are reported in");
  if (!settings.headers)
    row("", "all", {});
  else if (settings.headers->empty())
    row("", "none", {settings.files.front()});
  else
    for (const PathSetting &pattern : *settings.headers)
      row("  " + pattern.value, "", pattern.from);
}

void printOrigin(StringRef key, const Origin &from, json::OStream &json) {
  json.attributeObject(key, [&] {
    json.attribute("kind", from.onCommandLine  ? "command line"
                           : from.file.empty() ? "default"
                                               : "file");
    if (from.file.empty())
      return;
    json.attribute("file", json::fixUTF8(from.file));
    json.attribute("line", from.line);
  });
}

void printCheck(const CheckSettings &check, json::OStream &json) {
  json.attribute("id", view(check.check->info.id));
  json.attribute("on", check.on.value);
  printOrigin("from", check.on.from, json);
  json.attribute("level", spelling(check.level.value));
  printOrigin("levelFrom", check.level.from, json);
  if (!check.threshold)
    return;
  const Threshold &threshold = *check.check->info.threshold;
  json.attributeObject("threshold", [&] {
    json.attribute("name", view(threshold.name));
    json.attribute("value", check.threshold->value);
    json.attribute("low", threshold.low);
    json.attribute("high", threshold.high);
    json.attribute("what", view(threshold.what));
    printOrigin("from", check.threshold->from, json);
  });
}

void printPatterns(StringRef key, ArrayRef<PathSetting> patterns,
                   json::OStream &json) {
  json.attributeArray(key, [&] {
    for (const PathSetting &pattern : patterns)
      json.object([&] {
        json.attribute("pattern", json::fixUTF8(pattern.value));
        printOrigin("from", pattern.from, json);
      });
  });
}

void printJson(const std::string &file, const Settings &settings,
               raw_ostream &out) {
  json::OStream json(out, 2);
  json.object([&] {
    json.attribute("warplint", WARPLINT_VERSION);
    json.attribute("file", json::fixUTF8(file));
    json.attribute("skipped", settings.skips(file) != nullptr);
    json.attributeArray("configurations", [&] {
      for (const std::string &from : settings.files)
        json.value(json::fixUTF8(from));
    });
    json.attributeArray("checks", [&] {
      for (const CheckSettings &check : settings.checks)
        json.object([&] { printCheck(check, json); });
    });
    json.attributeObject("architectures", [&] {
      json.attributeArray("names", [&] {
        for (const std::string &name : settings.architectures.value)
          json.value(name);
      });
      printOrigin("from", settings.architectures.from, json);
    });
    json.attributeObject("minShare", [&] {
      json.attribute("percent", settings.leastShare.value * 100);
      printOrigin("from", settings.leastShare.from, json);
    });
    json.attributeArray("blocks", [&] {
      for (const Setting<KernelBlock> &block : settings.blocks)
        json.object([&] {
          json.attribute("kernel", json::fixUTF8(block.value.pattern));
          json.attribute("block", block.value.block);
          printOrigin("from", block.from, json);
        });
    });
    printPatterns("skip", settings.skip, json);
    if (settings.headers)
      printPatterns("headers", *settings.headers, json);
  });
  out << '\n';
}

} // namespace

static Error printConfig(const Options &options, const std::string &folder,
                         raw_ostream &out) {
  SmallString<256> path(options.sources.paths.front());
  if (!sys::fs::exists(path))
    return failure("'" + path + "' does not exist");
  sys::fs::make_absolute(path);
  sys::path::remove_dots(path, true);
  const std::string file = path.str().str();
  // The settings of a folder are those of a source in it.
  if (sys::fs::is_directory(path))
    sys::path::append(path, "source.cu");
  Configurations configurations(options.settings);
  auto found = configurations.of(path);
  if (!found)
    return found.takeError();
  const Settings &settings = **found;
  if (options.output.format == Format::Json) {
    printJson(file, settings, out);
    return Error::success();
  }
  out << printablePath(file, folder) << ": ";
  if (settings.files.empty())
    out << "no " << configName;
  for (size_t i = 0; i < settings.files.size(); ++i)
    out << (i ? ", then " : "") << printablePath(settings.files[i], folder);
  out << '\n';
  if (const PathSetting *skip = settings.skips(file))
    out << formatv("skipped, unless it is named: '{0}' at {1}:{2}\n",
                   printable(skip->value),
                   printablePath(skip->from.file, folder), skip->from.line);
  Table(folder, out).print(settings);
  return Error::success();
}

int runConfig(const Options &options, raw_ostream &out, raw_ostream &err) {
  if (Error error = printConfig(options, currentFolder(), out))
    return fail(std::move(error), err);
  return int(ExitCode::Clean);
}

} // namespace warplint
