#include "commands/help.h"
#include "commands/command_line.h"
#include "version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {
namespace {

constexpr const char *about =
    "finds what makes CUDA and Kokkos kernels slow, and judges its findings by "
    "the compiled code";

struct Example {
  const char *command, *what;
};

constexpr Example examples[] = {
    {"warplint check src/", "a folder"},
    {"warplint check -p build --refuted src/gather.cu",
     "one source, as the build compiles it"},
    {"warplint check -p build --format html -o report.html", "one HTML page"},
    {"warplint accesses --format csv gather.cu -- -Iinclude -arch=sm_90",
     "the sectors of each access"},
    {"make 2>&1 | warplint resources - --deny 'spill > 0'",
     "a gate on registers"},
    {"cmake -DCMAKE_CUDA_COMPILER_LAUNCHER='warplint;wrap;--' ...",
     "lint during the build"},
};

struct ExitMeaning {
  const char *code, *meaning;
};

constexpr ExitMeaning exitCodes[] = {
    {"0", "no findings"},
    {"1", "findings, confirmed or unjudged"},
    {"2", "warplint itself failed"},
    {"3", "no findings, but some source could not be read whole"},
};

constexpr const char *exitOfWrap =
    "'wrap' ends as the compiler does, or with 1 if a finding is denied";

/// Prints `text` in lines of 80 columns, those after the first below `indent`.
void printWrapped(StringRef text, unsigned indent, raw_ostream &out) {
  constexpr unsigned width = 80;
  unsigned column = indent;
  SmallVector<StringRef> words;
  text.split(words, ' ');
  for (size_t i = 0; i < words.size(); ++i) {
    if (i && column + 1 + words[i].size() > width) {
      out << '\n';
      out.indent(indent);
      column = indent;
    } else if (i) {
      out << ' ';
      ++column;
    }
    out << words[i];
    column += words[i].size();
  }
  out << '\n';
}

void printOption(const CLI::Option &option, raw_ostream &out) {
  constexpr unsigned column = 28;
  std::string names = (option.get_snames().empty() ? "      " : "  ");
  names += spelt(option);
  if (names.size() + 1 < column) {
    out << left_justify(names, column);
  } else {
    out << names << '\n';
    out.indent(column);
  }
  printWrapped(option.get_description(), column, out);
}

/// Returns the number of options that are left out.
size_t printGroups(const CommandLine &line, bool all, raw_ostream &out) {
  size_t leftOut = 0;
  for (const OptionGroup &group : optionGroups()) {
    const std::vector<const CLI::Option *> options =
        line.optionsOf(group.title);
    if (group.isRare && !all) {
      leftOut += options.size();
      continue;
    }
    if (options.empty())
      continue;
    out << '\n' << group.title << ":\n";
    for (const CLI::Option *option : options)
      printOption(*option, out);
  }
  return leftOut;
}

void printExitCodes(raw_ostream &out) {
  out << "\nexit codes:\n";
  for (const ExitMeaning &each : exitCodes)
    out << "  " << each.code << "  " << each.meaning << '\n';
  out << "  " << exitOfWrap << '\n';
}

/// Escapes what troff would take for its own words.
std::string troff(StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool isLineStart = i == 0 || text[i - 1] == '\n';
    if (isLineStart && (c == '.' || c == '\''))
      result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'')
      result += "\\(aq";
    else
      result += c;
  }
  return result;
}

/// An argument of a macro, which ends at a quotation mark.
std::string troffArgument(StringRef text) {
  std::string result;
  for (char c : troff(text))
    result += c == '"' ? "\\(dq" : std::string(1, c);
  return "\"" + result + "\"";
}

void printManualOf(const CommandInfo &command, raw_ostream &out) {
  const CommandLine line(command.name);
  out << ".SS " << troffArgument(("warplint " + Twine(command.usage)).str())
      << '\n'
      << troff(command.summary) << ".\n";
  if (*command.words)
    out << ".PP\n.nf\n" << troff(command.words) << "\n.fi\n";
  for (const OptionGroup &group : optionGroups()) {
    const std::vector<const CLI::Option *> options =
        line.optionsOf(group.title);
    if (options.empty())
      continue;
    out << ".PP\n" << troff(group.title) << ":\n";
    for (const CLI::Option *option : options)
      out << ".TP\n.B " << troffArgument(spelt(*option)) << '\n'
          << troff(option->get_description()) << '\n';
  }
}

} // namespace

std::string helpOverview() {
  std::string page;
  raw_string_ostream out(page);
  printWrapped(("warplint: " + Twine(about)).str(), 0, out);
  out << "\ncommands:\n";
  for (const CommandInfo &command : allCommands())
    out << "  " << left_justify(command.spelling, 12) << command.summary
        << '\n';
  out << "\n'warplint COMMAND --help' prints the options of a command;\n"
         "'warplint --help-all' those of all; 'warplint --version' the "
         "release\n"
         "\nexamples:\n";
  for (const Example &example : examples)
    out << "  " << example.command << '\n';
  printExitCodes(out);
  return page;
}

std::string helpOf(CommandName name, bool all) {
  const CommandInfo &command = infoOf(name);
  const CommandLine line(name);
  std::string page;
  raw_string_ostream out(page);
  out << "usage: warplint " << command.usage << "\n\n"
      << command.summary << '\n';
  if (*command.words)
    for (StringRef line : split(command.words, '\n'))
      printWrapped(line, 0, out);
  const size_t leftOut = printGroups(line, all, out);
  if (leftOut)
    out << "\n'warplint " << command.spelling << " --help-all' prints "
        << leftOut << " more\n";
  return page;
}

std::string helpOfAll() {
  std::string page = helpOverview();
  for (const CommandInfo &command : allCommands())
    page += "\n" + helpOf(command.name, /*all=*/true);
  return page;
}

std::string manualPage() {
  std::string page;
  raw_string_ostream out(page);
  out << ".TH WARPLINT 1 \"\" \"warplint " WARPLINT_VERSION "\" "
      << "\"User Commands\"\n"
      << ".SH NAME\nwarplint \\- static performance linter for CUDA and "
         "Kokkos\n.SH SYNOPSIS\n";
  for (const CommandInfo &command : allCommands())
    out << ".B warplint\n" << troff(command.usage) << "\n.br\n";
  out << ".SH DESCRIPTION\n"
      << troff(("warplint " + Twine(about) + ".").str()) << '\n'
      << ".SH COMMANDS\n";
  for (const CommandInfo &command : allCommands())
    printManualOf(command, out);
  out << ".SH EXAMPLES\n";
  for (const Example &example : examples)
    out << ".TP\n"
        << troff(example.what) << "\n.B " << troff(example.command) << '\n';
  out << ".SH EXIT STATUS\n";
  for (const ExitMeaning &each : exitCodes)
    out << ".TP\n.B " << each.code << '\n' << troff(each.meaning) << '\n';
  out << ".PP\n" << troff(exitOfWrap) << '\n';
  out << ".SH FILES\n.TP\n.I .warplint.yaml\nthe configuration of a folder and "
         "those below it\n"
         ".TP\n.I .warplint\\-baseline.json\nfindings that "
         "\\-\\-baseline leaves out\n"
         ".SH ENVIRONMENT\n.TP\n.B CUDA_PATH\\fR, \\fBCUDA_HOME\nthe CUDA "
         "toolkit\n"
         ".TP\n.B WARPLINT_CACHE_DIR\nthe folder of the cache\n"
         ".TP\n.B WARPLINT_REMOTE_CACHE\nthe URL of a shared cache\n"
         ".TP\n.B NO_COLOR\nno colours\n";
  return page;
}

} // namespace warplint
