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
