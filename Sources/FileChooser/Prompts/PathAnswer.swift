/// A typed path.
package enum PathAnswer {
  private static let slash = UInt8(ascii: "/")

  /// Completes what was typed: `~/`, and paths that are relative to a folder.
  package static func path(_ typed: [UInt8], in folder: [UInt8], home: [UInt8]) -> [UInt8] {
    if typed.first == slash { return typed }
    if typed.elementsEqual("~".utf8) { return home }
    if typed.starts(with: "~/".utf8) { return joined(home, typed.dropFirst(2)) }
    return joined(folder, typed[...])
  }

  package static func joined(_ folder: [UInt8], _ name: ArraySlice<UInt8>) -> [UInt8] {
    (folder.last == slash ? folder : folder + [slash]) + name
  }

  /// A name that is free.
  ///
  /// Others get numbers, as copies do: `photo (2).jpg`.
  package static func freeName(_ name: [UInt8], isTaken: ([UInt8]) -> Bool) -> [UInt8] {
    guard isTaken(name) else { return name }
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count
    var number = 2
    while true {
      let candidate = name[..<dot] + Array(" (\(number))".utf8) + name[dot...]
      if !isTaken(Array(candidate)) { return Array(candidate) }
      number += 1
    }
  }
}
