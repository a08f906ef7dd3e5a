import AssetLibrary

/// The segments of a library, each under a number that no other segment ever gets.
struct SegmentList: Sendable {
  /// nil where the memory of a segment was given back.
  private var segments: [Segment?] = []
  /// The numbers of segments whose memory can be given back.
  private var retired: [Int] = []

  /// - Returns: the number of the segment.
  mutating func append(_ segment: Segment) -> Int {
    segments.append(segment)
    return segments.count - 1
  }

  /// nil where the segment is gone.
  subscript(number: Int) -> Segment? { segments[number] }

  /// The segment of an asset that exists.
  func segment(of handle: FetchHandle) -> Segment {
    guard let segment = segments[handle.segment] else {
      preconditionFailure("the segment of an existing asset is gone")
    }
    return segment
  }

  /// The row of an asset that exists.
  func row(of handle: FetchHandle) -> AssetRow { segment(of: handle).assets[handle.row] }

  /// Marks segments of which no asset exists any more.
  mutating func retire(_ numbers: [UInt32]) { retired += numbers.map { Int($0) } }

  /// Gives back the memory of the retired segments, once nothing speaks of them.
  mutating func removeRetired() {
    for number in retired { segments[number] = nil }
    retired = []
  }
}
