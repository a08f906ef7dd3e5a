/// The data from which queries are answered.
struct TerminalGeometry {
  var columns: Int
  var rows: Int
  var cell: (width: Int, height: Int)
  var cursor: TerminalPosition
}

/// Answers the queries of a program as the terminal of a profile would.
struct TerminalResponder {
  let profile: TerminalProfile

  /// The answer to a query, empty if the terminal stays silent; `nil` if the piece is no query.
  func answer(to piece: StreamPiece, modes: TerminalModes, geometry: TerminalGeometry) -> String? {
    let answer: String?
    switch piece {
    case .csi(let sequence): answer = self.answer(to: sequence, modes: modes, geometry: geometry)
    case .osc(let payload, let bell):
      answer = self.answer(toOSC: payload, terminator: bell ? "\u{7}" : "\u{1B}\\", geometry: geometry)
    case .apc(let payload): answer = self.answer(toAPC: payload)
    default: answer = nil
    }
    return profile.answersQueries ? answer : answer.map { _ in "" }
  }

  private func answer(
    to sequence: ControlSequence, modes: TerminalModes, geometry: TerminalGeometry
  ) -> String? {
    let parameters = sequence.parameters
    let first = parameters.first ?? 0
    switch sequence.final {
    case UInt8(ascii: "c") where sequence.matches("c"):
      let attributes = profile.deviceAttributes.map(String.init).joined(separator: ";")
      return first == 0 ? "\u{1B}[?\(attributes)c" : ""
    case UInt8(ascii: "c") where sequence.matches(">c"): return first == 0 ? "\u{1B}[>41;379;0c" : ""
    case UInt8(ascii: "c"): return ""
    case UInt8(ascii: "q") where sequence.matches(">q"):
      return profile.version.map { "\u{1B}P>|\($0)\u{1B}\\" } ?? ""
    case UInt8(ascii: "n") where sequence.matches("n"):
      let cursor = geometry.cursor
      return switch first {
      case 5: profile.answersStatus ? "\u{1B}[0n" : ""
      case 6: "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)R"
      default: ""
      }
    case UInt8(ascii: "n"): return ""
    case UInt8(ascii: "t") where sequence.matches("t"): return answer(toWindowQuery: first, geometry)
    case UInt8(ascii: "p") where sequence.matches("?$p"):
      return "\u{1B}[?\(first);\(state(of: first, modes))$y"
    case UInt8(ascii: "S") where sequence.matches("?S"):
      return answer(toGraphicsQuery: parameters, geometry)
    case UInt8(ascii: "u") where sequence.matches("?u"):
      return profile.graphics.contains(.kitty) ? "\u{1B}[?0u" : ""
    default: return nil
    }
  }

  private func answer(toWindowQuery number: Int, _ geometry: TerminalGeometry) -> String {
    let cell = geometry.cell
    switch number {
    case 14 where profile.reportsPixelSizes:
      return "\u{1B}[4;\(geometry.rows * cell.height);\(geometry.columns * cell.width)t"
    case 16 where profile.reportsPixelSizes: return "\u{1B}[6;\(cell.height);\(cell.width)t"
    case 18: return "\u{1B}[8;\(geometry.rows);\(geometry.columns)t"
    default: return ""
    }
  }

  private func answer(toGraphicsQuery parameters: [Int], _ geometry: TerminalGeometry) -> String {
    guard profile.graphics.contains(.sixel), parameters.count >= 2, [1, 4].contains(parameters[1]) else {
      return ""
    }
    let area = (width: geometry.columns * geometry.cell.width, height: geometry.rows * geometry.cell.height)
    let largest = profile.largestSixel ?? area
    switch parameters[0] {
    case 1: return "\u{1B}[?1;0;\(profile.colorRegisters)S"
    case 2: return "\u{1B}[?2;0;\(largest.width);\(largest.height)S"
    default: return "\u{1B}[?\(parameters[0]);1S"
    }
  }

  /// The state reported by DECRQM: 0 is not recognized, 1 set, 2 reset.
  private func state(of mode: Int, _ modes: TerminalModes) -> Int {
    let known =
      TerminalModes.known.contains(mode) || mode == 2026 && profile.synchronizedOutput
      || mode == 1016 && profile.pixelMouse
    return known ? (modes.isSet(mode) ? 1 : 2) : 0
  }

  private func answer(toOSC payload: [UInt8], terminator: String, geometry: TerminalGeometry) -> String? {
    if payload.elementsEqual("10;?".utf8) { return color("10", profile.foreground, terminator) }
    if payload.elementsEqual("11;?".utf8) { return color("11", profile.background, terminator) }
    if payload.starts(with: "4;".utf8), payload.suffix(2).elementsEqual(";?".utf8) {
      let number = Int(String(decoding: payload.dropFirst(2).dropLast(2), as: UTF8.self))
      let known = number.flatMap { number in profile.palette[number].map { (number, $0) } }
      return known.map { color("4;\($0.0)", $0.1, terminator) } ?? ""
    }
    if payload.elementsEqual("1337;ReportCellSize".utf8) {
      guard profile.graphics.contains(.iterm) else { return "" }
      let cell = geometry.cell
      return "\u{1B}]1337;ReportCellSize=\(cell.height).0;\(cell.width).0;1.0\(terminator)"
    }
    return nil
  }

  private func color(_ number: String, _ color: TerminalRGB, _ terminator: String) -> String {
    let parts = [color.red, color.green, color.blue].map { part in
      let hex = String(part, radix: 16)
      let two = hex.utf8.count == 1 ? "0" + hex : hex
      return two + two
    }
    return "\u{1B}]\(number);rgb:\(parts.joined(separator: "/"))\(terminator)"
  }

  private func answer(toAPC payload: [UInt8]) -> String? {
    guard let command = KittyCommand(payload: payload) else { return nil }
    let number = command["i"]
    guard profile.graphics.contains(.kitty), let number, command["m"] != "1" else { return "" }
    let quiet = command["q"] ?? "0"
    if let medium = command["t"], !profile.kittyMedia.contains(medium) {
      return quiet == "2" ? "" : "\u{1B}_Gi=\(number);EINVAL:unknown transmission medium\u{1B}\\"
    }
    return quiet == "0" && command.action != "d" ? "\u{1B}_Gi=\(number);OK\u{1B}\\" : ""
  }
}
