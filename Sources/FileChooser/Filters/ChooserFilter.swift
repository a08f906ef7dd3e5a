/// A filter of files as programs describe them to the portal: `(sa(us))`.
package struct ChooserFilter: Hashable, Sendable {
  package enum Rule: Hashable, Sendable {
    case glob(String)
    case mimeType(String)
  }

  /// What users read, as "Images".
  package var name: String
  package var rules: [Rule]

  package init(name: String, rules: [Rule]) {
    self.name = name
    self.rules = rules
  }
}

extension ChooserFilter {
  /// Nil for a value of another type.
  package init?(_ value: BusValue) {
    guard let fields = value.fields, fields.count == 2, let name = fields[0].string,
      let rules = fields[1].elements
    else { return nil }
    self.init(name: name, rules: rules.compactMap(Rule.init))
  }

  package var value: BusValue {
    .structure([.string(name), .array(element: "(us)", rules.map(\.value))])
  }
}

extension ChooserFilter.Rule {
  /// Kinds that the interface doesn't name match nothing.
  fileprivate init?(_ value: BusValue) {
    guard let fields = value.fields, fields.count == 2, let kind = fields[0].number,
      let text = fields[1].string
    else { return nil }
    switch kind {
    case 0: self = .glob(text)
    case 1: self = .mimeType(text)
    default: return nil
    }
  }

  fileprivate var value: BusValue {
    switch self {
    case .glob(let text): .structure([.number(0), .string(text)])
    case .mimeType(let text): .structure([.number(1), .string(text)])
    }
  }
}
