// Parses PTX tokens to declarations and statements: ptx_text.cpp the module
// level, ptx_body.cpp function bodies.
#pragma once
#include "ptx/ptx_lexer.h"
#include "ptx/ptx_text.h"

namespace warplint::ptx {

/// Returns the space of a directive: ".shared".
std::optional<Space> spaceNamed(llvm::StringRef directive);

/// A recursive-descent parser with one token of lookahead. The first error ends
/// the parse: every loop tests `failed()`.
class Parser {
public:
  explicit Parser(llvm::StringRef text) : lexer_(text) { advance(); }
  llvm::Expected<Module> run();
  /// Parses what follows `.entry`, up to the body; nothing for a declaration.
  std::optional<Function> runKernelHead();

private:
  // Tokens.
  void advance() { token_ = lexer_.next(); }
  bool take(llvm::StringRef expected);
  void expect(llvm::StringRef expected);
  void fail(const llvm::Twine &what);
  bool failed() const { return !error_.empty(); }
  llvm::StringRef word(const char *what);
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
  void head(Function &f);
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
  void declareRegister(Scope &scope, llvm::StringRef name, const Variable &v);
  bool expandVector(Operand &o);
  void location(Function &f);
  void label(Function &f, llvm::StringRef name);
  void instruction(Function &f, Statement s);
  Operand operand(unsigned depth);
  Operand address(unsigned depth);
  Operand list(llvm::StringRef end, unsigned depth);
  Operand number();

  Lexer lexer_;
  Token token_;
  std::string error_;
  Module module_;
  bool sawVersion_ = false;
  /// Scopes of the function being parsed, and the innermost open one.
  const std::deque<Scope> *scopes_ = nullptr;
  unsigned scope_ = 0;
  bool isCall_ = false;  ///< true if parentheses hold a call's operands
  unsigned nesting_ = 0; ///< parentheses in a constant expression
};

} // namespace warplint::ptx
