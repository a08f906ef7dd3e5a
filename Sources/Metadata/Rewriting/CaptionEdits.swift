package import CodecProtocol
import MediaFormats

/// Bytes that take the place of a range of a file.
package struct FileEdit: Hashable, Sendable {
  package var range: Range<Int>
  package var bytes: [UInt8]

  package init(_ range: Range<Int>, _ bytes: [UInt8]) {
    (self.range, self.bytes) = (range, bytes)
  }
}

/// The changes that remove the captions from a file and leave everything else as it is: pixels, color profile, dates,
/// makers' notes, further images and videos.
///
/// Texts are overwritten where they are, because other parts of a file are found by their distance from its start. Only
/// a PNG's chunks and a GIF's comments are taken out.
package struct CaptionEdits: Hashable, Sendable {
  /// The changes, sorted by range, without overlap; empty if there are no captions.
  package var edits: [FileEdit] = []
  /// The blocks that are removed as a whole, because they can't be read.
  package var losses: Set<MetadataLoss> = []
  /// Whether no caption is left; false if a part of the file can't be read or changed.
  package var isComplete = true

  package init() {}

  /// Finds the captions of a file; none if its format is unknown.
  /// - Throws: the errors of the source.
  package init<Source: ByteSource>(in source: Source, byteCount: Int) throws(Source.Failure) {
    self = try MediaReader.withWindow(over: source, byteCount: byteCount) { window in
      var editor = CaptionEditor(window)
      editor.edit()
      return editor.finished()
    }
  }
}

// The wire format.
extension CaptionEdits {
  /// The maximum number of bytes that are transmitted; only hostile files need more.
  static let mostBytes = 20 << 20
  /// The number of bytes that are transmitted for a change besides its own.
  static let editOverhead = 20

  package func write(to wire: inout WireWriter) {
    wire.put(losses.reduce(UInt8(0)) { $0 | 1 << UInt8($1.rawValue) })
    wire.put(isComplete)
    wire.put(UInt32(clamping: edits.count))
    for edit in edits {
      wire.put(edit.range.lowerBound)
      wire.put(edit.range.upperBound)
      wire.put(edit.bytes)
    }
  }

  /// Reads changes that `write` wrote.
  /// - Parameter byteCount: the length of the file, which they don't exceed.
  package init(from wire: inout WireReader, byteCount: Int) throws(WireError) {
    let mask = try wire.byte()
    guard mask < 1 << 4 else { throw WireError() }
    losses = Set(MetadataLoss.allCases.filter { mask & 1 << UInt8($0.rawValue) != 0 })
    isComplete = try wire.bool()
    var end = 0
    for _ in 0..<(try wire.count(ofElements: Self.editOverhead)) {
      let lower = try wire.number(in: end...max(end, byteCount))
      end = try wire.number(in: lower...max(lower, byteCount))
      edits.append(FileEdit(lower..<end, try wire.byteString(upTo: Self.mostBytes)))
    }
  }
}

/// Finds captions in a file and collects the changes that remove them.
///
/// The formats' parts are in extensions. As in all readers, a wrong offset or length in a file finds nothing, and
/// nothing crashes.
struct CaptionEditor {
  var window: ByteWindow
  private(set) var edits: [FileEdit] = []
  private var losses: Set<MetadataLoss> = []
  private var isComplete = true
  private var bytesLeft = CaptionEdits.mostBytes

  init(_ window: ByteWindow) {
    self.window = window
  }

  mutating func edit() {
    guard let format = FileFormat.recognize(&window) else { return }
    let whole = 0..<window.end
    switch format {
    case .jpeg: jpeg(from: 0)
    case .png: png()
    case .gif: gif()
    case .webp, .avi: riff(isVideo: format == .avi)
    case .heic, .avif, .mp4, .quickTime, .m4v, .threeGP: boxes(in: whole)
    case .matroska, .webm: matroska()
    case .tiff, .dng, .cr2, .nef, .arw, .pef, .srw: exif(whole)
    case .bmp, .qoi, .mpegTransport: break
    default: fail()
    }
  }

  consuming func finished() -> CaptionEdits {
    var result = CaptionEdits()
    (result.losses, result.isComplete) = (losses, isComplete)
    for edit in edits.sorted(by: {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }) where edit != result.edits.last {
      // Only in hostile files are there two captions in one place.
      if let last = result.edits.last, edit.range.lowerBound < last.range.upperBound {
        result.isComplete = false
      } else {
        result.edits.append(edit)
      }
    }
    return result
  }

  // MARK: Changes

  /// Says that captions may be left.
  mutating func fail() { isComplete = false }

  mutating func lose(_ block: MetadataLoss) { losses.insert(block) }

  mutating func replace(_ range: Range<Int>, by bytes: [UInt8]) {
    let cost = bytes.count + CaptionEdits.editOverhead
    guard range.lowerBound >= 0, range.upperBound <= window.end, cost <= bytesLeft else { return fail() }
    bytesLeft -= cost
    edits.append(FileEdit(range, bytes))
  }

  mutating func blank(_ range: Range<Int>, with byte: UInt8 = 0) {
    guard range.count <= bytesLeft else { return fail() }
    if !range.isEmpty { replace(range, by: [UInt8](repeating: byte, count: range.count)) }
  }

  /// Changes a block that is stored in one part or several; its length stays.
  mutating func change(_ parts: [Range<Int>], _ change: (inout [UInt8]) -> Void) {
    var old: [UInt8] = []
    for part in parts {
      let bytes = window.copy(part)
      guard bytes.count == part.count else { return fail() }
      old += bytes
    }
    var new = old
    change(&new)
    guard new.count == old.count else { return fail() }
    var at = 0
    for part in parts {
      let bytes = new[at..<at + part.count]
      if bytes != old[at..<at + part.count] { replace(part, by: Array(bytes)) }
      at += part.count
    }
  }

  /// Makes changes, and takes them back: the caller writes the changed bytes of a range in another way.
  /// - Returns: the bytes; nil if nothing changes.
  mutating func changed(_ range: Range<Int>, _ make: (inout CaptionEditor) -> Void) -> [UInt8]? {
    let count = edits.count
    make(&self)
    let made = edits[count...]
    if made.isEmpty { return nil }
    edits.removeSubrange(count...)
    var bytes = window.copy(range)
    for edit in made {
      let place = edit.range.lowerBound - range.lowerBound..<edit.range.upperBound - range.lowerBound
      guard place.lowerBound >= 0, place.upperBound <= bytes.count, place.count == edit.bytes.count else {
        fail()
        return nil
      }
      bytes.replaceSubrange(place, with: edit.bytes)
    }
    return bytes
  }

  /// Whether a range has anything but blanks.
  mutating func hasText(_ range: Range<Int>) -> Bool {
    if range.count > ByteWindow.step { return true }
    return window.peek(range).contains { $0 != 0 && $0 != 0x20 }
  }
}

// Blocks of metadata, which several formats contain.
extension CaptionEditor {
  /// EXIF or a whole TIFF file: entries are taken out of their directories, and their values overwritten.
  mutating func exif(_ range: Range<Int>) {
    guard let tiff = TIFFReader(range, in: &window) else { return }
    var queue = [tiff.firstDirectory(in: &window)].compactMap { $0 }
    var seen: Set<Int> = []
    while let directory = queue.popLast() {
      // Real files have a few dozen at most.
      guard seen.count < 200 else { return fail() }
      guard seen.insert(directory.offset).inserted else { continue }
      if let next = tiff.next(after: directory, in: &window),
        let found = tiff.directory(at: next, in: &window)
      {
        queue.append(found)
      }
      var captions: [Int: TIFFReader.Entry] = [:]
      for line in 0..<directory.count {
        guard let entry = tiff.entry(line, of: directory, in: &window) else { continue }
        switch entry.tag {
        // EXIF's directory, and those of further images.
        case 0x8769, 0x014A:
          for index in 0..<min(entry.count, 16) {
            var one = entry
            (one.count, one.offset) = (1, entry.offset + index * TIFFReader.size(of: entry.type))
            if let place = tiff.integer(one, in: &window), let found = tiff.directory(at: place, in: &window)
            {
              queue.append(found)
            }
          }
        case 0x02BC: if let block = tiff.block(entry) { xmp([block]) }
        case 0x83BB:
          if let block = tiff.block(entry) { change([block]) { $0 = IPTCCaptions.removed(from: $0[...]) } }
        case 0x8649: if let block = tiff.block(entry) { imageResources([block], from: 0) }
        case let tag where Captions.tags.contains(tag):
          // The first bytes of a comment name its character set.
          let start = tag == 0x9286 ? min(8, entry.count) : 0
          let size = entry.count * TIFFReader.size(of: entry.type)
          if hasText(entry.offset + start..<entry.offset + max(start, size)) { captions[line] = entry }
        default: break
        }
      }
      if !captions.isEmpty { remove(captions, from: directory, tiff) }
    }
  }

  private mutating func remove(
    _ captions: [Int: TIFFReader.Entry], from directory: TIFFReader.Directory, _ tiff: TIFFReader
  ) {
    let (length, head) = tiff.isBig ? (20, 8) : (12, 2)
    let lines = directory.offset..<directory.offset + directory.count * length
    // The offset of the next directory follows.
    let table = lines.lowerBound - head..<min(tiff.end, lines.upperBound + (tiff.isBig ? 8 : 4))
    let old = window.peek(table)
    guard table.upperBound >= lines.upperBound, old.count == table.count else { return fail() }
    for entry in captions.values where !lines.contains(entry.offset) {
      blank(entry.offset..<entry.offset + entry.count * TIFFReader.size(of: entry.type))
    }
    let rows = (0..<directory.count).map { Array(old[(head + $0 * length)..<(head + ($0 + 1) * length)]) }
    let kept = rows.indices.filter { captions[$0] == nil }
    var new: [UInt8]
    if kept.isEmpty {
      // A directory without entries is invalid: the values become blank.
      new = old
      for (line, entry) in captions where lines.contains(entry.offset) {
        let end = head + (line + 1) * length
        new.replaceSubrange(
          end - (tiff.isBig ? 8 : 4)..<end, with: [UInt8](repeating: 0, count: tiff.isBig ? 8 : 4))
      }
    } else {
      let count = (0..<head).map { UInt8(truncatingIfNeeded: kept.count >> (8 * $0)) }
      new = (tiff.isLittleEndian ? count : count.reversed()) + kept.flatMap { rows[$0] }
      new += old[(head + rows.count * length)...]
      new += [UInt8](repeating: 0, count: old.count - new.count)
    }
    if new != old { replace(table, by: new) }
  }

  /// An XMP packet, in one part or several.
  ///
  /// One that can't be parsed is removed as a whole, as where metadata is copied.
  mutating func xmp(_ parts: [Range<Int>]) {
    guard parts.reduce(0, { $0 + $1.count }) <= XMPReader.longestPacket else { return fail() }
    var isWhole = true
    change(parts) { isWhole = XMPCaptions.blank(in: &$0) }
    if !isWhole { lose(.xmp) }
  }

  /// Photoshop's image resources, which contain IPTC and XMP.
  /// - Parameter start: where the first resource starts in the block.
  mutating func imageResources(_ parts: [Range<Int>], from start: Int) {
    guard parts.reduce(0, { $0 + $1.count }) <= XMPReader.longestPacket else { return fail() }
    var isWhole = true
    change(parts) { bytes in
      var at = start
      while at + 12 <= bytes.count, bytes[at..<at + 4].elementsEqual("8BIM".utf8) {
        let number = Int(bytes[at + 4]) << 8 | Int(bytes[at + 5])
        let size = at + 6 + (Int(bytes[at + 6]) + 2) & ~1
        guard size + 4 <= bytes.count else { return }
        let length = bytes[size..<size + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= bytes.count - size - 4 else { return }
        let data = size + 4..<size + 4 + length
        switch number {
        case 0x0404: bytes.replaceSubrange(data, with: IPTCCaptions.removed(from: bytes[data]))
        // Photoshop 2's caption.
        case 0x03F0: bytes.replaceSubrange(data, with: [UInt8](repeating: 0, count: length))
        case 0x0424:
          var packet = Array(bytes[data])
          if !XMPCaptions.blank(in: &packet) { isWhole = false }
          bytes.replaceSubrange(data, with: packet)
        default: break
        }
        at = data.upperBound + length & 1
      }
    }
    if !isWhole { lose(.xmp) }
  }
}

/// Takes captions out of IPTC datasets.
private enum IPTCCaptions {
  /// Returns the datasets without captions, followed by zeros up to the same length.
  static func removed(from bytes: ArraySlice<UInt8>) -> [UInt8] {
    var kept: [UInt8] = []
    var at = bytes.startIndex
    while at + 5 <= bytes.endIndex, bytes[at] == 0x1C {
      let length = Int(bytes[at + 3]) << 8 | Int(bytes[at + 4])
      guard length < 0x8000, at + 5 + length <= bytes.endIndex else { break }
      if bytes[at + 1] != 2 || !Captions.datasets.contains(bytes[at + 2]) {
        kept += bytes[at..<at + 5 + length]
      }
      at += 5 + length
    }
    kept += bytes[at...]
    return kept + [UInt8](repeating: 0, count: bytes.count - kept.count)
  }
}

/// Overwrites captions in XMP packets with spaces.
enum XMPCaptions {
  /// Overwrites the captions, or all of a packet that can't be parsed.
  /// - Returns: whether it could be parsed.
  static func blank(in packet: inout [UInt8]) -> Bool {
    do throws(XMLTags.Malformed) {
      for range in try captions(in: packet) {
        packet.replaceSubrange(range, with: [UInt8](repeating: 0x20, count: range.count))
      }
      return true
    } catch {
      packet = [UInt8](repeating: 0x20, count: packet.count)
      return false
    }
  }

  /// An open element, with the namespaces of its prefixes.
  private struct Element {
    var name: String
    var prefixes: [String: String]
  }

  private static func captions(in packet: [UInt8]) throws(XMLTags.Malformed) -> [Range<Int>] {
    // UTF-16 and UTF-32 have zeros between the letters.
    if packet.prefix(64).dropLast().contains(0) { throw XMLTags.Malformed() }
    var tags = XMLTags(packet)
    var found: [Range<Int>] = []
    var open: [Element] = []
    var caption: (start: Int, depth: Int)?
    while let tag = try tags.next() {
      if tag.kind == .end {
        guard let element = open.popLast(), element.name == tag.name else { throw XMLTags.Malformed() }
        if let (start, depth) = caption, depth == open.count {
          found.append(start..<tag.range.upperBound)
          caption = nil
        }
        continue
      }
      var prefixes = open.last?.prefixes ?? [:]
      for attribute in tag.attributes where attribute.name.hasPrefix("xmlns") {
        let space = String(decoding: packet[attribute.value], as: UTF8.self)
        if attribute.name == "xmlns" { prefixes[""] = space }
        if attribute.name.hasPrefix("xmlns:") { prefixes[String(attribute.name.dropFirst(6))] = space }
      }
      if caption == nil {
        if isCaption(tag.name, prefixes) {
          if tag.kind == .empty {
            found.append(tag.range)
          } else {
            caption = (tag.range.lowerBound, open.count)
          }
        } else {
          // Attributes without a prefix are in no namespace.
          for attribute in tag.attributes
          where attribute.name.contains(":") && isCaption(attribute.name, prefixes) {
            found.append(attribute.range)
          }
        }
      }
      if tag.kind == .start { open.append(Element(name: tag.name, prefixes: prefixes)) }
    }
    // Not even a root: this is another encoding, or no packet.
    guard open.isEmpty, caption == nil else { throw XMLTags.Malformed() }
    return found
  }

  private static func isCaption(_ name: String, _ prefixes: [String: String]) -> Bool {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let local = parts.last, let space = prefixes[parts.count == 2 ? String(parts[0]) : ""] else {
      return false
    }
    return Captions.properties.contains("\(space) \(local)")
  }
}
