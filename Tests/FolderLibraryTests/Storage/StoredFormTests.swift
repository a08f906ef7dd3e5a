import AssetLibrary
import CPlatform
import Fixtures
import GRDB
import MediaFormats
import SystemPackage
import Testing

@testable import FolderLibrary

/// The contents of index and ledger are recorded (`StoredForms`) together with their format versions.
///
/// A failure says which version to raise. See `StoredForm` for how to renew a record.
@Suite struct StoredFormTests {
  private static let pageVersion = "FolderPage.version (Sources/FolderLibrary/Storage/FolderPage.swift)"

  private func expect(_ now: StoredForm, _ recorded: StoredForm, _ constant: String, advice: String? = nil) {
    #expect(recorded.mismatch(with: now, constant: constant, advice: advice) == nil)
  }

  @Test func `A record matches only the same form under the same version`() {
    let form = { (version: Int, text: String) in
      // A path that can't be written, so that renewing records has no effect here.
      StoredForm(version: version, text: text, file: "/nowhere/at.all")
    }
    let record = form(3, "a\nb")
    #expect(record.mismatch(with: form(3, "a\nb"), constant: "version") == nil)
    for other in [form(4, "a\nb"), form(3, "a\nc"), form(4, "a\nc"), form(3, "a")] {
      #expect(record.mismatch(with: other, constant: "version") != nil)
    }
  }

  // MARK: The index

  @Test func `Metadata read from files changes only with the version of a page`() throws {
    let library = try TestLibrary()
    for (name, bytes) in StoredFormFiles.all {
      try library.photos.write(bytes, to: name)
      try library.photos.setModificationTime(1_700_000_000, of: name)
    }
    _ = library.open(codecs: Program.helper)
    let pool = StringPool()
    let storage = LibraryStorage(library.locations)
    let root = try #require(library.photos.filePath.resolved).bytes
    var text: [String] = []
    for folder in ["", "/hidden"] {
      let page = try #require(storage.page(of: root + Array(folder.utf8), pool: pool))
      text += PageText(page, pool).lines
    }
    let now = StoredForm(version: Int(FolderPage.version), text: text.joined(separator: "\n"))
    expect(now, StoredForms.facts, Self.pageVersion)
  }

  @Test func `The bytes of a page change only with its version`() throws {
    let now = StoredForm(
      version: Int(FolderPage.version), text: PageLayout.lines.joined(separator: "\n"))
    expect(now, StoredForms.layout, Self.pageVersion)
  }

  // MARK: Tables

  @Test func `The tables of the index change only with their version`() throws {
    let folder = try TemporaryFolder()
    let database = try LibraryIndex.open(folder.filePath(of: "index.sqlite"))
    let now = try database.queue.read { try StoredForm(tablesOf: $0) }
    expect(
      now, StoredForms.index,
      "the version in LibraryIndex.open (Sources/FolderLibrary/Storage/LibraryIndex.swift)")
  }

  @Test func `The tables and entries of the ledger change only with their version`() throws {
    let folder = try TemporaryFolder()
    let path = folder.filePath(of: "library.sqlite")
    _ = LibraryLedger(at: path, notes: StorageNotes())
    var now = try DatabaseQueue(path: path.string).read { try StoredForm(tablesOf: $0) }
    let status = file_status(device: 1, inode: 2, born: 3)
    let key = IdentityRegistry.key(of: status, linkHash: nil)
    now = StoredForm(
      version: now.version,
      text: [
        now.text, "", "entry: " + PageLayout.fields(of: LedgerEntry(nameHash: 0, identifier: 0, added: 0)),
        "name: \(LedgerEntry.hash(of: "IMG_0001.JPG".utf8))",
        "identifier: \(key), \(LocalIdentifier(number: key).rawValue)",
        "identifier of one of two names: \(IdentityRegistry.key(of: status, linkHash: 4))",
      ].joined(separator: "\n"))
    expect(
      now, StoredForms.ledger,
      "the version in LibraryLedger.init (Sources/FolderLibrary/Storage/LibraryLedger.swift)",
      advice: """
        What a ledger of the version before holds has to be carried over: favorites and permissions go by these \
        identifiers, and no scan finds them again.
        """)
  }
}

extension StoredForm {
  /// The tables of a database and their version.
  fileprivate init(tablesOf database: Database) throws {
    let tables = try String.fetchAll(
      database, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    self.init(
      version: try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0,
      text: tables.joined(separator: "\n"))
  }
}

extension file_status {
  fileprivate init(device: UInt64, inode: UInt64, born: Int64) {
    self.init()
    (self.device, self.inode, self.born) = (device, inode, born)
  }
}

// MARK: - A page as text

/// The assets and files of a page, one per line, without what depends on the machine or the time.
private struct PageText {
  private let page: FolderPage
  private let pool: StringPool

  init(_ page: FolderPage, _ pool: StringPool) { (self.page, self.pool) = (page, pool) }

  var lines: [String] {
    let segment = page.segment(folder: 0)
    let assets = page.assets.map { asset in
      let files = segment.files(of: asset)
      let name = files.first.map { String(decoding: segment.name(of: $0), as: UTF8.self) } ?? ""
      return (name, ["\(name): \(self.asset(asset))"] + files.map { file($0, segment) })
    }
    let used = page.assets.reduce(0) { $0 + Int($1.fileCount) }
    let others = page.files[used...].map { file in
      (String(decoding: segment.name(of: file), as: UTF8.self), [self.file(file, segment)])
    }
    return (page.isHidden ? ["a hidden folder"] : [])
      + assets.sorted { $0.0 < $1.0 }.flatMap(\.1) + others.sorted { $0.0 < $1.0 }.flatMap(\.1)
  }

  private func asset(_ row: AssetRow) -> String {
    var renumbered = row
    renumbered.renumber { $0 &+ 1 }
    let texts = Set(PageLayout.changed(row, from: renumbered).map(\.name))
    // A file's own date depends on the time zone.
    let fileDate = AssetDate(fileTime: page.files[Int(row.firstFile)].modified)
    var parts = [
      "\(MediaType.numbered[Int(row.mediaType)])", "\(PlaybackStyle.numbered[Int(row.playbackStyle)])",
      row.date == fileDate ? "date of the file" : date(row),
    ]
    for field in PageLayout.changed(row, from: AssetRow(identifier: 0)) {
      switch field.name {
      case "identifier", "added", "firstFile", "fileCount", "mediaType", "playbackStyle": continue
      case "dateSeconds", "dateNanoseconds", "dateOffset": continue
      case "subtypes": parts.append("subtypes \(subtypes(row.subtypes))")
      case "flags": parts.append("flags \(flags(row.flags))")
      case "latitude", "longitude": parts.append("\(field.name) \(degrees(field.value))")
      // The sign is followed by the folder's number, which differs in each run of the test.
      case "burst": parts.append("burst '\(text(field.value).prefix { $0 != "@" })'")
      case let name where texts.contains(name): parts.append("\(name) '\(text(field.value))'")
      default: parts.append("\(field.name) \(field.value)")
      }
    }
    return parts.joined(separator: ", ")
  }

  private func file(_ row: FileRow, _ segment: Segment) -> String {
    var parts: [String] = []
    for field in PageLayout.changed(
      row, from: FileRow(size: 0, modified: 0, inode: 0, nameOffset: 0, nameCount: 0))
    {
      switch field.name {
      case "size", "modified", "changed", "inode", "nameOffset", "nameCount": continue
      case "kind": parts.append("\(AssetResource.Kind.numbered[Int(row.kind)])")
      case "format": parts.append(FileFormat(rawValue: row.format).map { "\($0)" } ?? "no format")
      default: parts.append("\(field.name) \(field.value)")
      }
    }
    return "  " + ([String(decoding: segment.name(of: row), as: UTF8.self)] + parts).joined(separator: ", ")
  }

  private func date(_ row: AssetRow) -> String {
    let date = row.date.components
    return "\(date.year)-\(date.month)-\(date.day) \(date.hour):\(date.minute):\(date.second)"
      + (row.dateNanoseconds == 0 ? "" : " \(row.dateNanoseconds) ns")
      + (row.dateOffset == AssetRow.unknownOffset ? "" : " offset \(row.dateOffset) s")
  }

  private func text(_ number: String) -> String {
    guard let number = UInt32(number) else { return number }
    return pool[number].replacing(StringPool.separator, with: "|").replacing("\n", with: " ")
  }

  private func degrees(_ value: String) -> String {
    Double(value).map { "\(($0 * 10_000).rounded() / 10_000)" } ?? value
  }

  private func flags(_ flags: AssetRow.Flags) -> String {
    names(
      UInt32(flags.rawValue),
      [
        (AssetRow.Flags.hidden, "hidden"), (.adjusted, "adjusted"), (.cover, "cover"),
        (.unread, "provisional"), (.fileDate, "fileDate"), (.inherited, "inherited"),
        (.xmpDate, "xmpDate"), (.iptcDate, "iptcDate"), (.quickTimeDate, "quickTimeDate"),
        (.burstOfSeveral, "burstOfSeveral"), (.nameDate, "nameDate"),
      ].map { (UInt32($0.0.rawValue), $0.1) })
  }

  private func subtypes(_ number: UInt32) -> String {
    names(
      number,
      [
        (MediaSubtypes.livePhoto, "livePhoto"), (.panorama, "panorama"), (.screenshot, "screenshot"),
        (.screenRecording, "screenRecording"), (.depthEffect, "depthEffect"), (.cinematic, "cinematic"),
        (.slomo, "slomo"), (.timelapse, "timelapse"), (.spatial, "spatial"), (.hdr, "hdr"),
        (.animated, "animated"), (.raw, "raw"), (.selfie, "selfie"), (.longExposure, "longExposure"),
      ].map { ($0.0.rawValue, $0.1) })
  }

  /// The stored number, and the names of its bits.
  private func names(_ number: UInt32, _ bits: [(UInt32, String)]) -> String {
    "\(number) (\(bits.filter { number & $0.0 != 0 }.map(\.1).joined(separator: " ")))"
  }
}

// MARK: - The layout of a page

/// The memory layout of rows and pages, in which the index stores them.
private enum PageLayout {
  struct Field: Equatable {
    var name: String
    var value: String
  }

  /// The fields of a row in order, with their types: its layout.
  static func fields(of row: Any) -> String {
    Mirror(reflecting: row).children.map { "\($0.label ?? "?") \(type(of: $0.value))" }.joined(
      separator: ", ")
  }

  /// The fields that differ from those of another row.
  static func changed(_ row: Any, from plain: Any) -> [Field] {
    zip(all(row), all(plain)).filter { $0 != $1 }.map(\.0)
  }

  private static func all(_ row: Any) -> [Field] {
    Mirror(reflecting: row).children.map { Field(name: $0.label ?? "?", value: "\($0.value)") }
  }

  static var lines: [String] {
    [
      "asset, \(MemoryLayout<AssetRow>.stride) bytes: \(fields(of: AssetRow(identifier: 0)))",
      "file, \(MemoryLayout<FileRow>.stride) bytes: \(fields(of: file))",
      "media types: \(MediaType.numbered.map(\.rawValue))",
      "playback styles: \(PlaybackStyle.numbered.map(\.rawValue))",
      "kinds: \(AssetResource.Kind.numbered.map(\.rawValue))",
      "formats: \(FileFormat.allCases.map { "\($0.rawValue) \($0)" }.joined(separator: ", "))",
      "checksum: \(PageReader.checksum(of: Array("0123456789".utf8)[...]))", "page: \(bytes)",
    ].flatMap(wrapped)
  }

  private static var file: FileRow {
    var file = FileRow(size: 1000, modified: 2000, changed: 2500, inode: 3000, nameOffset: 0, nameCount: 5)
    (file.rangeStart, file.rangeCount, file.kind, file.format, file.orientation) = (10, 20, 0, 1, 6)
    (file.storedWidth, file.storedHeight, file.stalledRuns) = (64, 48, 1)
    return file
  }

  /// The bytes after version and checksum of a page with one asset, in hexadecimal.
  private static var bytes: String {
    let pool = StringPool()
    var builder = SegmentBuilder()
    builder.add(file, named: Array("a.jpg".utf8))
    var asset = AssetRow(identifier: 0x0102_0304_0506_0708, added: 5, dateSeconds: 6)
    (asset.latitude, asset.longitude, asset.dateOffset, asset.duration) = (1, 2, 3600, 1.5)
    asset.camera = pool.number(of: "Camera")
    asset.keywords = pool.number(of: ["one", "two"])
    (asset.flags, asset.mediaType, asset.playbackStyle, asset.rating) = ([.adjusted], 1, 1, -1)
    builder.add(asset, ofLastFiles: 1)
    var state = LibraryState()
    let folder = state.add(
      LibraryFolder(
        path: "/a", canonicalPath: Array("/a".utf8), identity: FileIdentity(device: 7, inode: 8), parent: nil,
        depth: 0))
    var page = FolderPage(of: folder, in: state)
    (page.assets, page.files, page.names) = (builder.assets, builder.files, builder.names)
    var bytes = page.encoded(pool: pool)
    // The zone depends on this machine, and the padding of a row is arbitrary memory.
    for place in 40..<48 { bytes[place] = 0 }
    let rows = 16 + 8 * 8
    let files = rows + MemoryLayout<AssetRow>.stride
    for place in rows + MemoryLayout<AssetRow>.size..<files { bytes[place] = 0 }
    for place in files + MemoryLayout<FileRow>.size..<files + MemoryLayout<FileRow>.stride {
      bytes[place] = 0
    }
    return bytes[16...].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Splits a long line into pieces, at spaces where possible.
  private static func wrapped(_ line: String) -> [String] {
    var (lines, rest) = ([String](), line[...])
    while rest.count > 96 {
      let piece = rest.prefix(96)
      let end = piece.lastIndex(of: " ") ?? piece.endIndex
      lines.append(String(rest[..<end]))
      rest = rest[end...].drop { $0 == " " }
    }
    return lines + [String(rest)]
  }
}
