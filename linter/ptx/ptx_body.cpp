#include "ptx/ptx_parser.h"
#include "llvm/ADT/bit.h"

using llvm::StringRef;

namespace warplint::ptx {

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
    StringRef part =
        module_.partNames.emplace_back((name + "." + llvm::Twine(lane)).str());
    scope.registers[part] = v.type;
    parts.push_back(part);
  }
}

/// Replaces a vector register by the list of its parts.
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
  // Skips the fields that Clang appends from DWARF's line table.
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
  // Inline assembly may split a long opcode.
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
  if (token_.kind == Token::Real) { // decimal; the others have a sign bit
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

} // namespace warplint::ptx
