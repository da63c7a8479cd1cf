#include "report/markdown_page.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace warplint {

std::string markdownPage(const CheckInfo &info) {
  std::string page;
  auto section = [&](StringRef title, std::string_view text, bool isCode) {
    StringRef words = StringRef(text).trim('\n');
    if (words.empty())
      return;
    page += ((page.empty() ? "**" : "\n\n**") + title + "**\n\n" +
             (isCode ? "```cuda\n" : "") + words + (isCode ? "\n```" : ""))
                .str();
  };
  section("Why it costs", info.why, false);
  section("Slow", info.slow, true);
  section("Fast", info.fast, true);
  section("What to do", info.cures, false);
  section("When it is not worth it", info.whenNot, false);
  section("In Nsight Compute", info.ncu, false);
  return page;
}

} // namespace warplint
