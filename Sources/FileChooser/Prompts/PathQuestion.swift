/// What is asked in a terminal where no other file chooser is there: paths, typed in.
package struct PathQuestion: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// One file that is there.
    case file
    /// Files that are there, one a line, up to an empty line.
    case files
    /// A folder that is there.
    case folder
    /// A folder that is there, and the name of a file that need not be.
    case saving
    /// A folder that is there, for files of these names.
    case savingSeveral
  }

  package var kind: Kind
  /// The folder that is suggested, and that relative paths count from.
  package var folder: [UInt8]
  /// The suggested name, or the names of the files to save.
  package var names: [[UInt8]]

  package init(kind: Kind, folder: [UInt8], names: [[UInt8]] = []) {
    self.kind = kind
    self.folder = folder
    self.names = names
  }

  /// - Parameter defaultFolder: where nothing is suggested.
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
    // A name leads into no other folder.
    names = names.map { Array($0.split(separator: UInt8(ascii: "/")).last ?? []) }
  }

  /// As `InsideMessage` passes it on.
  var words: [[UInt8]] { [Array(kind.rawValue.utf8), folder] + names }

  init?(words: [[UInt8]]) {
    guard words.count >= 2, let kind = Kind(rawValue: String(decoding: words[0], as: UTF8.self)) else {
      return nil
    }
    self.init(kind: kind, folder: words[1], names: Array(words[2...]))
  }
}

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
