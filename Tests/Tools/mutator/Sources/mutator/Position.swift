import SwiftSyntax

/// The syntactic position of a piece of code, which decides how its fault is switched.
enum Position {
  /// Finds the code that must be written twice for a fault in `node`; nil if no switch is possible.
  static func host(of node: Syntax) -> Mutation.Host? {
    var child = node
    while let parent = child.parent {
      switch parent.as(SyntaxEnum.self) {
      case .codeBlockItem(let item):
        return host(of: item)
      case .conditionElement:
        return child.is(ExprSyntax.self) ? make(.expression, child) : nil
      case .initializerClause(let clause):
        guard child.id == clause.value.id else { return nil }
        if let host = host(of: clause) { return host }
        if parent.parent?.is(ClosureCaptureSyntax.self) != true { return nil }
      case .forStmt(let loop):
        return child.id == loop.sequence.id ? make(.expression, child) : nil
      case .whereClause:
        return make(.expression, child)
      case .repeatStmt(let loop):
        return child.id == loop.condition.id ? make(.expression, child) : nil
      case .switchExpr(let choice):
        return child.id == choice.subject.id ? make(.expression, child) : nil
      case .functionParameter, .enumCaseElement, .switchCaseItem, .attribute, .memberBlockItem:
        return nil
      default:
        break
      }
      child = parent
    }
    return nil
  }

  private static func host(of clause: InitializerClauseSyntax) -> Mutation.Host? {
    guard let parent = clause.parent else { return nil }
    switch parent.as(SyntaxEnum.self) {
    case .optionalBindingCondition, .matchingPatternCondition:
      return make(.expression, Syntax(clause.value))
    case .patternBinding:
      guard let declaration = ancestor(VariableDeclSyntax.self, of: parent),
        declaration.attributes.isEmpty, !declaration.modifiers.contains(where: { $0.name.text == "async" })
      else { return nil }
      let isLocal = declaration.parent?.is(CodeBlockItemSyntax.self) ?? false
      return make(isLocal ? .binding : .expression, Syntax(clause.value))
    default:
      return nil
    }
  }

  private static func host(of item: CodeBlockItemSyntax) -> Mutation.Host? {
    if let statement = item.item.as(ReturnStmtSyntax.self) {
      // A closure of one statement stays one, so that its type can still be inferred.
      if let value = statement.expression, isAlone(item),
        item.parent?.parent?.is(ClosureExprSyntax.self) == true
      {
        return make(.expression, Syntax(value))
      }
      return make(.statement, Syntax(item.item))
    }
    if item.item.is(ThrowStmtSyntax.self) { return make(.statement, Syntax(item.item)) }
    guard item.item.is(ExprSyntax.self) else { return nil }
    return make(isValue(item) ? .expression : .statement, Syntax(item.item))
  }

  /// Whether an expression is the value of its surroundings: of a function without `return`, a closure or a branch.
  ///
  /// A closure of one expression counts, although its value may be unused.
  static func isValue(_ item: CodeBlockItemSyntax) -> Bool {
    guard isAlone(item), let around = item.parent?.parent else { return false }
    switch around.as(SyntaxEnum.self) {
    case .closureExpr, .accessorBlock:
      return true
    case .switchCase:
      return ancestor(SwitchExprSyntax.self, of: around).map { isValue(ExprSyntax($0)) } ?? false
    case .codeBlock:
      return around.parent.map(isBodyOfValue) ?? false
    default:
      return false
    }
  }

  /// The type that `item` returns, with or without `return`; nil if the source does not state it.
  static func returnType(of item: CodeBlockItemSyntax) -> TypeSyntax? {
    if !item.item.is(ReturnStmtSyntax.self) {
      guard isValue(item), isResult(item) else { return nil }
    }
    var node = Syntax(item)
    while let parent = node.parent {
      switch parent.as(SyntaxEnum.self) {
      case .functionDecl(let function):
        return function.signature.returnClause?.type
      case .closureExpr(let closure):
        return closure.signature?.returnClause?.type
      case .accessorBlock:
        guard let owner = parent.parent else { return nil }
        return owner.as(PatternBindingSyntax.self)?.typeAnnotation?.type
          ?? owner.as(SubscriptDeclSyntax.self)?.returnClause.type
      case .initializerDecl, .deinitializerDecl:
        return nil
      default:
        node = parent
      }
    }
    return nil
  }

  /// Whether a value is that of the function, not of a binding or an assignment inside it.
  private static func isResult(_ item: CodeBlockItemSyntax) -> Bool {
    var node = Syntax(item)
    while let parent = node.parent {
      switch parent.as(SyntaxEnum.self) {
      case .initializerClause, .infixOperatorExpr, .labeledExpr: return false
      case .functionDecl, .closureExpr, .accessorBlock, .returnStmt: return true
      default: node = parent
      }
    }
    return false
  }

  private static func isBodyOfValue(_ owner: Syntax) -> Bool {
    switch owner.as(SyntaxEnum.self) {
    case .functionDecl(let function):
      function.signature.returnClause.map { !["Void", "()", "Never"].contains($0.type.trimmedDescription) }
        ?? false
    case .accessorDecl(let accessor):
      accessor.accessorSpecifier.text == "get"
    case .ifExpr(let choice):
      choice.elseBody != nil && isValue(ExprSyntax(choice))
    default:
      false
    }
  }

  /// Whether an `if` or `switch` is used for its value.
  private static func isValue(_ choice: ExprSyntax) -> Bool {
    guard let parent = choice.parent else { return false }
    switch parent.as(SyntaxEnum.self) {
    case .expressionStmt:
      return parent.parent?.as(CodeBlockItemSyntax.self).map(isValue) ?? false
    case .ifExpr(let outer):
      return isValue(ExprSyntax(outer))
    case .returnStmt, .initializerClause, .infixOperatorExpr:
      return true
    default:
      return false
    }
  }

  private static func isAlone(_ item: CodeBlockItemSyntax) -> Bool {
    item.parent?.as(CodeBlockItemListSyntax.self)?.count == 1
  }

  static func ancestor<Node: SyntaxProtocol>(_ type: Node.Type, of node: Syntax) -> Node? {
    var parent = node.parent
    while let current = parent {
      if let found = current.as(type) { return found }
      parent = current.parent
    }
    return nil
  }

  private static func make(_ form: Mutation.Host.Form, _ node: Syntax) -> Mutation.Host {
    Mutation.Host(
      form: form, start: node.positionAfterSkippingLeadingTrivia.utf8Offset,
      end: node.endPositionBeforeTrailingTrivia.utf8Offset)
  }
}
