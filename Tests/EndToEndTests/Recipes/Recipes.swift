import Fixtures
import Foundation
import TestTerminal

/// The commands in Docs, as written on the pages.
enum Recipes {
  /// The code blocks below the headings of a page.
  typealias Blocks = [(title: String, texts: [String])]

  /// The recipes, by heading.
  static let blocks = Result { try page("Recipes.md", headings: "## ") }
  /// The tasks at the beginning of the manual, by heading.
  static let tasks = Result { try page("Manual.md", headings: "### ").filter { !$0.texts.isEmpty } }

  private static func page(_ name: String, headings: String) throws -> Blocks {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Docs/\(name)").standardizedFileURL
    let lines = try String(contentsOf: page, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    var blocks: Blocks = []
    var block: [Substring]?
    for line in lines {
      if line.hasPrefix("```") {
        if let text = block, !blocks.isEmpty {
          blocks[blocks.count - 1].texts.append(text.joined(separator: "\n") + "\n")
        }
        block = block == nil ? [] : nil
      } else if block != nil {
        block?.append(line)
      } else if line.hasPrefix(headings) {
        blocks.append((String(line.dropFirst(headings.count)), []))
      }
    }
    return blocks
  }

  /// A code block below a heading of the recipes.
  /// - Throws: ``FixtureError`` if there is no such heading or block.
  static func text(_ title: String, _ index: Int = 0) throws -> String {
    try text(title, index, of: blocks.get())
  }

  /// The command of one of the manual's tasks.
  /// - Throws: ``FixtureError`` if there is no such task.
  static func task(_ title: String) throws -> String {
    try text(title, 0, of: tasks.get())
  }

  private static func text(_ title: String, _ index: Int, of blocks: Blocks) throws -> String {
    guard let texts = blocks.first(where: { $0.title == title })?.texts, texts.indices.contains(index)
    else { throw FixtureError("there is no command \(index) below “\(title)”") }
    return texts[index]
  }

  /// Whether programs are installed.
  static func has(_ programs: String...) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return programs.allSatisfy { program in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
  }
}

/// The home of a user who follows a recipe: three photos in `Pictures`, and tpick in the path.
struct RecipeHome {
  let folder: TemporaryFolder
  private let environment: [String: String]

  var path: String { folder.path }
  var photos: [String] { (1...3).map { "\(path)/Pictures/\($0).jpg" } }

  init(environment: [String: String] = [:]) throws {
    let folder = try TemporaryFolder()
    for number in 1...3 {
      let photo = TestPhoto(
        TestPicture.make(width: 160, height: 120), date: .day(28 - number, month: 6))
      try folder.write(try photo.bytes(), to: "Pictures/\(number).jpg")
    }
    try folder.makeFolder("bin")
    try folder.link("bin/tpick", to: Program.path)
    let path = folder.path
    let own = [
      "HOME": path, "PATH": "\(path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
      "TPICK_CODECS": Program.sibling("tpick-codecs"), "XDG_CACHE_HOME": "\(path)/.cache",
      "XDG_DATA_HOME": "\(path)/.data", "SHELL": "/bin/sh", "EDITOR": "true",
    ]
    self.folder = folder
    self.environment = try Program.environment(own.merging(environment) { $1 })
  }

  /// Starts a command through a shell, in the home folder.
  func start(
    _ command: String, standardOutput: StandardOutput = .pipe, standardError: StandardOutput? = nil,
    environment: [String: String] = [:]
  ) throws -> TerminalSession {
    try TerminalSession(
      "/bin/sh", ["-c", command], environment: self.environment.merging(environment) { $1 },
      columns: 120, rows: 40, profile: .trueColor, workingDirectory: path, standardOutput: standardOutput,
      standardError: standardError ?? standardOutput,
      owning: [folder])
  }

  /// Starts a command with a picker and picks the first two photos with Enter.
  func pickTwo(_ command: String, standardOutput: StandardOutput = .pipe) throws -> TerminalSession {
    let session = try start(command, standardOutput: standardOutput)
    try session.waitForText("3 photos")
    try session.waitForCursor(on: "1.jpg")
    session.press(.space)
    try session.waitForText("1 picked")
    session.press(.right)
    try session.waitForCursor(on: "2.jpg")
    session.press(.space)
    try session.waitForText("2 picked")
    session.press(.enter)
    return session
  }
}
