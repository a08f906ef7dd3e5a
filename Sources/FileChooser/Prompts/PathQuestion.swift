/// A prompt for typed paths, used in a terminal when no other file chooser is available.
package struct PathQuestion: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// One existing file.
    case file
    /// Existing files, one per line, up to an empty line.
    case files
    /// An existing folder.
    case folder
    /// A file to save: an existing folder, and a name in it that need not exist.
    case saving
    /// An existing folder into which the files of `names` are saved.
    case savingSeveral
  }

  package var kind: Kind
  /// The suggested folder, to which typed paths are relative.
  package var folder: [UInt8]
  /// The suggested name, or the names of the files to save.
  package var names: [[UInt8]]

  package init(kind: Kind, folder: [UInt8], names: [[UInt8]] = []) {
    self.kind = kind
    self.folder = folder
    self.names = names
  }

  /// - Parameter defaultFolder: the folder if the request suggests none.
  package init(_ request: ChooserRequest, defaultFolder: [UInt8]) {
    folder = request.currentFolder.flatMap { $0.first == UInt8(ascii: "/") ? $0 : nil } ?? defaultFolder
    names = []
    switch request.method {
    case .openFile: kind = request.wantsFolder ? .folder : request.allowsSeveral ? .files : .file
    case .saveFile:
      kind = .saving
      if let file = request.currentFile, file.first == UInt8(ascii: "/"),
        let slash = file.lastIndex(of: UInt8(ascii: "/"))
      {
        folder = slash == 0 ? [UInt8(ascii: "/")] : Array(file[..<slash])
        names = [Array(file[(slash + 1)...])]
      } else if let name = request.currentName {
        names = [Array(name.utf8)]
      }
    case .saveFiles:
      kind = .savingSeveral
      names = request.names
    }
    // A name must not lead into another folder.
    names = names.map { Array($0.split(separator: UInt8(ascii: "/")).last ?? []) }
  }

  /// The form in which `TerminalTaskMessage` encodes it.
  var words: [[UInt8]] { [Array(kind.rawValue.utf8), folder] + names }

  init?(words: [[UInt8]]) {
    guard words.count >= 2, let kind = Kind(rawValue: String(decoding: words[0], as: UTF8.self)) else {
      return nil
    }
    self.init(kind: kind, folder: words[1], names: Array(words[2...]))
  }
}

/// Interprets typed paths.
package enum PathAnswer {
  private static let slash = UInt8(ascii: "/")

  /// Resolves a typed path: `~/`, and paths relative to a folder.
  package static func path(_ typed: [UInt8], in folder: [UInt8], home: [UInt8]) -> [UInt8] {
    if typed.first == slash { return typed }
    if typed.elementsEqual("~".utf8) { return home }
    if typed.starts(with: "~/".utf8) { return joined(home, typed.dropFirst(2)) }
    return joined(folder, typed[...])
  }

  package static func joined(_ folder: [UInt8], _ name: ArraySlice<UInt8>) -> [UInt8] {
    (folder.last == slash ? folder : folder + [slash]) + name
  }

  /// Returns the name if it is free, otherwise a numbered one.
  ///
  /// Numbered like copies: `photo (2).jpg`.
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
