import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Walks through a file and records every fault that its syntax allows.
///
/// It knows no types: a fault that the compiler rejects is dropped by the caller that builds it.
final class MutationFinder: SyntaxVisitor {
  static func mutations(in source: String, file: String) -> [Mutation] {
    let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
    let finder = MutationFinder(file: file, tree: tree)
    finder.walk(tree)
    return finder.mutations
  }

  private let file: String
  private let locations: SourceLocationConverter
  private var mutations: [Mutation] = []

  private init(file: String, tree: Syntax) {
    self.file = file
    locations = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
  }

  private func add(
    _ kind: Mutation.Kind, _ node: some SyntaxProtocol, _ after: String, host: Mutation.Host? = nil
  ) {
    guard let host = host ?? Position.host(of: Syntax(node)) else { return }
    let start = node.positionAfterSkippingLeadingTrivia
    let before = node.trimmedDescription
    guard before != after else { return }
    mutations.append(
      Mutation(
        file: file, line: locations.location(for: start).line, declaration: names(around: Syntax(node)),
        kind: kind,
        start: start.utf8Offset, end: node.endPositionBeforeTrailingTrivia.utf8Offset, before: before,
        after: after,
        host: host))
  }

  private func names(around node: Syntax) -> String {
    var names: [String] = []
    var parent = node.parent
    while let current = parent {
      switch current.as(SyntaxEnum.self) {
      case .functionDecl(let it): names.append(it.name.text)
      case .initializerDecl: names.append("init")
      case .deinitializerDecl: names.append("deinit")
      case .subscriptDecl: names.append("subscript")
      case .variableDecl(let it): names.append(it.bindings.first?.pattern.trimmedDescription ?? "")
      case .structDecl(let it): names.append(it.name.text)
      case .classDecl(let it): names.append(it.name.text)
      case .enumDecl(let it): names.append(it.name.text)
      case .actorDecl(let it): names.append(it.name.text)
      case .protocolDecl(let it): names.append(it.name.text)
      case .extensionDecl(let it): names.append(it.extendedType.trimmedDescription)
      default: break
      }
      parent = current.parent
    }
    return names.reversed().joined(separator: ".")
  }

  // MARK: - Unchanged code

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: SwitchCaseLabelSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: CatchItemSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionParameterClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: GenericWhereClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { inlined(node.attributes) }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { inlined(node.attributes) }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { inlined(node.attributes) }
  override func visit(_ node: AccessorDeclSyntax) -> SyntaxVisitorContinueKind { inlined(node.attributes) }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind { inlined(node.attributes) }

  /// The body of an inlinable function may not use internal names, and the switch is internal.
  private func inlined(_ attributes: AttributeListSyntax) -> SyntaxVisitorContinueKind {
    let names = attributes.compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription }
    let kept: (String) -> Bool = {
      ["inlinable", "_alwaysEmitIntoClient", "_transparent"].contains($0) || $0.hasSuffix("Builder")
    }
    return names.contains(where: kept) ? .skipChildren : .visitChildren
  }

  private static let checks: Set = [
    "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError",
  ]

  // MARK: - Operators

  private static let replacements: [String: (kind: Mutation.Kind, after: String)] = [
    "<": (.comparison, "<="), "<=": (.comparison, "<"), ">": (.comparison, ">="), ">=": (.comparison, ">"),
    "==": (.comparison, "!="), "!=": (.comparison, "=="), "===": (.comparison, "!=="),
    "!==": (.comparison, "==="),
    "+": (.arithmetic, "-"), "-": (.arithmetic, "+"), "*": (.arithmetic, "+"), "/": (.arithmetic, "*"),
    "%": (.arithmetic, "*"), "&+": (.arithmetic, "&-"), "&-": (.arithmetic, "&+"), "&*": (.arithmetic, "&+"),
    "&": (.arithmetic, "|"), "|": (.arithmetic, "&"), "^": (.arithmetic, "&"),
    "<<": (.arithmetic, ">>"), ">>": (.arithmetic, "<<"), "&<<": (.arithmetic, "&>>"),
    "&>>": (.arithmetic, "&<<"),
    "&&": (.logic, "||"), "||": (.logic, "&&"),
  ]

  private static let assignments: [String: String] = [
    "-=": "+=", "&+=": "&-=", "&-=": "&+=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<=",
    "*=": "+=", "/=": "*=",
  ]

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let token = node.operator.as(BinaryOperatorExprSyntax.self)?.operator else { return .visitChildren }
    let left = node.leftOperand.trimmedDescription
    let right = node.rightOperand.trimmedDescription
    if let assignment = Self.assignments[token.text] {
      add(.arithmetic, token, assignment)
    } else if token.text == "??" {
      add(.fallback, node, "(\(right))")
    } else if let (kind, after) = Self.replacements[token.text], token.text != "+" || !isConcatenation(node) {
      add(kind, node, "(\(left) \(after) \(right))")
    }
    return .visitChildren
  }

  /// Whether a chain of `+` contains a text or an array, which do not support subtraction.
  private func isConcatenation(_ node: InfixOperatorExprSyntax) -> Bool {
    var root = node
    while let outer = root.parent?.as(InfixOperatorExprSyntax.self), isPlus(outer) { root = outer }
    return root.trimmedDescription.contains("\"") || hasArray(ExprSyntax(root))
  }

  private func hasArray(_ node: ExprSyntax) -> Bool {
    guard let sum = node.as(InfixOperatorExprSyntax.self), isPlus(sum) else {
      let call = node.as(FunctionCallExprSyntax.self)?.calledExpression.as(MemberAccessExprSyntax.self)
      return node.is(ArrayExprSyntax.self) || call?.declName.baseName.text.hasSuffix("ap") == true
    }
    return hasArray(sum.leftOperand) || hasArray(sum.rightOperand)
  }

  private func isPlus(_ node: InfixOperatorExprSyntax) -> Bool {
    node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text == "+"
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    let operand = node.expression
    switch node.operator.text {
    case "!": add(.logic, node, operand.trimmedDescription)
    case "-" where !operand.is(IntegerLiteralExprSyntax.self) && !operand.is(FloatLiteralExprSyntax.self),
      "~":
      add(.arithmetic, node, operand.trimmedDescription)
    default: break
    }
    return .visitChildren
  }

  // MARK: - Conditions

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    guard case .expression(let condition) = node.condition else { return .visitChildren }
    if node.parent?.parent?.is(WhileStmtSyntax.self) == true {
      // Inverted, the loop would only run forever.
      if !condition.is(BooleanLiteralExprSyntax.self) { add(.condition, condition, "false") }
    } else {
      negate(condition)
    }
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  /// Unless another fault of the condition has the same effect.
  private func negate(_ condition: ExprSyntax) {
    if let infix = condition.as(InfixOperatorExprSyntax.self)?.operator.as(BinaryOperatorExprSyntax.self) {
      if ["==", "!=", "===", "!=="].contains(infix.operator.text) { return }
    }
    if condition.as(PrefixOperatorExprSyntax.self)?.operator.text == "!" { return }
    if condition.is(BooleanLiteralExprSyntax.self) { return }
    add(.condition, condition, "!(\(condition.trimmedDescription))")
  }

  // MARK: - Constants

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    guard !isInTable(Syntax(node)) else { return .skipChildren }
    let text = node.literal.text.replacing("_", with: "")
    let prefixes = [("0x", 16), ("0b", 2), ("0o", 8)]
    let (prefix, radix) = prefixes.first { text.hasPrefix($0.0) } ?? ("", 10)
    guard let value = UInt64(text.dropFirst(prefix.count), radix: radix), value < UInt64.max else {
      return .skipChildren
    }
    // The largest value of a type can't be increased.
    let isLargest = value > 1 && (value & (value + 1) == 0) && value >= 127
    add(.constant, node, prefix + String(isLargest ? value - 1 : value + 1, radix: radix))
    return .skipChildren
  }

  override func visit(_ node: FloatLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if !isInTable(Syntax(node)), let value = Double(node.literal.text.replacing("_", with: "")) {
      add(.constant, node, String(value + 1))
    }
    return .skipChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if !isInTable(Syntax(node)) { add(.constant, node, node.literal.text == "true" ? "false" : "true") }
    return .skipChildren
  }

  /// A table of numbers would have more faults than all the code beside it.
  private func isInTable(_ node: Syntax) -> Bool {
    var parent = node.parent
    while let current = parent, !current.is(CodeBlockItemSyntax.self) {
      if let list = current.as(ArrayExprSyntax.self), list.elements.count > 8 { return true }
      if let pairs = current.as(DictionaryExprSyntax.self)?.content.as(DictionaryElementListSyntax.self),
        pairs.count > 4
      {
        return true
      }
      parent = current.parent
    }
    return false
  }

  // MARK: - Calls

  private static let siblings: [String: String] = [
    "min": "max", "max": "min", "first": "last", "last": "first", "hasPrefix": "hasSuffix",
    "hasSuffix": "hasPrefix", "prefix": "suffix", "suffix": "prefix", "removeFirst": "removeLast",
    "removeLast": "removeFirst", "dropFirst": "dropLast", "dropLast": "dropFirst",
    "startIndex": "endIndex", "endIndex": "startIndex", "firstIndex": "lastIndex", "lastIndex": "firstIndex",
    "lowercased": "uppercased", "uppercased": "lowercased",
  ]

  /// Calls whose result has the type of their receiver.
  private static let steps: Set = [
    "sorted", "filter", "lowercased", "uppercased", "rounded", "union", "subtracting",
  ]

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let callee = node.calledExpression
    if let name = callee.as(DeclReferenceExprSyntax.self)?.baseName.text {
      if Self.checks.contains(name) { return .skipChildren }
      if name == "min" || name == "max", let sibling = Self.siblings[name] { add(.call, callee, sibling) }
    }
    if let member = callee.as(MemberAccessExprSyntax.self), let base = member.base,
      Self.steps.contains(member.declName.baseName.text)
    {
      add(.call, node, base.trimmedDescription)
    }
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    if node.base != nil, let sibling = Self.siblings[node.declName.baseName.text] {
      add(.call, node.declName.baseName, sibling)
    }
    return .visitChildren
  }

  // MARK: - Statements

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    if let statement = node.item.as(ReturnStmtSyntax.self) {
      if let value = statement.expression { replaceResult(value, of: node) }
    } else if let expression = node.item.as(ExprSyntax.self) {
      if Position.isValue(node) {
        replaceResult(expression, of: node)
      } else if isRemovable(expression, in: node) {
        add(.removal, expression, "")
      }
    }
    return .visitChildren
  }

  private func isRemovable(_ expression: ExprSyntax, in item: CodeBlockItemSyntax) -> Bool {
    if let attempt = expression.as(TryExprSyntax.self) { return isRemovable(attempt.expression, in: item) }
    if let wait = expression.as(AwaitExprSyntax.self) { return isRemovable(wait.expression, in: item) }
    if let call = expression.as(FunctionCallExprSyntax.self) {
      let callee = call.calledExpression.trimmedDescription
      return !Self.checks.contains(callee) && !callee.hasSuffix("self.init")
        && !callee.hasPrefix("super.init")
    }
    if let assignment = expression.as(InfixOperatorExprSyntax.self) {
      if assignment.operator.is(AssignmentExprSyntax.self) {
        // In an initializer the rest would not compile without it.
        return Position.ancestor(InitializerDeclSyntax.self, of: Syntax(item)) == nil
      }
      // The others have a fault in their operator. `+=` has none: texts and arrays have no `-=`.
      return assignment.operator.as(BinaryOperatorExprSyntax.self)?.operator.text == "+="
    }
    return expression.is(OptionalChainingExprSyntax.self)
  }

  private static let numbers: Set = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "CInt", "Double",
    "Float",
  ]

  private func replaceResult(_ value: ExprSyntax, of item: CodeBlockItemSyntax) {
    guard let type = Position.returnType(of: item) else { return }
    let host = Position.host(of: Syntax(value))
    let isConstant =
      value.is(IntegerLiteralExprSyntax.self) || value.is(FloatLiteralExprSyntax.self)
      || value.is(BooleanLiteralExprSyntax.self) || value.is(NilLiteralExprSyntax.self)
      || value.is(IfExprSyntax.self) || value.is(SwitchExprSyntax.self)
    guard !isConstant else { return }
    for constant in constants(of: type) { add(.result, value, constant, host: host) }
  }

  /// Replacement values of a type that the source names, of which one is rarely right.
  private func constants(of type: TypeSyntax) -> [String] {
    if type.is(OptionalTypeSyntax.self) { return ["nil"] }
    if type.is(ArrayTypeSyntax.self) { return ["[]"] }
    if type.is(DictionaryTypeSyntax.self) { return ["[:]"] }
    let name = type.trimmedDescription
    if name == "Bool" { return ["true", "false"] }
    if name == "String" { return ["\"\""] }
    if name.hasPrefix("Set<") { return ["[]"] }
    return Self.numbers.contains(name) ? ["0"] : []
  }
}
