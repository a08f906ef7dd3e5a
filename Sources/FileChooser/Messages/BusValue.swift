/// A D-Bus value of the types that file choosers use (D-Bus specification 0.43, "Type System").
package indirect enum BusValue: Hashable, Sendable {
  case boolean(Bool)
  case number(UInt32)
  case string(String)
  case objectPath(String)
  /// `ay`: a path or a name, which may not be valid text.
  case bytes([UInt8])
  /// - Parameter element: the signature of the elements.
  case array(element: String, [BusValue])
  case structure([BusValue])
  /// `a{sv}`.
  case options([String: BusValue])
  case variant(BusValue)
  /// A value of a type that the portal's options don't use.
  case other

  package var boolean: Bool? { if case .boolean(let isOn) = self { isOn } else { nil } }
  package var number: UInt32? { if case .number(let number) = self { number } else { nil } }
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var elements: [BusValue]? { if case .array(_, let elements) = self { elements } else { nil } }
  package var fields: [BusValue]? { if case .structure(let fields) = self { fields } else { nil } }

  /// The bytes of a path or name without the NUL that terminates it by convention; nil if there are none.
  package var path: [UInt8]? {
    guard case .bytes(let bytes) = self else { return nil }
    let path = Array(bytes.prefix { $0 != 0 })
    return path.isEmpty ? nil : path
  }
}

extension BusValue {
  /// Its D-Bus type signature.
  package var signature: String {
    switch self {
    case .boolean: "b"
    case .number: "u"
    case .string: "s"
    case .objectPath: "o"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    case .options: "a{sv}"
    case .variant: "v"
    case .other: ""
    }
  }
}
