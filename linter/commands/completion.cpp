#include "commands/completion.h"
#include "base/failure.h"
#include "commands/command_line.h"
#include "findings/check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {
namespace {

/// The ids that `--check` and `explain` take.
std::string checkIds() {
  std::vector<std::string> ids;
  for (const Check &check : checks())
    ids.emplace_back(check.info.id);
  return join(ids, " ");
}

/// The shell's offers for a value: words, or else files or folders.
std::string wordsOf(const ValueInfo &value) {
  return value.kind == ValueKind::Check   ? checkIds()
         : value.kind == ValueKind::OneOf ? join(value.words, " ")
                                          : "";
}

/// All spellings: "-o --output".
std::vector<std::string> spellings(const CLI::Option &option) {
  std::vector<std::string> all;
  for (const std::string &name : option.get_snames())
    all.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    all.push_back("--" + name);
  return all;
}

std::vector<const CLI::Option *> shownOptions(const CommandLine &line) {
  std::vector<const CLI::Option *> all;
  for (const OptionGroup &group : optionGroups())
    append_range(all, line.optionsOf(group.title));
  return all;
}

std::string commandNames() {
  std::vector<std::string> names;
  for (const CommandInfo &command : allCommands())
    names.push_back(command.spelling);
  return join(names, " ");
}

/// A word in single quotes, as the three shells read it; fish also reads
/// backslashes in there.
std::string shellWord(StringRef text, bool isFish = false) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'')
      result += isFish ? "\\'" : "'\\''";
    else if (c == '\\' && isFish)
      result += "\\\\";
    else
      result += c;
  }
  return result + "'";
}

// ---- bash

std::string bashReply(const ValueInfo &value) {
  const std::string words = wordsOf(value);
  if (!words.empty())
    return "COMPREPLY=($(compgen -W '" + words + "' -- \"$current\"))";
  if (value.kind == ValueKind::File)
    return "_warplint_files -f";
  if (value.kind == ValueKind::Folder)
    return "_warplint_files -d";
  return ":";
}

void printBashCommand(const CommandInfo &command, raw_ostream &out) {
  const CommandLine line(command.name);
  std::vector<std::string> names;
  out << "  " << command.spelling << ")\n    case \"$previous\" in\n";
  for (const CLI::Option *option : shownOptions(line)) {
    append_range(names, spellings(*option));
    if (takesValue(*option))
      out << "    " << join(spellings(*option), "|") << ") "
          << bashReply(line.values.at(option)) << "; return ;;\n";
  }
  out << "    esac\n    if [[ $current == -* ]]; then\n"
      << "      COMPREPLY=($(compgen -W '" << join(names, " ")
      << "' -- \"$current\"))\n    else\n      " << bashReply(line.words)
      << "\n    fi ;;\n";
}

std::string bashScript() {
  std::string script;
  raw_string_ostream out(script);
  out << "# bash completion of warplint, made by 'warplint completion bash'\n"
         "_warplint_files() {\n"
         "  compopt -o filenames 2>/dev/null\n"
         "  mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$current\")\n"
         "}\n"
         "_warplint() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} "
         "previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  COMPREPLY=()\n"
         // bash divides words at '=' as well: --format=json are three.
         "  if [[ $current == = ]]; then current=; fi\n"
         "  if [[ $previous == = ]] && ((COMP_CWORD > 1)); then "
         "previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    COMPREPLY=($(compgen -W '"
      << commandNames() << " --help --help-all --version"
      << "' -- \"$current\"))\n    return\n  fi\n"
      << "  case \"${COMP_WORDS[1]}\" in\n";
  for (const CommandInfo &command : allCommands())
    printBashCommand(command, out);
  out << "  esac\n}\ncomplete -F _warplint warplint\n";
  return script;
}

// ---- zsh

/// Escapes what _arguments reads as its own marks.
std::string zshText(StringRef text) {
  std::string result;
  for (char c : text) {
    if (StringRef("[]:\\").contains(c))
      result += '\\';
    result += c;
  }
  return result;
}

std::string zshAction(const ValueInfo &value) {
  const std::string words = wordsOf(value);
  return !words.empty()                    ? "(" + words + ")"
         : value.kind == ValueKind::File   ? "_files"
         : value.kind == ValueKind::Folder ? "_files -/"
                                           : " ";
}

void printZshCommand(const CommandInfo &command, raw_ostream &out) {
  const CommandLine line(command.name);
  out << "  " << command.spelling << ")\n    _arguments -s";
  for (const CLI::Option *option : shownOptions(line))
    for (const std::string &name : spellings(*option)) {
      const bool isLong = StringRef(name).starts_with("--");
      std::string spec = "*" + name;
      if (takesValue(*option))
        spec += isLong ? "=" : "+";
      spec += "[" + zshText(option->get_description()) + "]";
      if (takesValue(*option))
        spec += ":" + zshText(option->get_option_text()) + ":" +
                zshAction(line.values.at(option));
      out << " \\\n      " << shellWord(spec);
    }
  out << " \\\n      " << shellWord("*:word:" + zshAction(line.words))
      << " ;;\n";
}

std::string zshScript() {
  std::string script;
  raw_string_ostream out(script);
  out << "#compdef warplint\n"
         "# zsh completion of warplint, made by 'warplint completion zsh'\n"
         "_warplint() {\n"
         "  local -a commands\n"
         "  commands=(";
  for (const CommandInfo &command : allCommands())
    out << "\n    "
        << shellWord(std::string(command.spelling) + ":" +
                     zshText(command.summary));
  out << ")\n"
         "  if ((CURRENT == 2)); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $command in\n";
  for (const CommandInfo &command : allCommands())
    printZshCommand(command, out);
  // Autoloaded from a folder of $fpath, the file is the function's body.
  out << "  esac\n}\n"
         "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
         "  _warplint \"$@\"\n"
         "else\n"
         "  compdef _warplint warplint\n"
         "fi\n";
  return script;
}

// ---- fish

std::string fishArgument(const ValueInfo &value) {
  const std::string words = wordsOf(value);
  return !words.empty() ? " -x -a " + shellWord(words, /*isFish=*/true)
         : value.kind == ValueKind::File ? " -r -F"
         : value.kind == ValueKind::Folder
             ? " -x -a '(__fish_complete_directories)'"
             : " -x";
}

void printFishCommand(const CommandInfo &command, raw_ostream &out) {
  const CommandLine line(command.name);
  const std::string condition =
      " -n '__fish_seen_subcommand_from " + std::string(command.spelling) + "'";
  for (const CLI::Option *option : shownOptions(line)) {
    out << "complete -c warplint" << condition;
    for (const std::string &name : option->get_snames())
      out << " -s " << name;
    for (const std::string &name : option->get_lnames())
      out << " -l " << name;
    if (takesValue(*option))
      out << fishArgument(line.values.at(option));
    out << " -d " << shellWord(option->get_description(), /*isFish=*/true)
        << '\n';
  }
  const std::string words = wordsOf(line.words);
  if (!words.empty())
    out << "complete -c warplint" << condition << " -f -a "
        << shellWord(words, /*isFish=*/true) << '\n';
  else if (line.words.kind == ValueKind::Text)
    out << "complete -c warplint" << condition << " -f\n";
}

std::string fishScript() {
  std::string script;
  raw_string_ostream out(script);
  out << "# fish completion of warplint, made by 'warplint completion fish'\n";
  for (const CommandInfo &command : allCommands())
    out << "complete -c warplint -f -n __fish_use_subcommand -a "
        << command.spelling << " -d "
        << shellWord(command.summary, /*isFish=*/true) << '\n';
  for (const CommandInfo &command : allCommands())
    printFishCommand(command, out);
  return script;
}

} // namespace

Expected<std::string> completionScript(StringRef shell) {
  if (shell == "bash")
    return bashScript();
  if (shell == "zsh")
    return zshScript();
  if (shell == "fish")
    return fishScript();
  return failure("'completion' takes a shell, bash, zsh or fish, not '" +
                 shell + "'");
}

} // namespace warplint
