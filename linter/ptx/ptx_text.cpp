#include "ptx/ptx_text.h"
#include "base/failure.h"
#include "ptx/ptx_parser.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace warplint::ptx {

std::optional<Type> typeNamed(StringRef name) {
  if (name == "pred")
    return Type{Type::Pred, 1};
  if (name == "f16x2")
    return Type{Type::Float, 16, 2};
  if (name == "bf16x2")
    return Type{Type::BFloat, 16, 2};
  Type::Kind kind;
  StringRef digits = name;
  if (digits.consume_front("bf"))
    kind = Type::BFloat;
  else if (digits.consume_front("b"))
    kind = Type::Bits;
  else if (digits.consume_front("u"))
    kind = Type::Unsigned;
  else if (digits.consume_front("s"))
    kind = Type::Signed;
  else if (digits.consume_front("f"))
    kind = Type::Float;
  else
    return std::nullopt;
  unsigned bits = llvm::StringSwitch<unsigned>(digits)
                      .Case("8", 8)
                      .Case("16", 16)
                      .Case("32", 32)
                      .Case("64", 64)
                      .Case("128", 128)
                      .Default(0);
  bool exists = kind == Type::BFloat  ? bits == 16
                : kind == Type::Float ? bits == 16 || bits == 32 || bits == 64
                : kind == Type::Bits  ? bits != 0
                                      : bits != 0 && bits != 128;
  return exists ? std::optional(Type{kind, bits}) : std::nullopt;
}

StringRef Module::debugString(StringRef label, int64_t offset) const {
  auto found = debugLabels.find(label);
  if (found == debugLabels.end())
    return {};
  uint64_t start = found->second + offset;
  return StringRef(debugStrings).substr(start).split('\0').first;
}

std::optional<Space> spaceNamed(StringRef directive) {
  return llvm::StringSwitch<std::optional<Space>>(directive)
      .Case(".reg", Space::Reg)
      .Case(".global", Space::Global)
      .Case(".shared", Space::Shared)
      .Case(".const", Space::Const)
      .Case(".local", Space::Local)
      .Case(".param", Space::Param)
      // Legacy textures and samplers are handles in global memory.
      .Case(".tex", Space::Global)
      .Default(std::nullopt);
}

bool Parser::take(StringRef expected) {
  if (!token_.is(expected))
    return false;
  advance();
  return true;
}

void Parser::fail(const llvm::Twine &what) {
  if (failed())
    return;
  error_ = ("line " + llvm::Twine(token_.line) + ": " + what).str();
  if (token_.kind == Token::End)
    error_ += ", but the text ends";
  else
    error_ += ", found '" + token_.text.substr(0, 40).str() + "'";
  // After an error, every token is the end of the text, so that loops end.
  lexer_ = Lexer("");
  token_ = {Token::End, "", token_.line};
}

void Parser::expect(StringRef expected) {
  if (!take(expected))
    fail("expected '" + expected + "'");
}

StringRef Parser::word(const char *what) {
  StringRef text = token_.text;
  if (token_.kind != Token::Word)
    fail(llvm::Twine("expected ") + what);
  advance();
  return text;
}

int64_t Parser::integer() {
  StringRef digits = token_.text;
  uint64_t value = 0;
  while (digits.consume_back("U") || digits.consume_back("u"))
    ;
  if (token_.kind != Token::Integer || digits.getAsInteger(0, value))
    fail("expected a number");
  advance();
  return static_cast<int64_t>(value);
}

void Parser::skipBraces() {
  expect("{");
  for (unsigned depth = 1; depth && !failed(); advance()) {
    if (token_.kind == Token::End)
      return fail("expected '}'");
    depth += token_.is("{");
    depth -= token_.is("}");
  }
}

void Parser::skipStatement() {
  while (!token_.is(";") && token_.kind != Token::End)
    advance();
  expect(";");
}

// Uses unsigned arithmetic: it wraps, as in the assembler.
int64_t Parser::expression() {
  uint64_t value = sum();
  for (;;) {
    if (take("|"))
      value |= sum();
    else if (take("&"))
      value &= sum();
    else if (take("^"))
      value ^= sum();
    else if (take("<<"))
      value <<= sum() & 63;
    else if (take(">>"))
      value >>= sum() & 63;
    else
      return value;
  }
}

int64_t Parser::sum() {
  uint64_t value = product();
  for (;;) {
    if (take("+"))
      value += product();
    else if (take("-"))
      value -= product();
    else
      return value;
  }
}

int64_t Parser::product() {
  uint64_t value = unary();
  for (;;) {
    if (take("*")) {
      value *= unary();
    } else if (take("/")) {
      uint64_t divisor = unary();
      value = divisor ? value / divisor : 0;
    } else {
      return value;
    }
  }
}

int64_t Parser::unary() {
  // Folds signs in a loop, so that no text can exhaust the stack.
  bool minus = false, inverted = false;
  for (;; advance()) {
    if (token_.is("-"))
      minus = !minus;
    else if (token_.is("~"))
      inverted = !inverted;
    else if (!token_.is("+"))
      break;
  }
  uint64_t value = 0;
  if (take("(")) {
    if (++nesting_ > 16)
      fail("expected fewer nested parentheses");
    value = expression();
    --nesting_;
    expect(")");
  } else {
    value = integer();
  }
  if (inverted)
    value = ~value;
  return minus ? 0 - value : value;
}

/// `generic(counters)+12`, `name`, `0xFF(name)`, or a number.
Variable::Element Parser::element() {
  Variable::Element e;
  if (token_.kind == Token::Real) {
    e.value = number().value;
    return e;
  }
  if (token_.kind != Token::Word) {
    e.value = expression();
    if (!take("("))
      return e;
    // A mask selects one byte of an address that only the linker knows.
    while (!token_.is(")") && token_.kind != Token::End)
      advance();
    expect(")");
    return {};
  }
  e.symbol = word("a name");
  if (e.symbol == "generic" && take("(")) {
    e.symbol = word("a name");
    if (token_.is("+") || token_.is("-"))
      e.value = sum();
    expect(")");
  }
  if (take("+"))
    e.value += sum();
  else if (take("-"))
    e.value -= sum();
  return e;
}

llvm::Expected<Module> Parser::run() {
  while (token_.kind != Token::End && !failed())
    topLevel();
  if (!sawVersion_)
    fail("this is not PTX: expected '.version'");
  if (failed())
    return failure(error_);
  return std::move(module_);
}

void Parser::topLevel() {
  bool isVisible = false, isWeak = false, isExtern = false;
  for (;;) {
    if (take(".visible"))
      isVisible = true;
    else if (take(".weak") || take(".common"))
      isWeak = true;
    else if (take(".extern"))
      isExtern = true;
    else
      break;
  }
  if (take(".entry"))
    return function(true, isVisible, isWeak, isExtern);
  if (take(".func"))
    return function(false, isVisible, isWeak, isExtern);
  if (std::optional<Space> space = spaceNamed(token_.text)) {
    advance();
    return variables(*space, isExtern, module_.variables);
  }
  header();
}

void Parser::header() {
  if (take(".version")) {
    sawVersion_ = true;
    advance();
  } else if (take(".target")) {
    do
      word("a target");
    while (take(","));
  } else if (take(".address_size")) {
    if (!token_.is("64"))
      return fail("expected 64-bit addresses");
    advance();
  } else if (take(".file")) {
    fileDirective();
  } else if (take(".section")) {
    section();
  } else if (take(".pragma") || take(".alias")) {
    skipStatement();
  } else if (!take(";")) {
    fail("expected a directive");
  }
}

void Parser::fileDirective() {
  unsigned index = integer();
  std::string path = token_.text.str();
  if (token_.kind != Token::String)
    return fail("expected a file name");
  advance();
  module_.files[index] = path;
  while (take(",")) // time stamp and size
    integer();
}

void Parser::section() {
  StringRef name = token_.text;
  advance();
  // Compilers other than nvcc may add flags and a type.
  while (!token_.is("{") && token_.kind != Token::End)
    advance();
  if (name == ".debug_str")
    return debugStrings();
  skipBraces();
}

void Parser::debugStrings() {
  expect("{");
  while (!take("}") && !failed()) {
    if (token_.kind == Token::Word) {
      module_.debugLabels[token_.text] = module_.debugStrings.size();
      advance();
      expect(":");
    } else if (take(".b8")) {
      do
        module_.debugStrings.push_back(static_cast<char>(expression()));
      while (take(","));
    } else {
      fail("expected '.b8' or a label");
    }
  }
}

void Parser::function(bool isKernel, bool isVisible, bool isWeak,
                      bool isExtern) {
  Function f;
  f.isKernel = isKernel;
  f.isVisible = isVisible || isExtern;
  f.isWeak = isWeak;
  head(f);
  if (token_.is("{"))
    body(f);
  else
    take(";");
  module_.functions.push_back(std::move(f));
}

void Parser::head(Function &f) {
  while (take(".attribute"))
    while (!take(")") && token_.kind != Token::End)
      advance();
  if (token_.is("("))
    parameters(f.returns);
  f.line = token_.line;
  f.name = word("a function's name");
  if (token_.is("("))
    parameters(f.parameters);
  directives(f);
}

std::optional<Function> Parser::runKernelHead() {
  Function f;
  f.isKernel = f.isDefined = true;
  head(f);
  return failed() || !token_.is("{") ? std::nullopt
                                     : std::optional(std::move(f));
}

void Parser::parameters(std::vector<Variable> &into) {
  expect("(");
  while (!take(")") && !failed()) {
    std::optional<Space> space = spaceNamed(token_.text);
    if (!space)
      return fail("expected '.param'");
    advance();
    Variable v;
    v.space = *space;
    v.line = token_.line;
    variableType(v);
    v.name = word("a parameter's name");
    variableShape(v);
    into.push_back(std::move(v));
    if (!token_.is(")"))
      expect(",");
  }
}

void Parser::directives(Function &f) {
  while (token_.kind == Token::Directive) {
    const StringRef name = token_.text.drop_front();
    const char *const begin = token_.text.begin();
    advance();
    if (name == "noreturn") {
      f.isNoReturn = true;
    } else if (name == "pragma") {
      skipStatement();
    } else if (token_.kind == Token::Integer) {
      Directive &directive = f.directives[name.str()];
      do {
        directive.text = StringRef(begin, token_.text.end() - begin);
        directive.values.push_back(integer());
      } while (take(","));
    } else if (token_.is("(")) { // such as `.attribute(.managed)`
      while (!take(")") && token_.kind != Token::End)
        advance();
    }
  }
}

void Parser::variableType(Variable &v) {
  unsigned lanes = 1;
  bool hasType = false;
  while (token_.kind == Token::Directive) {
    StringRef name = token_.text.drop_front();
    advance();
    if (name == "align") {
      v.align = integer();
    } else if (name == "ptr") {
      v.isPointer = true;
      if (spaceNamed(token_.text))
        advance();
      if (take(".align")) // of what it points to
        integer();
    } else if (name == "v2" || name == "v4") {
      lanes = name == "v2" ? 2 : 4;
    } else if (name == "attribute") {
      while (!take(")") && token_.kind != Token::End)
        advance();
    } else if (std::optional<Type> type = typeNamed(name)) {
      v.type = *type;
      hasType = true;
    } else if (name == "texref" || name == "samplerref" || name == "surfref") {
      v.type = {Type::Unsigned, 64};
      hasType = true;
    } else {
      return fail("'." + name + "' is not a type");
    }
  }
  if (!hasType)
    fail("expected a type");
  if (lanes > 1) {
    v.isArray = true;
    v.count = lanes;
  }
}

void Parser::variableShape(Variable &v) {
  // A size beyond any address space is invalid.
  constexpr uint64_t largest = uint64_t(1) << 40;
  while (take("[")) {
    v.isArray = true;
    if (take("]")) {
      v.count = 0;
      continue;
    }
    uint64_t length = expression();
    if (length > largest || (length && v.count > largest / length))
      return fail("expected a possible array size");
    v.count *= length;
    expect("]");
  }
}

void Parser::variables(Space space, bool isExtern,
                       std::vector<Variable> &into) {
  Variable v;
  v.space = space;
  v.isExtern = isExtern;
  if (take("[")) { // a constant bank, as in `.const[2]`
    integer();
    expect("]");
  }
  variableType(v);
  do {
    Variable each = v;
    each.line = token_.line;
    each.name = word("a variable's name");
    variableShape(each);
    if (take("="))
      initializer(each.initial, 0);
    if (each.isArray && !each.count && !isExtern)
      each.count = each.initial.size();
    into.push_back(std::move(each));
  } while (take(","));
  expect(";");
}

void Parser::initializer(std::vector<Variable::Element> &into, unsigned depth) {
  if (depth > 16)
    return fail("expected fewer nested braces");
  if (!take("{"))
    return into.push_back(element());
  while (!take("}") && !failed()) {
    initializer(into, depth + 1);
    if (!token_.is("}"))
      expect(",");
  }
}

llvm::Expected<Module> parsePtx(StringRef text) { return Parser(text).run(); }

std::vector<Function> kernelHeads(StringRef text) {
  constexpr llvm::StringLiteral keyword = ".entry";
  std::vector<Function> heads;
  for (size_t at = 0; (at = text.find(keyword, at)) != StringRef::npos;) {
    at += keyword.size();
    if (auto head = Parser(text.drop_front(at)).runKernelHead())
      heads.push_back(std::move(*head));
  }
  return heads;
}

} // namespace warplint::ptx
