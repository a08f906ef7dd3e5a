import AssetLibrary
import MediaFormats
import Metadata

/// Groups the files of one stem into assets, by their kinds and names.
///
/// Pure: findings in, groups out. Makes only the pairs of the manual's table ("Files that belong together");
/// two files of the same kind are never grouped.
struct AssetAssembler {
  /// The files of one asset; the first is its original.
  struct Group {
    struct Member {
      var kind: AssetResource.Kind
      /// The index of the finding.
      var finding: Int
    }

    var members: [Member]
    var isAdjusted = false
  }

  private let findings: [FileFinding]
  private var groups: [Group] = []
  private var isGrouped: [Bool]

  /// Returns the groups of the files of one stem.
  static func groups(of findings: [FileFinding]) -> [Group] {
    // Fast path: nearly every picture is a single file.
    if findings.count == 1 {
      guard let kind = primaryKind(of: findings[0]) else { return [] }
      return [Group(members: [Group.Member(kind: kind, finding: 0)])]
    }
    var assembler = AssetAssembler(findings)
    assembler.assemble()
    return assembler.groups
  }

  private init(_ findings: [FileFinding]) {
    self.findings = findings
    isGrouped = [Bool](repeating: false, count: findings.count)
  }

  private mutating func assemble() {
    // Originals start the groups, those most likely to have companions first; then raw files and videos
    // without a partner.
    let stills = findings.indices.filter { isStill($0) }.sorted { rank($0) < rank($1) }
    let originals = stills.filter { findings[$0].name.part != .edited }
    for index in originals { startGroup(.photo, index) }
    joinRawFiles()
    for index in findings.indices where !isGrouped[index] && isRaw(index) {
      if findings[index].name.part != .edited { startGroup(.photo, index) }
    }
    joinPairedVideos()
    for index in findings.indices where !isGrouped[index] && isVideo(index) {
      if findings[index].name.part != .edited { startGroup(.video, index) }
    }
    joinEdits()
    for index in findings.indices where !isGrouped[index] {
      if let kind = Self.primaryKind(of: findings[index]) { startGroup(kind, index) }
    }
    joinSidecars()
  }

  /// The kind of a file without companions; nil for files that only accompany others.
  private static func primaryKind(of finding: FileFinding) -> AssetResource.Kind? {
    switch finding.content {
    case .media(let format, _): format.isVideo ? .video : .photo
    case .broken: .photo
    case .sidecar, .adjustment, .nothing: nil
    }
  }

  private mutating func startGroup(_ kind: AssetResource.Kind, _ index: Int) {
    isGrouped[index] = true
    groups.append(Group(members: [Group.Member(kind: kind, finding: index)]))
  }

  private mutating func join(_ group: Int, _ kind: AssetResource.Kind, _ index: Int) {
    isGrouped[index] = true
    groups[group].members.append(Group.Member(kind: kind, finding: index))
  }

  // MARK: Kinds

  private func format(_ index: Int) -> FileFormat? {
    if case .media(let format, _) = findings[index].content { format } else { nil }
  }

  private func isStill(_ index: Int) -> Bool { format(index).map { !$0.isRaw && !$0.isVideo } ?? false }
  private func isRaw(_ index: Int) -> Bool { format(index)?.isRaw ?? false }
  private func isVideo(_ index: Int) -> Bool { format(index)?.isVideo ?? false }

  private func facts(_ index: Int) -> MediaFacts? {
    if case .media(_, let facts) = findings[index].content { facts } else { nil }
  }

  /// The order in which several stills of a stem get companions, the lowest first.
  private func rank(_ index: Int) -> Int {
    switch format(index) {
    case .heic: 0
    case .jpeg: 1
    default: 2
    }
  }

  private func primary(of group: Int) -> Int { groups[group].members[0].finding }

  private func has(_ group: Int, _ kind: AssetResource.Kind) -> Bool {
    groups[group].members.contains { $0.kind == kind }
  }

  // MARK: Pairs

  /// RAW+JPEG: adds each raw file to one picture.
  private mutating func joinRawFiles() {
    for index in findings.indices where !isGrouped[index] && isRaw(index) {
      let partners = groups.indices.filter {
        [.jpeg, .heic].contains(format(primary(of: $0))) && !has($0, .alternatePhoto)
      }
      // Cameras write a JPEG beside the raw file, phones a HEIC.
      guard let partner = partners.first(where: { format(primary(of: $0)) == .jpeg }) ?? partners.first
      else { continue }
      join(partner, .alternatePhoto, index)
    }
  }

  /// Live Photos: adds a QuickTime video to a HEIC or JPEG picture.
  private mutating func joinPairedVideos() {
    for index in findings.indices where !isGrouped[index] && isVideo(index) {
      guard findings[index].name.part != .edited else { continue }
      guard let partner = groups.indices.first(where: { canPair($0, withVideo: index) }) else { continue }
      join(partner, .pairedVideo, index)
    }
  }

  private func canPair(_ group: Int, withVideo video: Int) -> Bool {
    let still = primary(of: group)
    guard [.heic, .jpeg].contains(format(still)), !has(group, .pairedVideo) else { return false }
    let (photo, clip) = (facts(still), facts(video))
    if let a = photo?.contentIdentifier, let b = clip?.contentIdentifier { return a == b }
    guard format(video) == .quickTime, (clip?.duration ?? 0) <= Self.longestClip else { return false }
    guard let taken = photo?.captureTime, let filmed = clip?.captureTime else { return true }
    return Self.isOneMoment(AssetDate(taken), AssetDate(filmed))
  }

  /// The maximum duration of a Live Photo's clip in seconds, and the maximum seconds between photo and clip.
  ///
  /// Used only without a content identifier, since cameras reuse file numbers.
  private static let longestClip = 6.0
  private static let longestGap: Int64 = 5

  /// Whether the dates allow a photo and a clip to be of the same moment.
  private static func isOneMoment(_ photo: AssetDate, _ clip: AssetDate) -> Bool {
    let between = photo.wallSeconds - clip.wallSeconds
    let isNear = abs(between) <= longestGap
    // Movie headers should be in UTC, but some cameras write local time.
    if clip.utcOffset == 0, isNear { return true }
    if let a = photo.utcOffset, let b = clip.utcOffset {
      return abs(between - Int64(a) + Int64(b)) <= longestGap
    }
    guard clip.utcOffset == 0 else { return isNear }
    // The photo has no zone; offsets are multiples of a quarter of an hour.
    let rest = abs(between) % 900
    return abs(between) <= 14 * 3600 + longestGap && min(rest, 900 - rest) <= longestGap
  }

  /// Adds edited renditions to the picture or video they were made from.
  private mutating func joinEdits() {
    for index in findings.indices where !isGrouped[index] && findings[index].name.part == .edited {
      let kinds = groups.indices.map { editKind(of: index, in: $0) }
      guard let partner = kinds.firstIndex(where: { $0 != nil }), let kind = kinds[partner] else { continue }
      join(partner, kind, index)
      groups[partner].isAdjusted = true
    }
  }

  /// What an edited rendition is to a group; nil if it can't be made from it, or the group has another one.
  private func editKind(of index: Int, in group: Int) -> AssetResource.Kind? {
    let kind: AssetResource.Kind
    switch (isVideo(index), isVideo(primary(of: group))) {
    case (false, false) where isStill(index): kind = .fullSizePhoto
    case (true, true): kind = .fullSizeVideo
    case (true, false) where has(group, .pairedVideo): kind = .fullSizePairedVideo
    default: return nil
    }
    return has(group, kind) ? nil : kind
  }

  private mutating func joinSidecars() {
    guard !groups.isEmpty else { return }
    for index in findings.indices where !isGrouped[index] {
      switch findings[index].content {
      case .sidecar:
        let target = findings[index].name.target
        let partner = groups.indices.first { group in
          groups[group].members.contains { target == findings[$0.finding].name.suffix }
        }
        if target == nil || partner != nil { join(partner ?? 0, .adjustmentData, index) }
      case .adjustment:
        join(0, .adjustmentData, index)
        if findings[index].name.part == .adjustment { groups[0].isAdjusted = true }
      case .media, .broken, .nothing: break
      }
    }
  }
}
