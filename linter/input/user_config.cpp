#include "input/user_config.h"
#include "base/failure.h"
#include "base/regular_file.h"
#include "input/yaml.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace warplint {

/// Empty if the environment names no absolute folder for it.
static std::string userConfig() {
  SmallString<128> file(sys::Process::GetEnv("XDG_CONFIG_HOME").value_or(""));
  if (!sys::path::is_absolute(file)) {
    file = sys::Process::GetEnv("HOME").value_or("");
    sys::path::append(file, ".config");
  }
  if (!sys::path::is_absolute(file))
    return "";
  sys::path::append(file, "warplint", "config.yaml");
  return file.str().str();
}

Expected<std::vector<std::string>> compilersTrustedByUser() {
  std::vector<std::string> globs;
  const std::string file = userConfig();
  if (file.empty())
    return globs;
  auto text = readRegularFile(file);
  if (!text)
    return globs;
  auto root = readYaml(file, (*text)->getBuffer());
  if (!root)
    return root.takeError();
  auto fail = [&](unsigned line, unsigned column, const Twine &what) {
    return failure(file + ":" + Twine(line) + ":" + Twine(column) + ": " +
                   what);
  };
  if (root->kind == YamlValue::Text || root->kind == YamlValue::List)
    return fail(root->line, root->column, "'trust-compilers' is missing");
  for (const YamlEntry &entry : root->entries) {
    if (entry.key != "trust-compilers")
      return fail(entry.line, entry.column,
                  "there is no key '" + entry.key +
                      "' here; 'trust-compilers' is the only one");
    std::vector<YamlValue> items = entry.value.items;
    if (entry.value.kind == YamlValue::Text)
      items.push_back(entry.value);
    for (const YamlValue &item : items) {
      if (item.kind != YamlValue::Text)
        return fail(item.line, item.column,
                    "'trust-compilers' is a list of patterns such as "
                    "'/opt/cuda-*/bin/nvcc'");
      globs.push_back(item.text);
    }
  }
  return globs;
}

} // namespace warplint
