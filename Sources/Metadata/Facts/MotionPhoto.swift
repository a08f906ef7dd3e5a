/// Finds the video that is appended to the image of a Motion Photo.
///
/// Formats: Android's Motion Photo format 1.0 (XMP Container:Directory), its predecessor with
/// GCamera:MicroVideoOffset, and Samsung's trailer as described by ExifTool's Samsung tags.
enum MotionPhoto {
  /// Returns the byte range of the video; nil unless an MP4 starts there.
  ///
  /// The video is at the end of the file. If that part is not available, it is downloaded only if the
  /// metadata claims that there is a video: it is not worth downloading a part of every photo only because
  /// the camera's maker appends videos.
  /// - Parameter box: the range of a box that contains the video, as in HEIC files.
  static func video(
    _ claim: MotionClaim?, make: String?, inBox box: Range<Int>? = nil, in window: inout ByteWindow
  ) -> Range<Int>? {
    if let box, isVideo(box, in: &window) { return box }
    return claim?.isClaimed ?? false
      ? find(claim, make: make, in: &window) : window.optional { find(claim, make: make, in: &$0) }
  }

  private static func find(_ claim: MotionClaim?, make: String?, in window: inout ByteWindow) -> Range<Int>? {
    let end = window.end
    guard end < .max else { return nil }
    if let claim, claim.isClaimed {
      for range in candidates(claim, end: end) where isVideo(range, in: &window) { return range }
    }
    guard claim?.isClaimed ?? false || mayHaveTrailer(make), let range = samsungVideo(in: &window),
      isVideo(range, in: &window)
    else { return nil }
    return range
  }

  /// Whether photos of a camera maker may end with Samsung's trailer.
  ///
  /// Those of Samsung may, and Live Photos of an iPhone that Smart Switch moved to a Samsung. The ends of
  /// other makers' photos are not read.
  private static func mayHaveTrailer(_ make: String?) -> Bool {
    guard let make = make?.lowercased() else { return false }
    return make.hasPrefix("samsung") || make == "apple"
  }

  /// Returns the ranges in which the video should be, according to each kind of claim.
  private static func candidates(_ claim: MotionClaim, end: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    if let index = claim.items.firstIndex(where: { $0.semantic == "MotionPhoto" }) {
      let video = claim.items[index]
      var behind = 0
      for item in claim.items[index...] {
        let (sum, overflow) = behind.addingReportingOverflow(item.length)
        let (all, overflow2) = sum.addingReportingOverflow(item.padding)
        guard !overflow, !overflow2, all <= end else { return [] }
        behind = all
      }
      if video.length > 0 { ranges.append(end - behind..<end - behind + video.length) }
    }
    if let offset = claim.microVideoOffset, offset > 0, offset <= end { ranges.append(end - offset..<end) }
    return ranges
  }

  /// Whether a box of type "ftyp" starts there (ISO/IEC 14496-12, 4.3).
  private static func isVideo(_ range: Range<Int>, in window: inout ByteWindow) -> Bool {
    guard range.count >= 16, range.lowerBound > 0, range.upperBound <= window.end else { return false }
    let head = window.peek(range.lowerBound..<range.lowerBound + 8)
    guard let box = Box(head[...], at: range.lowerBound, end: range.upperBound) else { return false }
    return box.type == "ftyp" && !box.isOpenEnded && box.content.upperBound <= range.upperBound
  }

  /// Returns the block "MotionPhoto_Data" (0x0A30) of the directory with which a file ends ("SEFT").
  private static func samsungVideo(in window: inout ByteWindow) -> Range<Int>? {
    let end = window.end
    guard end > 32 else { return nil }
    let tail = window.peek(end - 8..<end)
    guard tail.count == 8, tail[4...].elementsEqual("SEFT".utf8) else { return nil }
    let length = littleEndian(tail, 0)
    guard (12...65536).contains(length), length <= end - 8 else { return nil }
    let start = end - 8 - length
    let table = window.peek(start..<end - 8)
    guard table.count == length, table.starts(with: "SEFH".utf8) else { return nil }
    let count = min(littleEndian(table, 8), (length - 12) / 12)
    for index in 0..<count {
      let entry = 12 + 12 * index
      let (back, size) = (littleEndian(table, entry + 4), littleEndian(table, entry + 8))
      guard table[entry + 2] == 0x30, table[entry + 3] == 0x0A, back <= start, size > 8, size <= back
      else { continue }
      let head = window.peek(start - back..<start - back + 8)
      guard head.count == 8 else { return nil }
      let name = littleEndian(head, 4)
      guard name < size - 8 else { return nil }
      return start - back + 8 + name..<start - back + size
    }
    return nil
  }

  private static func littleEndian(_ bytes: [UInt8], _ at: Int) -> Int {
    (0..<4).reversed().reduce(0) { $0 << 8 | Int(bytes[at + $1]) }
  }
}
