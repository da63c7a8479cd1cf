// Compares `warplint accesses` for the programs in kernels/truth with the
// counters of an H200.
#include "nvcc.h"
#include "program.h"
#include "read_text.h"
#include "test_paths.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace warplint {

namespace {

const std::string folder = WARPLINT_SOURCE_DIR "/kernels/truth/";

using Row = std::map<std::string, std::string>;

/// No field of the table holds a comma.
std::vector<Row> measured() {
  std::vector<Row> rows;
  std::string text = readFile(folder + "accesses.csv");
  llvm::SmallVector<llvm::StringRef, 0> lines;
  llvm::SplitString(text, lines, "\n");
  llvm::SmallVector<llvm::StringRef, 16> names, fields;
  lines.front().split(names, ',');
  for (llvm::StringRef line : llvm::drop_begin(lines)) {
    fields.clear();
    line.split(fields, ',');
    Row &row = rows.emplace_back();
    for (auto [name, field] : llvm::zip_equal(names, fields))
      row[name.str()] = field.str();
  }
  return rows;
}

struct Predicted {
  std::string space, basis, why;
  std::optional<double> value;
  double low = 0, high = 0;
};

/// "launched" of "ways::launched<3>".
std::string bareName(llvm::StringRef kernel) {
  return kernel.take_until([](char c) { return c == '<' || c == '('; })
      .rsplit("::")
      .first.str();
}

std::string key(const std::string &file, int64_t line,
                const std::string &kernel, const std::string &block,
                const std::string &op) {
  return llvm::formatv("{0}:{1} {2} {3} {4}", file, line, kernel, block, op);
}

/// By place, kernel, block and operation.
std::multimap<std::string, Predicted> predicted(const std::string &program) {
  std::multimap<std::string, Predicted> rows;
  Outcome outcome =
      runProgram({"accesses", "--format", "json", folder + program, "--",
                  "-std=c++17", "-arch=sm_90", "--extended-lambda"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  auto json = llvm::json::parse(outcome.out);
  if (!json) {
    ADD_FAILURE() << llvm::toString(json.takeError());
    return rows;
  }
  for (const llvm::json::Value &value :
       *json->getAsObject()->getArray("accesses")) {
    const llvm::json::Object &access = *value.getAsObject();
    auto text = [&](llvm::StringRef name) {
      return access.getString(name).value_or("").str();
    };
    Predicted row{text("space"), text("basis"), text("dependsOn"), {}};
    row.value = access.getNumber(row.space == "shared" ? "conflictWays"
                                                       : "sectorsPerRequest");
    row.low = access.getNumber("low").value_or(0);
    row.high = access.getNumber("high").value_or(0);
    rows.emplace(key(llvm::sys::path::filename(text("file")).str(),
                     access.getInteger("line").value_or(0),
                     bareName(text("kernel")), text("block"), text("op")),
                 row);
  }
  return rows;
}

std::string where(const Row &row) {
  return key(row.at("file"), std::stoll(row.at("line")), row.at("kernel"),
             row.at("block"), row.at("op"));
}

/// Empty if the prediction for a row equals the count. Several accesses of a
/// line are averaged, there and here.
std::string wrong(const Row &row, const std::vector<Predicted> &said) {
  const std::string &count = row.at(
      row.at("space") == "shared" ? "conflict_ways" : "sectors_per_request");
  std::string decidable = row.at("decidable");
  if (decidable == "0") {
    for (const Predicted &access : said)
      if (access.basis == "unknown" && !access.why.empty())
        return "";
    return "data decide, yet it is not said to be unknown";
  }
  double sum = 0, low = 0, high = 0;
  unsigned known = 0;
  for (const Predicted &access : said)
    if (access.space == row.at("space") && access.value) {
      sum += *access.value;
      low += access.low;
      high += access.high;
      ++known;
    }
  if (decidable == "open" && !known)
    return "";
  if (!known)
    return "measured " + count + ", not answered";
  double measured = std::stod(count);
  if (decidable == "argument" && low / known <= measured &&
      measured <= high / known)
    return "";
  double value = sum / known;
  if (std::abs(value - measured) <= 0.1 * measured + 1e-9)
    return "";
  return llvm::formatv("measured {0}, predicted {1:f2}", count, value);
}

class Truth : public testing::TestWithParam<const char *> {};

TEST_P(Truth, MatchesTheHardwareCounters) {
  if (!hasToolkit())
    GTEST_SKIP() << "no CUDA toolkit: nothing is held against measurements";
  std::multimap<std::string, Predicted> said = predicted(GetParam());
  unsigned graded = 0;
  for (const Row &row : measured()) {
    if (row.at("program") != GetParam() || row.at("decidable") == "compiled")
      continue;
    ++graded;
    std::vector<Predicted> here;
    auto range = said.equal_range(where(row));
    for (auto it = range.first; it != range.second; ++it)
      here.push_back(it->second);
    // A function that cannot be followed is said where it is called.
    if (here.empty() && row.at("decidable") == "0")
      for (const auto &[place, access] : said)
        if (access.space == "unknown" &&
            llvm::StringRef(place).contains(" " + row.at("kernel") + " "))
          here.push_back(access);
    std::string failure = wrong(row, here);
    EXPECT_TRUE(failure.empty())
        << where(row) << ' ' << row.at("space") << ": " << failure;
  }
  EXPECT_GT(graded, 0u);
}

INSTANTIATE_TEST_SUITE_P(Programs, Truth,
                         testing::Values("algorithms.cu", "arithmetic.cu",
                                         "blocks.cu", "forms.cu",
                                         "instructions.cu", "launches.cu",
                                         "libraries.cu", "locals.cu",
                                         "readers.cu", "shared.cu",
                                         "structures.cu", "ways.cu"),
                         [](const testing::TestParamInfo<const char *> &info) {
                           return llvm::sys::path::stem(info.param).str();
                         });

} // namespace

} // namespace warplint
