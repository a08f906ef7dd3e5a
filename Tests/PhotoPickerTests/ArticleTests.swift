import Foundation
import Testing

/// The code of the DocC articles is part of the examples, which are compiled; an article that differs fails here.
struct ArticleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// All files of a kind below a folder of the package.
  private static func files(in folder: String, _ suffix: String) -> [URL] {
    let below = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    return (below?.compactMap { $0 as? String } ?? []).filter {
      $0.hasSuffix(suffix) && !$0.contains(".build")
    }
    .sorted().map { root.appending(path: "\(folder)/\($0)") }
  }

  private static let articles = files(in: "Sources", ".md").filter { $0.path.contains(".docc/") }

  /// The lines of an article's code blocks, without their common indentation.
  private static func blocks(of article: String) -> [[Substring]] {
    article.components(separatedBy: "```swift\n").dropFirst().map { rest in
      lines(rest.components(separatedBy: "\n```").first ?? "")
    }
  }

  /// Lines without surrounding blanks, for comparison.
  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: true)
  }

  private static func isPart(_ block: [Substring], of source: [Substring]) -> Bool {
    guard let first = block.first, source.count >= block.count else { return false }
    return source.indices.dropLast(block.count - 1).contains { start in
      // All lines must have the indentation of the first one.
      guard source[start].hasSuffix(first) else { return false }
      let indentation = source[start].dropLast(first.count)
      return indentation.allSatisfy(\.isWhitespace)
        && zip(block, source[start...]).allSatisfy { indentation + $0 == $1 }
    }
  }

  @Test func `Every public module has a page, and all but Imaging an article`() {
    let names = Self.articles.map(\.lastPathComponent)
    #expect(
      names == [
        "AssetLibrary.md", "WritingAStore.md", "FolderLibrary.md", "ListingAYear.md", "Imaging.md",
        "APhotoWall.md", "AThumbnailer.md", "AnAttachButton.md", "AskingForPermission.md",
        "FindingYourWay.md", "PhotoPicker.md", "PhotosFromAWebAPI.md", "PresentingThePicker.md",
        "DrawingThumbnails.md", "TerminalGraphics.md",
      ])
  }

  @Test func `The tutorial's wall has 40 lines at most`() throws {
    let wall = try String(
      contentsOf: Self.root.appending(path: "Tests/Examples/Wall/Wall.swift"), encoding: .utf8)
    #expect(wall.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= 40)
    let part = Self.root.appending(path: "Tests/Examples/PartOfScreen/PartOfScreen.swift")
    let lines = try String(contentsOf: part, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.dropLast().count <= 100)
  }

  @Test(arguments: articles)
  func `The code of an article is part of an example`(article: URL) throws {
    let examples = try Self.files(in: "Tests/Examples", ".swift").map {
      Self.lines(try String(contentsOf: $0, encoding: .utf8))
    }
    for block in Self.blocks(of: try String(contentsOf: article, encoding: .utf8)) {
      #expect(
        examples.contains { Self.isPart(block, of: $0) },
        "\(article.lastPathComponent): no example has\n\(block.joined(separator: "\n"))")
    }
  }
}
