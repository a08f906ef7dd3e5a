/// One fault: a piece of the source, its replacement, and the surrounding code that carries the switch.
///
/// All offsets count bytes of UTF-8 from the start of the file.
struct Mutation: Encodable, Equatable {
  enum Kind: String, Encodable {
    case comparison, arithmetic, logic, condition, constant, result, call, removal
    /// Replaces `??` by its right side, as if the left one were nil.
    case fallback
  }

  let file: String
  let line: Int
  /// The names of the enclosing declarations, as `Picker.update`.
  let declaration: String
  let kind: Kind
  let start: Int
  let end: Int
  let before: String
  let after: String
  let host: Host

  /// The code that is written twice, with the fault and without it, selected by the switch.
  struct Host: Encodable, Equatable {
    enum Form: String, Encodable {
      /// `if tpickFault(1) { … } else { … }`
      case statement
      /// `(tpickFault(1) ? (…) : (…))`
      case expression
      /// The value of a local `let` or `var`, in either form.
      case binding
    }

    let form: Form
    let start: Int
    let end: Int
  }
}
