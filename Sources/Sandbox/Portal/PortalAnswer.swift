/// What the portal answers: nothing of the library but names below `SandboxPlace.photos`.
package enum PortalAnswer: Equatable, Sendable {
  /// The paths inside of what was chosen, in the order of the picker.
  case granted([[UInt8]])
  /// The user chose nothing.
  case cancelled
  /// Nobody was asked, or nothing could be added; why.
  case refused(String)

  /// The most bytes of an answer.
  package static let longest = 16 << 20

  package var bytes: [UInt8] {
    switch self {
    case .granted(let paths): PortalFields.joined([Array("granted".utf8)] + paths)
    case .cancelled: PortalFields.joined([Array("cancelled".utf8)])
    case .refused(let reason): PortalFields.joined([Array("refused".utf8), Array(reason.utf8)])
    }
  }

  /// - Returns: nil for anything but a whole answer.
  package init?(_ bytes: [UInt8]) {
    guard let fields = PortalFields.split(bytes), let kind = fields.first else { return nil }
    switch (String(decoding: kind, as: UTF8.self), fields.count) {
    case ("granted", _): self = .granted(Array(fields.dropFirst()))
    case ("cancelled", 1): self = .cancelled
    case ("refused", 2): self = .refused(String(decoding: fields[1], as: UTF8.self))
    default: return nil
    }
  }
}
