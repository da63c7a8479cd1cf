// The table that `nvdisasm -plr -lrm narrow` prints beside the code: for each
// instruction, which registers it marks as live, read or written.
#pragma once
#include "machine/register_uses.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace warplint {

struct PlrRow {
  llvm::StringRef code;
  RegisterSet live, read, written;
};

class PlrTable {
public:
  /// Rows by function and offset.
  static std::map<std::pair<std::string, uint64_t>, PlrRow>
  read(llvm::StringRef text) {
    PlrTable table;
    while (!text.empty()) {
      llvm::StringRef line;
      std::tie(line, text) = text.split('\n');
      table.readLine(line);
    }
    return std::move(table.rows_);
  }

private:
  struct Column {
    RegisterFile file;
    unsigned number;
  };

  void readLine(llvm::StringRef line) {
    if (line.contains(".section\t")) {
      auto name = line.split(".text.").second;
      function_ = name.take_until([](char c) { return c == ','; }).str();
      head_.clear();
      columns_.clear();
    }
    const size_t bar = line.find("// |");
    if (bar == llvm::StringRef::npos)
      return;
    const llvm::StringRef row = line.substr(bar);
    if (columns_.empty()) {
      head_.push_back(row);
      if (row.contains('#'))
        findColumns();
      return;
    }
    llvm::StringRef code = line.take_front(bar).trim();
    uint64_t offset = 0;
    if (!code.consume_front("/*") || code.consumeInteger(16, offset))
      return;
    PlrRow &found = rows_[{function_, offset}];
    found.code = code.drop_front(2).trim();
    for (auto [at, column] : columns_) {
      const char mark = at < row.size() ? row[at] : ' ';
      if (llvm::StringRef(":vx^").contains(mark))
        found.live.add(column.file, column.number);
      if (mark == 'v' || mark == 'x')
        found.read.add(column.file, column.number);
      if (mark == '^' || mark == 'x')
        found.written.add(column.file, column.number);
    }
  }

  void findColumns() {
    static const std::map<llvm::StringRef, RegisterFile> files = {
        {"GPR", RegisterFile::General},
        {"UGPR", RegisterFile::Uniform},
        {"PRED", RegisterFile::Predicate},
        {"UPRED", RegisterFile::UniformPredicate}};
    llvm::StringRef names;
    for (llvm::StringRef row : head_)
      if (row.contains("GPR"))
        names = row;
    for (size_t begin = names.find('|'); begin != llvm::StringRef::npos;) {
      const size_t end = names.find('|', begin + 1);
      if (end == llvm::StringRef::npos)
        return;
      const auto file = files.find(names.slice(begin + 1, end).trim());
      // The column of '#' has the count.
      const size_t first = head_.back().find('#', begin) + 1;
      for (size_t at = first; file != files.end() && at < end; ++at) {
        unsigned number = 0;
        for (llvm::StringRef row : head_)
          if (at < row.size() && llvm::isDigit(row[at]))
            number = 10 * number + (row[at] - '0');
        if (at < head_.back().size() && llvm::isDigit(head_.back()[at]))
          columns_.push_back({at, {file->second, number}});
      }
      begin = end;
    }
  }

  std::string function_;
  std::vector<llvm::StringRef> head_;
  std::vector<std::pair<size_t, Column>> columns_;
  std::map<std::pair<std::string, uint64_t>, PlrRow> rows_;
};

} // namespace warplint
