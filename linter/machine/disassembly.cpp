#include "machine/disassembly.h"
#include "base/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace warplint {
namespace {

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
    // "BRX R2 -0x10 (*"BRANCH_TARGETS ..."*)" and labels have no such comment.
    const StringRef code = line.take_front(line.find("// ")).trim();
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
    if (code.starts_with("/*"))
      return readInstruction(code);
    if (code.ends_with(":"))
      readLabel(code.drop_back());
  }

  void readPlace(StringRef line) {
    if (arePlacesUsed_)
      places_.clear();
    arePlacesUsed_ = false;
    if (auto place = placeIn(line))
      places_.push_back(std::move(*place));
  }

  void readInstruction(StringRef code) {
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
    places_.clear();
    isInCode_ = arePlacesUsed_ = false;
  }

  std::vector<MachineFunction> functions_;
  StringMap<size_t> labels_; ///< of the current section, by name
  std::vector<Place> places_;
  bool isInCode_ = false, arePlacesUsed_ = false;
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
