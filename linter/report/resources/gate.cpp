#include "report/resources/gate.h"
#include "base/failure.h"
#include "base/suggest.h"
#include "report/resources/resource_table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace warplint {
namespace {

using Answer = std::optional<bool>;
using Predicate = std::function<Answer(const ResourceRow &)>;

struct TextField {
  const char *name;
  std::string ResourceRow::*value;
};
constexpr TextField textFields[] = {
    {"kernel", &ResourceRow::kernel},   {"signature", &ResourceRow::signature},
    {"source", &ResourceRow::source},   {"arch", &ResourceRow::architecture},
    {"toolkit", &ResourceRow::toolkit}, {"flags", &ResourceRow::flags},
};

/// Accepts spill_stores, spill-stores and spillStores as the same name.
std::string plainName(StringRef name) {
  std::string plain;
  for (char c : name)
    if (c != '_' && c != '-')
      plain += toLower(c);
  return plain;
}

class Parser {
public:
  explicit Parser(StringRef text) : text_(text), rest_(text) {}

  Expected<Predicate> parse() {
    Predicate whole = expression();
    if (error_.empty() && !rest_.ltrim().empty())
      fail("'" + rest_.trim() + "' is left over");
    if (error_.empty())
      return whole;
    return failure("'" + text_ + "' cannot be read: " + error_);
  }

private:
  Predicate expression() { // a known operand may decide alone
    Predicate left = term();
    while (error_.empty() && consumeWord("or"))
      left = [left, right = term()](const ResourceRow &row) -> Answer {
        Answer a = left(row), b = right(row);
        if (a == true || b == true)
          return true;
        return a && b ? Answer(false) : std::nullopt;
      };
    return left;
  }

  Predicate term() {
    Predicate left = factor();
    while (error_.empty() && consumeWord("and"))
      left = [left, right = factor()](const ResourceRow &row) -> Answer {
        Answer a = left(row), b = right(row);
        if (a == false || b == false)
          return false;
        return a && b ? Answer(true) : std::nullopt;
      };
    return left;
  }

  Predicate factor() {
    constexpr unsigned most = 200; // nested terms are nested calls here
    if (++parts_ > most) {
      fail("it has more than " + Twine(most) + " parts");
      return {};
    }
    if (consumeWord("not"))
      return [inner = factor()](const ResourceRow &row) -> Answer {
        Answer answer = inner(row);
        return answer ? Answer(!*answer) : std::nullopt;
      };
    rest_ = rest_.ltrim();
    if (!rest_.consume_front("("))
      return comparison();
    Predicate inner = expression();
    rest_ = rest_.ltrim();
    if (error_.empty() && !rest_.consume_front(")"))
      fail("a ')' is missing");
    return inner;
  }

  Predicate comparison() {
    StringRef name = takeWord();
    if (name.empty()) {
      fail(rest_.empty() ? Twine("a field such as 'spill' is missing")
                         : "'" + rest_.trim() + "' is no field");
      return {};
    }
    std::string plain = plainName(name);
    for (const TextField &field : textFields)
      if (plain == field.name)
        return textComparison(field);
    if (plain == "spill")
      return numberComparison(name, &ResourceRow::spill);
    for (const Measure &measure : measures())
      if (plain == plainName(measure.name))
        return numberComparison(
            name, [value = measure.value](const ResourceRow &row) {
              return row.*value;
            });
    fail("there is no field '" + name + "'" + meant(name));
    return {};
  }

  Predicate textComparison(const TextField &field) {
    auto value = field.value;
    StringRef sign = takeOperator({"==", "!=", "=~", "!~", "="});
    if (sign.empty()) {
      fail(Twine("'") + field.name + "' is compared by ==, !=, =~ or !~");
      return {};
    }
    bool negated = sign.starts_with("!");
    std::string text = takeValue();
    if (!error_.empty())
      return {};
    if (!sign.ends_with("~"))
      return [=](const ResourceRow &row) -> Answer {
        if ((row.*value).empty())
          return std::nullopt;
        return (row.*value == text) != negated;
      };
    auto regex = std::make_shared<Regex>(text);
    std::string why;
    if (!regex->isValid(why)) {
      fail("'" + Twine(text) + "' is no regular expression: " + why);
      return {};
    }
    return [=](const ResourceRow &row) -> Answer {
      if ((row.*value).empty())
        return std::nullopt;
      return regex->match(row.*value) != negated;
    };
  }

  Predicate
  numberComparison(StringRef name,
                   std::function<ResourceRow::Number(const ResourceRow &)> of) {
    StringRef sign =
        takeOperator({"=~", "!~", "==", "!=", "<=", ">=", "<", ">", "="});
    if (sign.empty() || sign.ends_with("~")) {
      fail("'" + name + "' is compared by ==, !=, <, <=, > or >=");
      return {};
    }
    std::string text = takeValue();
    StringRef digits = text;
    digits.consume_back("%");
    unsigned limit = 0;
    if (error_.empty() && digits.getAsInteger(10, limit))
      fail("'" + name + "' is compared with a number, not '" + text + "'");
    bool orEqual = sign.ends_with("=") && sign != "!=";
    bool less = sign.starts_with("<"), more = sign.starts_with(">"),
         unequal = sign == "!=";
    return [=](const ResourceRow &row) -> Answer {
      ResourceRow::Number number = of(row);
      if (!number)
        return std::nullopt;
      return (less && *number < limit) || (more && *number > limit) ||
             (unequal && *number != limit) || (orEqual && *number == limit);
    };
  }

  std::string meant(StringRef name) {
    std::vector<std::string> known = {"spill"};
    for (const TextField &field : textFields)
      known.push_back(field.name);
    for (const Measure &measure : measures())
      known.push_back(measure.name);
    std::string near = nearest(name, known);
    return near.empty() ? "; there are " + join(known, ", ")
                        : "; did you mean '" + near + "'?";
  }

  StringRef takeWord() {
    rest_ = rest_.ltrim();
    StringRef word = rest_.take_while(
        [](char c) { return isAlnum(c) || c == '_' || c == '-'; });
    rest_ = rest_.drop_front(word.size());
    return word;
  }

  bool consumeWord(StringRef wanted) {
    StringRef before = rest_;
    if (takeWord() == wanted)
      return true;
    rest_ = before;
    return false;
  }

  StringRef takeOperator(std::initializer_list<StringRef> known) {
    rest_ = rest_.ltrim();
    for (StringRef sign : known) // longer operators first
      if (rest_.consume_front(sign))
        return sign == "=" ? "==" : sign;
    return "";
  }

  /// A quoted text, or everything up to a blank or an unmatched bracket.
  std::string takeValue() {
    rest_ = rest_.ltrim();
    if (rest_.starts_with("'") || rest_.starts_with("\"")) {
      size_t end = rest_.find(rest_.front(), 1);
      if (end == StringRef::npos) {
        fail("a quote is not closed");
        return "";
      }
      std::string value = rest_.slice(1, end).str();
      rest_ = rest_.drop_front(end + 1);
      return value;
    }
    int depth = 0;
    StringRef value = rest_.take_while([&](char c) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      return depth >= 0 && !isSpace(c);
    });
    rest_ = rest_.drop_front(value.size());
    if (value.empty())
      fail("a value is missing at the end");
    return value.str();
  }

  void fail(const Twine &why) {
    if (error_.empty())
      error_ = why.str();
  }

  StringRef text_, rest_;
  std::string error_;
  unsigned parts_ = 0;
};

/// "spill stores 24, spill loads 32, registers 255": the resources of a kernel.
std::string numbersOf(const ResourceRow &row) {
  std::vector<std::string> numbers;
  for (const Measure &measure : measures())
    if (const ResourceRow::Number &number = row.*measure.value;
        number && *number)
      numbers.push_back(measure.heading + (" " + std::to_string(*number)));
  return join(numbers, ", ");
}

} // namespace

Expected<Gate> Gate::parse(StringRef text) {
  Expected<Predicate> holds = Parser(text).parse();
  if (!holds)
    return holds.takeError();
  Gate gate;
  gate.text_ = text.str();
  gate.holds_ = std::move(*holds);
  return gate;
}

GateResult applyGates(const ResourceReport &report, ArrayRef<Gate> deny,
                      ArrayRef<Gate> allow) {
  GateResult result;
  std::vector<unsigned> unknown(deny.size());
  std::vector<std::string> example(deny.size());
  for (const ResourceRow &row : report.rows) {
    if (any_of(allow, [&](const Gate &gate) {
          return gate.holds(row).value_or(false);
        }))
      continue;
    for (size_t i = 0; i < deny.size(); ++i) {
      Answer denied = deny[i].holds(row);
      std::string name = kernelAndPlace(row);
      if (!row.architecture.empty())
        name += " on " + row.architecture;
      if (!denied && unknown[i]++ == 0)
        example[i] = name;
      if (denied != true)
        continue;
      std::string sentence = name + ": " + numbersOf(row);
      std::string spills = spillPlaces(row);
      if (!spills.empty())
        sentence += "; spills at " + spills;
      result.denied.push_back("denied by '" + deny[i].text() +
                              "': " + sentence);
    }
  }
  for (size_t i = 0; i < deny.size(); ++i)
    if (unknown[i])
      result.unanswered.push_back(
          "'" + deny[i].text() + "' cannot be answered for " +
          (unknown[i] == 1 ? example[i]
                           : std::to_string(unknown[i]) + " kernels, such as " +
                                 example[i]) +
          ": the input lacks the value");
  return result;
}

} // namespace warplint
