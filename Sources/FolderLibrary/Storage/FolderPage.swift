import AssetLibrary
import Metadata

/// The data of one folder in the format of the index.
///
/// A header, the rows as in memory, the names, and the texts to which the rows refer by number. The format is
/// specific to this machine and version, which the header identifies; a page with another header or a wrong
/// checksum is ignored.
struct FolderPage: Sendable {
  var canonicalPath: [UInt8]
  var identity: FileIdentity
  var isHidden: Bool
  var assets: [AssetRow]
  var files: [FileRow]
  var names: [UInt8]

  /// Creates the page from the library's state.
  init(of index: Int, in state: LibraryState) {
    var builder = SegmentBuilder()
    // Individually named files of the folder belong to it too.
    let folders = [index] + state.folders.partial(at: state.folders[index].canonicalPath)
    for handle in folders.flatMap(state.contents) {
      let segment = state.segment(of: handle)
      builder.add(segment.assets[handle.row], from: segment)
    }
    for file in state.knownFiles(in: index) where file.asset == nil {
      builder.add(file.file, named: file.name)
    }
    let folder = state.folders[index]
    (canonicalPath, identity, isHidden) = (folder.canonicalPath, folder.identity, folder.isHidden)
    (assets, files, names) = (builder.assets, builder.files, builder.names)
  }

  func segment(folder: Int) -> Segment { Segment(folder: folder, assets: assets, files: files, names: names) }

  /// Returns a segment with only those assets that contain one of the named files.
  func segment(folder: Int, only wanted: Set<[UInt8]>?) -> Segment {
    let all = segment(folder: folder)
    guard let wanted else { return all }
    return all.assets(ofFiles: Set(wanted.map { $0[...] }))
  }

  /// The date of the newest asset in seconds of local time; `Int64.min` without assets.
  var newest: Int64 { assets.lazy.map(\.dateSeconds).max() ?? .min }

  // MARK: Bytes

  /// Raise it with every change of the rows' layout or meaning.
  static let version: UInt64 = 13
  private static var layout: UInt64 {
    IdentityRegistry.mix(
      version, UInt64(MemoryLayout<AssetRow>.stride) << 32 | UInt64(MemoryLayout<FileRow>.stride))
  }

  /// The latest file time that the system reports, in nanoseconds.
  private static let latest: UInt64 = 9_001_000_000_000_000_000

  /// Encodes the page.
  func encoded(pool: StringPool) -> [UInt8] {
    var texts: [String] = [""]
    var numbers: [UInt32: UInt32] = [0: 0]
    let known = pool.texts
    var rows = assets
    for index in rows.indices {
      rows[index].renumber { number in
        if let local = numbers[number] { return local }
        let local = UInt32(texts.count)
        // NUL terminates a text in the page; inside a text it would shift all that follow.
        let text = known[number]
        texts.append(text.utf8.contains(0) ? text.replacing("\0", with: " ") : text)
        numbers[number] = local
        return local
      }
    }
    let strings = texts.joined(separator: "\0")
    var writer = PageWriter()
    writer.append(identity.device)
    writer.append(identity.inode)
    writer.append(isHidden ? 1 : 0)
    writer.append(SystemZone.key)
    writer.append(UInt64(rows.count))
    writer.append(UInt64(files.count))
    writer.append(UInt64(names.count))
    writer.append(UInt64(strings.utf8.count))
    writer.append(rowsOf: rows)
    writer.append(rowsOf: files)
    writer.bytes += names
    writer.bytes += strings.utf8
    var head = PageWriter()
    head.append(Self.layout)
    head.append(PageReader.checksum(of: writer.bytes[...]))
    return head.bytes + writer.bytes
  }

  /// Decodes a page; nil if it is damaged or of another version.
  init?(_ bytes: [UInt8], canonicalPath: [UInt8], pool: StringPool) {
    var reader = PageReader(bytes)
    guard reader.number() == Self.layout, let checksum = reader.number(),
      checksum == PageReader.checksum(of: reader.rest),
      let device = reader.number(), let inode = reader.number(), let hidden = reader.number(),
      let zone = reader.number(),
      let assetCount = reader.count(), let fileCount = reader.count(), let nameCount = reader.count(),
      let textCount = reader.count(),
      var assets: [AssetRow] = reader.rows(assetCount), let files: [FileRow] = reader.rows(fileCount),
      let names = reader.bytes(nameCount), let text = reader.bytes(textCount)
    else { return nil }
    let numbers = text.split(separator: 0, omittingEmptySubsequences: false)
      .map { pool.number(of: String(decoding: $0, as: UTF8.self)) }
    var isSound = files.allSatisfy { file in
      Int(file.nameOffset) + Int(file.nameCount) <= names.count && file.nameCount > 0
        && (file.kind == FileRow.none || Int(file.kind) < AssetResource.Kind.numbered.count)
        && file.size >= RemoteFile.unknownSize && file.modified.magnitude <= Self.latest
        && file.rangeStart <= UInt64(Int64.max) / 2 && file.rangeCount <= UInt64(Int64.max) / 2
    }
    for index in assets.indices {
      // The time zone may have changed since, for example on a journey.
      if zone != SystemZone.key, assets[index].flags.contains(.systemZone) {
        assets[index].setDate(assets[index].date.inSystemZone)
      }
      let row = assets[index]
      isSound =
        isSound && row.fileCount > 0 && Int(row.firstFile) + Int(row.fileCount) <= files.count
        && Int(row.mediaType) < MediaType.numbered.count
        && Int(row.playbackStyle) < PlaybackStyle.numbered.count
        && (0..<1_000_000_000).contains(row.dateNanoseconds) && (0..<31_536_000).contains(row.duration)
        && (row.latitude.isNaN || Coordinate(latitude: row.latitude, longitude: row.longitude).isOnEarth)
        && files[Int(row.firstFile)..<Int(row.firstFile) + Int(row.fileCount)].allSatisfy {
          $0.kind != FileRow.none
        }
      assets[index].renumber { number in
        if Int(number) < numbers.count { return numbers[Int(number)] }
        isSound = false
        return 0
      }
    }
    guard isSound else { return nil }
    self.canonicalPath = canonicalPath
    identity = FileIdentity(device: device, inode: inode)
    isHidden = hidden != 0
    self.assets = assets
    self.files = files
    self.names = names
  }
}

/// Reads numbers and rows from bytes; nil at the end.
struct PageReader {
  private let all: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) {
    all = bytes
  }

  var rest: ArraySlice<UInt8> { all[place...] }

  mutating func number() -> UInt64? {
    guard place + 8 <= all.count else { return nil }
    defer { place += 8 }
    return all.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
  }

  /// A count that is not larger than the number of bytes.
  mutating func count() -> Int? { number().flatMap { $0 <= UInt64(all.count) ? Int($0) : nil } }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard place + count <= all.count else { return nil }
    defer { place += count }
    return Array(all[place..<place + count])
  }

  mutating func rows<Row: BitwiseCopyable>(_ count: Int) -> [Row]? {
    let size = count * MemoryLayout<Row>.stride
    guard place + size <= all.count else { return nil }
    defer { place += size }
    return [Row](unsafeUninitializedCapacity: count) { buffer, filled in
      all.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: .init(rebasing: $0[place..<place + size]))
      }
      filled = count
    }
  }

  /// A checksum that depends on every byte, computed eight bytes at a time.
  static func checksum(of bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { buffer in
      var sum = UInt64(buffer.count)
      var place = 0
      while place + 8 <= buffer.count {
        sum = IdentityRegistry.mix(sum, buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        place += 8
      }
      while place < buffer.count {
        sum = IdentityRegistry.mix(sum, UInt64(buffer[place]))
        place += 1
      }
      return sum
    }
  }
}

/// Writes numbers and rows.
struct PageWriter {
  var bytes: [UInt8] = []

  mutating func append(_ number: UInt64) { withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) } }

  mutating func append<Row: BitwiseCopyable>(rowsOf rows: [Row]) {
    rows.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
}
