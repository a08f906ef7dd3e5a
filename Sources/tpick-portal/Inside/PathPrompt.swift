import AssetLibrary
import FileChooser
import SystemPackage
import TerminalText

/// Asks for paths in plain lines, where no file chooser of the desktop does it.
struct PathPrompt {
  let question: PathQuestion
  let lines: TerminalLines

  /// Writes the URIs of the paths into a file.
  /// - Returns: the status as tpick's: 130 where the user cancelled.
  func run(title: String, results: FilePath) -> Int32 {
    lines.write("\(title)\nCtrl-C cancels.\n")
    guard let paths = askPaths(), !paths.isEmpty else { return 130 }
    let text = paths.map { FileURI.text(for: FilePath(bytes: $0).lexicallyNormalized().bytes) + "\n" }
      .joined()
    do throws(Errno) {
      try FileBytes.write(Array(text.utf8), to: results)
      return 0
    } catch {
      Log.write("\(results.string): \(error)")
      return 2
    }
  }

  /// - Returns: nil at the end of the input.
  private func askPaths() -> [[UInt8]]? {
    switch question.kind {
    case .file: askPath("File").map { [$0] }
    case .files: askFiles()
    case .folder: askFolder().map { [$0] }
    case .saving: askTarget().map { [$0] }
    case .savingSeveral: askFolder().map(targets)
    }
  }

  private func askFiles() -> [[UInt8]]? {
    lines.write("An empty line ends the list.\n")
    var paths: [[UInt8]] = []
    while let typed = lines.ask("File", suggestion: nil) {
      if typed.isEmpty { return paths }
      let path = path(typed)
      if check(path, FolderEntries.exists, "there is no such file") { paths.append(path) }
    }
    return nil
  }

  private func askPath(_ words: String) -> [UInt8]? {
    while let typed = lines.ask(words, suggestion: nil) {
      if typed.isEmpty { return nil }
      let path = path(typed)
      if check(path, FolderEntries.exists, "there is no such file") { return path }
    }
    return nil
  }

  private func askFolder() -> [UInt8]? {
    while let typed = lines.ask("Folder", suggestion: question.folder) {
      let path = path(typed)
      if check(path, FolderEntries.isFolder, "there is no such folder") { return path }
    }
    return nil
  }

  private func askTarget() -> [UInt8]? {
    guard let folder = askFolder() else { return nil }
    while let name = lines.ask("Name", suggestion: question.names.first) {
      if name.isEmpty { return nil }
      let path = PathAnswer.path(name, in: folder, home: UserFolders.home.bytes)
      guard check(path, { !FolderEntries.isFolder($0) }, "this is a folder") else { continue }
      if !Self.exists(path) { return path }
      guard
        let answer = lines.ask("It is there already. Replace it? y/n", suggestion: Array("n".utf8))
      else {
        return nil
      }
      if answer.elementsEqual("y".utf8) { return path }
    }
    return nil
  }

  /// Names that are free in a folder, and among themselves.
  private func targets(in folder: [UInt8]) -> [[UInt8]] {
    var targets: [[UInt8]] = []
    for name in question.names {
      let free = PathAnswer.freeName(name) { name in
        let path = PathAnswer.joined(folder, name[...])
        return targets.contains(path) || Self.exists(path)
      }
      targets.append(PathAnswer.joined(folder, free[...]))
    }
    return targets
  }

  private func path(_ typed: [UInt8]) -> [UInt8] {
    PathAnswer.path(typed, in: question.folder, home: UserFolders.home.bytes)
  }

  private static func exists(_ path: [UInt8]) -> Bool {
    ChildProgram.answer { FolderEntries.exists(FilePath(bytes: path)) } ?? false
  }

  private func check(
    _ path: [UInt8], _ isRight: @escaping (FilePath) -> Bool, _ problem: String
  ) -> Bool {
    let answer = ChildProgram.answer { isRight(FilePath(bytes: path)) }
    if answer == true { return true }
    let name = ControlCharacters.escaped(String(decoding: path, as: UTF8.self))
    lines.write("\(name): \(answer == nil ? "does not answer" : problem)\n")
    return false
  }
}
