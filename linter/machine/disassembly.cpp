#include "machine/disassembly.h"
#include "base/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace warplint {
namespace {

constexpr StringLiteral tableMark = "// ";

/// The columns of one register file in the table behind the code.
struct FileColumns {
  RegisterFile file = RegisterFile::General;
  size_t begin = 0, end = 0; ///< between its bars
  size_t count = 0;          ///< the column of '#', where the count ends
  /// By column from `begin`, the register's number.
  std::vector<std::pair<size_t, unsigned>> registers;
};

std::optional<RegisterFile> fileNamed(StringRef name) {
  static const std::pair<StringRef, RegisterFile> names[] = {
      {"GPR", RegisterFile::General},
      {"PRED", RegisterFile::Predicate},
      {"UGPR", RegisterFile::Uniform},
      {"UPRED", RegisterFile::UniformPredicate}};
  for (auto &[known, file] : names)
    if (name == known)
      return file;
  return std::nullopt;
}

/// The head of a section's table: names of files, then the registers' numbers
/// from top to bottom.
class TableHead {
public:
  void add(StringRef row) { rows_.push_back(row); }
  void clear() { rows_.clear(); }

  std::vector<FileColumns> columns() const {
    std::vector<FileColumns> found;
    if (rows_.empty())
      return found;
    const auto names =
        find_if(rows_, [](StringRef row) { return row.contains("GPR"); });
    const auto numbers =
        find_if(rows_, [](StringRef row) { return row.contains('#'); });
    if (names == rows_.end() || numbers == rows_.end())
      return found;
    size_t begin = names->find('|');
    while (begin != StringRef::npos) {
      const size_t end = names->find('|', begin + 1);
      if (end == StringRef::npos)
        break;
      if (auto file = fileNamed(names->slice(begin + 1, end).trim()))
        found.push_back(columnsOf(*file, begin + 1, end, *numbers));
      begin = end;
    }
    return found;
  }

private:
  FileColumns columnsOf(RegisterFile file, size_t begin, size_t end,
                        StringRef lastRow) const {
    FileColumns columns{file, begin, end, lastRow.find('#', begin), {}};
    if (columns.count == StringRef::npos || columns.count >= end)
      return columns;
    for (size_t at = columns.count + 1; at < std::min(end, lastRow.size());
         ++at) {
      if (!isDigit(lastRow[at]))
        continue;
      unsigned number = 0;
      for (StringRef row : rows_)
        if (at < row.size() && isDigit(row[at]))
          number = 10 * number + (row[at] - '0');
      columns.registers.push_back({at, number});
    }
    return columns;
  }

  std::vector<StringRef> rows_;
};

RegisterUse useOf(char mark) {
  switch (mark) {
  case ':':
    return RegisterUse::Live;
  case 'v':
    return RegisterUse::Read;
  case '^':
    return RegisterUse::Written;
  case 'x':
    return RegisterUse::ReadAndWritten;
  default:
    return RegisterUse::Dead;
  }
}

void readUses(StringRef row, ArrayRef<FileColumns> columns,
              MachineInstruction &instruction) {
  for (const FileColumns &column : columns) {
    if (column.count >= row.size())
      continue;
    const unsigned file = unsigned(column.file);
    unsigned live = 0;
    if (!row.slice(column.begin, column.count + 1)
             .trim()
             .getAsInteger(10, live))
      instruction.liveCounts[file] = live;
    std::vector<RegisterUse> &uses = instruction.uses[file];
    if (!column.registers.empty())
      uses.resize(column.registers.back().second + 1, RegisterUse::Dead);
    for (auto [at, number] : column.registers)
      if (at < row.size() && number < uses.size())
        uses[number] = useOf(row[at]);
  }
}

/// `//## File "a.cu", line 3 inlined at "b.cu", line 7`: the first of the two;
/// the second has a comment of its own behind it.
std::optional<Place> placeIn(StringRef line) {
  StringRef rest = line.trim();
  if (!rest.consume_front("//## File \""))
    return std::nullopt;
  Place place;
  auto [file, after] = rest.split('"');
  place.file = file.str();
  if (!after.consume_front(", line ") || after.consumeInteger(10, place.line))
    return std::nullopt;
  return place;
}

/// The labels in "`(.L_x_2)" and in `(*"BRANCH_TARGETS .L_x_1,.L_x_2"*)`.
SmallVector<StringRef> labelsIn(StringRef operands) {
  SmallVector<StringRef> labels;
  if (const size_t at = operands.find("`("); at != StringRef::npos)
    labels.push_back(operands.substr(at + 2).take_until(
        [](char c) { return c == ')' || c == '+' || c == ' '; }));
  StringRef table = operands.split("BRANCH_TARGETS ").second;
  table.take_until([](char c) { return c == '"'; })
      .split(labels, ',', -1, false);
  return labels;
}

class Reader {
public:
  std::vector<MachineFunction> read(StringRef text) {
    while (!text.empty()) {
      StringRef line;
      std::tie(line, text) = text.split('\n');
      readLine(line);
    }
    endFunction();
    return std::move(functions_);
  }

private:
  void readLine(StringRef line) {
    if (line.ltrim().starts_with("//##"))
      return readPlace(line);
    auto [code, row] = splitTable(line);
    code = code.trim();
    // ".sectioninfo" below sm_90 is another directive.
    const StringRef directive = code.take_until(isSpace);
    if (directive == ".section") {
      endFunction();
      StringRef name =
          code.substr(directive.size()).trim().take_until([](char c) {
            return c == ',';
          });
      isInCode_ = name.consume_front(".text.");
      if (isInCode_)
        functions_.emplace_back().name = name.str();
      return;
    }
    if (!isInCode_)
      return;
    if (code.empty())
      return readHead(row);
    if (code.starts_with("/*"))
      return readInstruction(code, row);
    if (code.ends_with(":"))
      readLabel(code.drop_back());
  }

  /// The code, and the table's row behind it.
  std::pair<StringRef, StringRef> splitTable(StringRef line) const {
    const size_t at = line.find(tableMark);
    if (at == StringRef::npos || !line.substr(at + 3).starts_with("|"))
      return {line.take_front(at), ""};
    return {line.take_front(at), line.substr(at + tableMark.size())};
  }

  void readHead(StringRef row) {
    if (row.empty() || hasHead_)
      return;
    head_.add(row);
    hasHead_ = row.contains('#');
    if (hasHead_)
      columns_ = head_.columns();
    functions_.back().hasLiveness = !columns_.empty();
  }

  void readPlace(StringRef line) {
    if (arePlacesUsed_)
      places_.clear();
    arePlacesUsed_ = false;
    if (auto place = placeIn(line))
      places_.push_back(std::move(*place));
  }

  void readInstruction(StringRef code, StringRef row) {
    MachineInstruction instruction;
    StringRef offset;
    std::tie(offset, code) = code.drop_front(2).split("*/");
    if (offset.getAsInteger(16, instruction.offset))
      return;
    static_cast<MachineText &>(instruction) = machineText(code);
    if (instruction.opcode.empty())
      return;
    instruction.places = places_;
    arePlacesUsed_ = true;
    readUses(row, columns_, instruction);
    functions_.back().instructions.push_back(std::move(instruction));
  }

  void readLabel(StringRef name) {
    MachineFunction &function = functions_.back();
    const size_t next = function.instructions.size();
    labels_[name] = next;
    if (name.starts_with("$"))
      function.callees.push_back({name.str(), next});
  }

  void endFunction() {
    if (isInCode_) {
      MachineFunction &function = functions_.back();
      for (MachineInstruction &instruction : function.instructions)
        for (StringRef label : labelsIn(instruction.operands))
          if (auto found = labels_.find(label);
              found != labels_.end() &&
              found->second < function.instructions.size())
            instruction.targets.push_back(found->second);
    }
    labels_.clear();
    head_.clear();
    columns_.clear();
    places_.clear();
    hasHead_ = isInCode_ = arePlacesUsed_ = false;
  }

  std::vector<MachineFunction> functions_;
  StringMap<size_t> labels_; ///< of the current section, by name
  TableHead head_;
  std::vector<FileColumns> columns_;
  std::vector<Place> places_;
  bool hasHead_ = false, isInCode_ = false, arePlacesUsed_ = false;
};

/// "nvdisasm fatal   : ..." or "nvdisasm error   : ...".
std::string messageIn(StringRef text) {
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    if (line.consume_front("nvdisasm ") &&
        (line.starts_with("fatal") || line.starts_with("error")))
      return line.split(':').second.trim().str();
  }
  return "";
}

} // namespace

MachineText machineText(StringRef code) {
  MachineText text;
  code = code.trim();
  // "{" and "}" join instructions that are issued together.
  code.consume_front("{");
  code = code.trim();
  code = code.take_until([](char c) { return c == ';'; }).trim();
  if (code.consume_front("@")) {
    std::tie(text.guard, code) = code.split(' ');
    code = code.ltrim();
  }
  std::tie(text.opcode, text.operands) = code.split(' ');
  text.operands = text.operands.trim();
  return text;
}

bool MachineText::hasSuffix(StringRef suffix) const {
  SmallVector<StringRef> parts;
  opcode.split(parts, '.');
  return is_contained(ArrayRef(parts).drop_front(), suffix);
}

std::vector<StringRef> MachineText::operandList() const {
  std::vector<StringRef> list;
  unsigned depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at < operands.size(); ++at) {
    const char c = operands[at];
    if (c == '[' || c == '(')
      ++depth;
    else if ((c == ']' || c == ')') && depth)
      --depth;
    else if (c == ',' && !depth) {
      list.push_back(operands.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  if (StringRef last = operands.substr(begin).trim(); !last.empty())
    list.push_back(last);
  return list;
}

StringRef MachineFunction::functionAt(size_t instruction) const {
  StringRef name;
  for (const MachineCallee &callee : callees)
    if (callee.first <= instruction)
      name = callee.name;
  return name;
}

std::optional<size_t> MachineFunction::at(uint64_t offset) const {
  const auto found = lower_bound(instructions, offset,
                                 [](const MachineInstruction &one,
                                    uint64_t at) { return one.offset < at; });
  if (found == instructions.end() || found->offset != offset)
    return std::nullopt;
  return found - instructions.begin();
}

Expected<std::vector<MachineFunction>> readDisassembly(StringRef text) {
  std::vector<MachineFunction> functions = Reader().read(text);
  if (!functions.empty())
    return functions;
  const std::string message = messageIn(text);
  return failure(message.empty() ? "nvdisasm printed no code"
                                 : "nvdisasm stopped: " + message);
}

} // namespace warplint
