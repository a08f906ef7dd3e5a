import AssetLibrary
@testable import CursesHost
import Fixtures
@testable import FolderLibrary
import PickerRuntime
import PickerUI
import Pixels
import TerminalGraphics

/// Readers without media: the index, paths through a pipe, and a terminal's answers.
extension FuzzTarget {
  static let others = [
    FuzzTarget(
      name: "index", words: ["\0"],
      seeds: { [0, 1, 20].map { page(assets: $0) } + [.min, .max].map { page(assets: 1, number: $0) } },
      mend: checked
    ) { bytes in
      let pool = StringPool()
      guard let page = FolderPage(bytes, canonicalPath: Array("/a".utf8), pool: pool) else { return true }
      // As far as a fetch uses it.
      let segment = page.segment(folder: 0)
      for asset in segment.assets {
        _ = segment.name(of: asset)
        _ = segment.files(of: asset).map { segment.name(of: $0) }
        _ = AssetDate(fileTime: segment.currentFile(of: asset).modified)
        _ = asset.date.components
        _ = AssetDate(wallSeconds: asset.added)
        _ = segment.files(of: asset).map { ($0.thumbnail, $0.isEmbedded) }
      }
      // An accepted page is written as an acceptable one.
      precondition(FolderPage(page.encoded(pool: pool), canonicalPath: page.canonicalPath, pool: pool) != nil)
      return true
    },
    FuzzTarget(
      name: "paths", words: ["file://", "%00", "%2F", "\n"], memory: { _ in 4 << 20 },
      seeds: {
        ["/a/b\n/c\n\nfile:///a%20b\n", "a\0b\0", "file://host/%zz"].map { Array($0.utf8) } + [
          [UInt8](repeating: 97, count: 40_000)
        ]
      }
    ) { bytes in
      for isNulSeparated in [false, true] {
        let whole = paths(bytes, isNulSeparated, step: bytes.count)
        precondition(
          whole == paths(bytes, isNulSeparated, step: 7), "pieces of other lengths make other paths")
        for path in whole {
          if let path = FileURI.path(of: String(decoding: path, as: UTF8.self)) {
            _ = FileURI.text(for: path)
          }
        }
      }
      return true
    },
    FuzzTarget(
      name: "terminal",
      words: [
        "\u{1B}[", "\u{1B}]11;rgb:", "\u{1B}P", "\u{1B}_G", "\u{1B}\\", "\u{1B}[200~", "\u{1B}[<0;",
        "\u{1B}[6;",
      ] + extremes,
      memory: { _ in 4 << 20 },
      seeds: {
        [
          "\u{1B}[6;20;10t\u{1B}[4;800;1200t\u{1B}[?62;4;22c\u{1B}[?1;2S\u{1B}P>|XTerm(379)\u{1B}\\",
          "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}_Gi=1;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}[1;1R",
          "\u{1B}[<0;10;20M\u{1B}[<64;1;1m\u{1B}[200~/a/b\n\u{1B}[201~\u{1B}[1;5C\u{1B}OP\u{1B}[[A",
        ].map { Array($0.utf8) }
          + extremes.map { Array("\u{1B}[6;\($0);\($0)t\u{1B}[<32;\($0);\($0)M\u{1B}[\($0);\($0)u".utf8) }
      }
    ) { bytes in
      var probe = TerminalProbe(asksCursorPlace: true)
      var decoder = KeyDecoder()
      for start in stride(from: 0, to: bytes.count, by: 16) {
        let part = bytes[start..<min(bytes.count, start + 16)]
        _ = probe.feed(part)
        for event in decoder.feed(part) {
          // What the screen uses.
          if case .mouse(let mouse) = event {
            precondition((0..<1 << 16).contains(mouse.row) && (0..<1 << 16).contains(mouse.column))
          }
          if case .cellSize(let size) = event {
            precondition((1...1 << 16).contains(size.width) && (1...1 << 16).contains(size.height))
          }
        }
        if start % 256 == 0 { _ = decoder.timeOut() }
      }
      _ = decoder.timeOut()
      return true
    },
  ]

  /// Extreme integers, as text.
  static let extremes = ["-9223372036854775808", "9223372036854775807", "9223372036854775808"]

  private static func paths(_ bytes: [UInt8], _ isNulSeparated: Bool, step: Int) -> [[UInt8]] {
    var splitter = PathSplitter(isNulSeparated: isNulSeparated)
    var found: [[UInt8]] = []
    func take(_ piece: PathSplitter.Piece) {
      switch piece {
      case .path(let path), .overlong(let path): found.append(Array(path))
      }
    }
    for start in stride(from: 0, to: bytes.count, by: max(1, step)) {
      guard splitter.take(bytes[start..<min(bytes.count, start + step)], take) else { return found }
    }
    splitter.finish(take)
    return found
  }

  /// A page as stored in the index (`FolderPage.encoded`), with one file per asset.
  /// - Parameter extreme: The sizes and times; nil = ordinary ones.
  private static func page(assets count: Int, number extreme: Int64? = nil) -> [UInt8] {
    var builder = SegmentBuilder()
    for number in 0..<count {
      var file = FileRow(
        size: extreme ?? 1000, modified: extreme ?? 1_700_000_000_000_000_000, inode: 5, nameOffset: 0,
        nameCount: 0)
      file.kind = 0
      if let extreme {
        (file.rangeStart, file.rangeCount) = (UInt64(bitPattern: extreme), UInt64(bitPattern: extreme))
      }
      builder.add(file, named: Array("IMG_\(number).jpg".utf8))
      var row = AssetRow(identifier: UInt64(number), camera: 1, title: 2)
      if let extreme { (row.dateSeconds, row.added) = (extreme, extreme) }
      builder.add(row, ofLastFiles: 1)
    }
    let texts = Array("\0Canon\0Title".utf8)
    var writer = PageWriter()
    for number in [1, 2, 0, count, count, builder.names.count, texts.count] { writer.append(UInt64(number)) }
    writer.append(rowsOf: builder.assets)
    writer.append(rowsOf: builder.files)
    var head = PageWriter()
    let strides = UInt64(MemoryLayout<AssetRow>.stride) << 32 | UInt64(MemoryLayout<FileRow>.stride)
    head.append(IdentityRegistry.mix(FolderPage.version, strides))
    head.append(0)
    return checked(head.bytes + writer.bytes + builder.names + texts)
  }

  /// The page with a valid checksum.
  @Sendable private static func checked(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 16 else { return bytes }
    let sum = PageReader.checksum(of: bytes[16...])
    return bytes[..<8] + (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) } + bytes[16...]
  }
}
