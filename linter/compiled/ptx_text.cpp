#include "compiled/ptx_text.h"
#include "compiled/ptx_lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

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

namespace {

std::optional<Space> spaceNamed(StringRef directive) {
  return llvm::StringSwitch<std::optional<Space>>(directive)
      .Case(".reg", Space::Reg)
      .Case(".global", Space::Global)
      .Case(".shared", Space::Shared)
      .Case(".const", Space::Const)
      .Case(".local", Space::Local)
      .Case(".param", Space::Param)
      // Textures and samplers of the old kind are handles in global memory.
      .Case(".tex", Space::Global)
      .Default(std::nullopt);
}

/// Recursive descent over one token of lookahead. The first thing that is wrong
/// ends the parse: `failed()` is asked wherever something repeats.
class Parser {
public:
  explicit Parser(StringRef text) : lexer_(text) { advance(); }
  llvm::Expected<Module> run();

private:
  // Tokens.
  void advance() { token_ = lexer_.next(); }
  bool take(StringRef expected);
  void expect(StringRef expected);
  void fail(const llvm::Twine &what);
  bool failed() const { return !error_.empty(); }
  StringRef word(const char *what);
  int64_t integer();
  void skipBraces();
  void skipStatement();

  // Constant expressions: lowest precedence first.
  int64_t expression();
  int64_t sum();
  int64_t product();
  int64_t unary();
  Variable::Element element();

  // Module level.
  void topLevel();
  void header();
  void fileDirective();
  void section();
  void debugStrings();
  void function(bool isKernel, bool isVisible, bool isWeak, bool isExtern);
  void parameters(std::vector<Variable> &into);
  void directives(Function &f);
  void variables(Space space, bool isExtern, std::vector<Variable> &into);
  void variableType(Variable &v);
  void variableShape(Variable &v);
  void initializer(std::vector<Variable::Element> &into, unsigned depth);

  // Function bodies.
  void body(Function &f);
  void statement(Function &f);
  void bodyDirective(Function &f);
  void bodyVariables(Function &f, Space space, bool isExtern);
  void registers(Function &f);
  void declareRegister(Scope &scope, StringRef name, const Variable &v);
  bool expandVector(Operand &o);
  void location(Function &f);
  void label(Function &f, StringRef name);
  void instruction(Function &f, Statement s);
  Operand operand(unsigned depth);
  Operand address(unsigned depth);
  Operand list(StringRef end, unsigned depth);
  Operand number();

  Lexer lexer_;
  Token token_;
  std::string error_;
  Module module_;
  bool sawVersion_ = false;
  /// Of the function whose body is being read, and the innermost open one.
  const std::vector<Scope> *scopes_ = nullptr;
  unsigned scope_ = 0;
  bool isCall_ = false;  ///< whether parentheses hold a call's operands
  unsigned nesting_ = 0; ///< of parentheses in a constant expression
};

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
  // Nothing is read after an error; every loop sees the end of the text.
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

// Arithmetic is done unsigned: it wraps, as the assembler's does.
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
  // Signs are folded in a loop, so that no text can exhaust the stack here.
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
    // A mask takes one byte out of an address: known only when it is linked.
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
    return llvm::createStringError(error_);
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
  // Other compilers than nvcc may say flags and a type.
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
  if (token_.is("{"))
    body(f);
  else
    take(";");
  module_.functions.push_back(std::move(f));
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
    StringRef name = token_.text.drop_front();
    advance();
    if (name == "noreturn") {
      f.isNoReturn = true;
    } else if (name == "pragma") {
      skipStatement();
    } else if (token_.kind == Token::Integer) {
      std::vector<unsigned> &values = f.directives[name.str()];
      do
        values.push_back(integer());
      while (take(","));
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
  // What no address space can hold is no size.
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

void Parser::body(Function &f) {
  f.isDefined = true;
  f.scopes.emplace_back();
  scopes_ = &f.scopes;
  scope_ = 0;
  expect("{");
  for (unsigned depth = 1; !failed();) {
    if (token_.kind == Token::End)
      return fail("expected '}' at the end of '" + f.name + "'");
    if (take("{")) {
      f.scopes.emplace_back().parent = scope_;
      scope_ = f.scopes.size() - 1;
      ++depth;
    } else if (take("}")) {
      if (!--depth)
        return;
      scope_ = f.scopes[scope_].parent;
    } else {
      statement(f);
    }
  }
}

void Parser::statement(Function &f) {
  if (take(";"))
    return;
  if (token_.kind == Token::Directive)
    return bodyDirective(f);
  Statement s;
  s.line = token_.line;
  s.scope = scope_;
  if (take("@")) {
    s.guardNegated = take("!");
    s.guard = word("a predicate");
  }
  s.name = word("an instruction");
  if (s.guard.empty() && take(":"))
    return label(f, s.name);
  instruction(f, std::move(s));
}

void Parser::bodyDirective(Function &f) {
  if (take(".loc"))
    return location(f);
  if (take(".reg"))
    return registers(f);
  if (take(".pragma"))
    return skipStatement();
  if (take(".file"))
    return fileDirective();
  bool isExtern = take(".extern");
  std::optional<Space> space = spaceNamed(token_.text);
  if (!space)
    return fail("expected an instruction");
  advance();
  bodyVariables(f, *space, isExtern);
}

void Parser::bodyVariables(Function &f, Space space, bool isExtern) {
  size_t first = f.variables.size();
  variables(space, isExtern, f.variables);
  for (size_t i = first; i < f.variables.size(); ++i)
    f.scopes[scope_].variables[f.variables[i].name] = i;
}

void Parser::registers(Function &f) {
  Variable v;
  variableType(v);
  Scope &scope = f.scopes[scope_];
  do {
    StringRef name = word("a register's name");
    if (take("<")) {
      scope.ranges[name] = {v.type, uint64_t(integer())};
      expect(">");
    } else {
      declareRegister(scope, name, v);
    }
  } while (take(","));
  expect(";");
}

void Parser::declareRegister(Scope &scope, StringRef name, const Variable &v) {
  if (!v.isArray) {
    scope.registers[name] = v.type;
    return;
  }
  std::vector<StringRef> &parts = scope.vectors[name];
  parts.clear();
  for (char lane : StringRef("xyzw").take_front(v.count)) {
    auto part = scope.registers.insert(
        {(name + "." + llvm::Twine(lane)).str(), v.type});
    parts.push_back(part.first->getKey());
  }
}

/// A vector register stands for the list of its parts.
bool Parser::expandVector(Operand &o) {
  if (!scopes_ || o.name.empty())
    return false;
  for (int i = scope_; i >= 0; i = (*scopes_)[i].parent) {
    auto vector = (*scopes_)[i].vectors.find(o.name);
    if (vector == (*scopes_)[i].vectors.end())
      continue;
    o = Operand();
    o.kind = Operand::List;
    for (StringRef part : vector->second)
      o.parts.emplace_back().name = part;
    return true;
  }
  return false;
}

/// `.loc 3 440 9, function_name $L__info_string0+4, inlined_at 2 50 5`
void Parser::location(Function &f) {
  Location l;
  Statement s;
  s.kind = Statement::Loc;
  s.line = token_.line;
  s.scope = scope_;
  s.location = f.locations.size();
  l.file = integer();
  l.line = integer();
  if (token_.kind == Token::Integer)
    l.column = integer();
  while (take(",")) {
    if (take("function_name")) {
      l.function = word("a label");
      if (take("+"))
        l.offset = integer();
    } else if (take("inlined_at")) {
      l.isInlined = true;
      l.atFile = integer();
      l.atLine = integer();
      l.atColumn = integer();
    } else {
      return fail("expected 'function_name' or 'inlined_at'");
    }
  }
  // Clang appends what DWARF's line table also knows, and we do not need.
  while (token_.kind == Token::Word &&
         (token_.text == "prologue_end" || token_.text == "epilogue_begin" ||
          token_.text == "is_stmt" || token_.text == "discriminator" ||
          token_.text == "basic_block")) {
    advance();
    if (token_.kind == Token::Integer)
      advance();
  }
  f.locations.push_back(l);
  f.statements.push_back(std::move(s));
}

void Parser::label(Function &f, StringRef name) {
  if (take(".branchtargets")) {
    std::vector<StringRef> &targets = f.branchTargets[name];
    do
      targets.push_back(word("a label"));
    while (take(","));
    return expect(";");
  }
  if (take(".callprototype") || take(".calltargets"))
    return skipStatement();
  if (!f.scopes[scope_].labels.insert(name).second)
    return fail("the label '" + name + "' stands twice");
  Statement s;
  s.kind = Statement::Label;
  s.line = token_.line;
  s.scope = scope_;
  s.name = name;
  f.statements.push_back(std::move(s));
}

void Parser::instruction(Function &f, Statement s) {
  // A long opcode of inline assembly may be written in pieces.
  while (token_.kind == Token::Directive) {
    StringRef piece = token_.text;
    advance();
    s.name = StringRef(s.name.data(), piece.end() - s.name.data());
  }
  isCall_ = s.name.starts_with("call");
  while (!take(";") && !failed()) {
    s.operands.push_back(operand(0));
    if (!token_.is(";"))
      expect(",");
  }
  f.statements.push_back(std::move(s));
}

Operand Parser::number() {
  Operand o;
  o.kind = Operand::Real;
  StringRef digits = token_.text;
  uint64_t bits = 0;
  bool isHex = digits.consume_front_insensitive("0d");
  o.isDouble = isHex;
  isHex = isHex || digits.consume_front_insensitive("0f");
  double value = 0;
  if (isHex ? digits.getAsInteger(16, bits) : digits.getAsDouble(value))
    fail("expected a number");
  if (!isHex) {
    o.isDouble = true;
    bits = llvm::bit_cast<uint64_t>(value);
  }
  o.value = static_cast<int64_t>(bits);
  advance();
  return o;
}

Operand Parser::operand(unsigned depth) {
  Operand o;
  if (depth > 8) {
    fail("expected fewer nested operands");
    return o;
  }
  if (take("["))
    return address(depth);
  if (take("{"))
    return list("}", depth);
  if (isCall_ && take("("))
    return list(")", depth);
  if (token_.kind == Token::Real)
    return number();
  bool minus = false;
  if (token_.is("-")) {
    Lexer ahead = lexer_;
    Token next = ahead.next();
    if (next.kind == Token::Real || next.kind == Token::Word) {
      advance();
      minus = true;
    }
  }
  if (token_.kind == Token::Real) { // a decimal one: the others have a sign bit
    o = number();
    o.value ^= int64_t(uint64_t(1) << (o.isDouble ? 63 : 31));
    return o;
  }
  o.negated = minus || take("!");
  if (token_.kind != Token::Word) {
    o.kind = Operand::Integer;
    o.value = expression();
    return o;
  }
  o.name = word("an operand");
  if (expandVector(o))
    return o;
  if (take("|")) {
    Operand pair;
    pair.kind = Operand::Pair;
    pair.parts.push_back(std::move(o));
    pair.parts.emplace_back().name = word("a predicate");
    return pair;
  }
  if (take("+")) // `mov.u64 %rd1, table+16`
    o.value = sum();
  else if (take("-"))
    o.value = -uint64_t(sum());
  return o;
}

Operand Parser::address(unsigned depth) {
  Operand o;
  o.kind = Operand::Address;
  if (token_.kind == Token::Word) {
    o.name = word("an address");
    if (take("+"))
      o.value = sum();
    else if (take("-"))
      o.value = -uint64_t(sum());
  } else {
    o.value = expression();
  }
  while (take(",") && !failed())
    o.parts.push_back(operand(depth + 1));
  expect("]");
  return o;
}

Operand Parser::list(StringRef end, unsigned depth) {
  Operand o;
  o.kind = Operand::List;
  while (!take(end) && !failed()) {
    o.parts.push_back(operand(depth + 1));
    if (!token_.is(end))
      expect(",");
  }
  return o;
}

} // namespace

llvm::Expected<Module> parsePtx(StringRef text) { return Parser(text).run(); }

} // namespace warplint::ptx
