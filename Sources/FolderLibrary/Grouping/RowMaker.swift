import AssetLibrary
import CPlatform
import MediaFormats
import Metadata
import Pixels

/// Makes database rows from the findings of one folder's files.
struct RowMaker {
  let pool: PooledTexts
  let names: NameTable
  /// An identifier of the folder that is stable across runs.
  let folder: UInt64
  /// Returns an asset's identifier and the day it was first seen.
  let identify: (FileFinding) -> AssetIdentity

  /// Adds the assets of one stem's files, and the files that belong to no asset.
  func add(_ findings: [FileFinding], to builder: inout SegmentBuilder) {
    var isUsed = [Bool](repeating: false, count: findings.count)
    for group in AssetAssembler.groups(of: findings) {
      for member in group.members { isUsed[member.finding] = true }
      add(group, of: findings, to: &builder)
    }
    for (index, finding) in findings.enumerated() where !isUsed[index] {
      builder.add(fileRow(of: finding, kind: nil), named: names[finding.index])
    }
  }

  private func add(
    _ group: AssetAssembler.Group, of findings: [FileFinding], to builder: inout SegmentBuilder
  ) {
    let primary = findings[group.members[0].finding]
    let name = String(decoding: names[primary.index], as: UTF8.self)
    let identity = identify(primary)
    var row = AssetRow(identifier: identity.identifier)
    row.added = identity.added
    if identity.isInherited { row.flags.insert(.inherited) }
    if name.utf8.first == UInt8(ascii: ".") { row.flags.insert(.hidden) }
    if group.isAdjusted { row.flags.insert(.adjusted) }
    describe(primary, named: name, in: &row)
    var count = 0
    for member in group.members {
      let finding = findings[member.finding]
      add(finding, as: member.kind, to: &row)
      builder.add(fileRow(of: finding, kind: member.kind), named: names[finding.index])
      count += 1
      if let kind = member.kind.embeddedClip, case .media(_, let facts?) = finding.content,
        let video = facts.motionVideo
      {
        var embedded = fileRow(of: finding, kind: kind)
        embedded.isEmbedded = true
        embedded.format = FileFormat.mp4.rawValue
        (embedded.rangeStart, embedded.rangeCount) = (UInt64(video.lowerBound), UInt64(video.count))
        builder.add(embedded, named: names[finding.index])
        count += 1
        setLive(&row)
      }
    }
    builder.add(row, ofLastFiles: count)
  }

  // MARK: The asset

  /// Sets the attributes from the asset's primary file.
  private func describe(_ finding: FileFinding, named name: String, in row: inout AssetRow) {
    switch finding.content {
    case .broken(let reason):
      setFileDate(of: finding, in: &row)
      row.mediaType = MediaType.unknown.number
      row.playbackStyle = PlaybackStyle.unsupported.number
      row.defect = pool.number(of: reason)
    case .media(let format, let facts):
      let type: MediaType = format.isVideo ? .video : .image
      row.mediaType = type.number
      row.playbackStyle = (type == .video ? PlaybackStyle.video : .image).number
      if facts?.captureTime == nil {
        if let date = AssetDate(inName: name) {
          row.setDate(date)
          row.flags.insert(.nameDate)
        } else {
          setFileDate(of: finding, in: &row)
        }
      }
      describe(facts ?? MediaFacts(), format, named: name, in: &row)
    case .sidecar, .adjustment, .nothing: setFileDate(of: finding, in: &row)
    }
  }

  private func setFileDate(of finding: FileFinding, in row: inout AssetRow) {
    row.setDate(AssetDate(fileTime: finding.status.modified))
    row.flags.formUnion([.fileDate, .systemZone])
  }

  private func describe(
    _ facts: MediaFacts, _ format: FileFormat, named name: String, in row: inout AssetRow
  ) {
    if let time = facts.captureTime {
      row.setDate(AssetDate(time))
      if facts.hints.contains(.countsInUTC), facts.captureTimeSource == .quickTime {
        setZone(of: facts.coordinate, in: &row)
      }
      switch facts.captureTimeSource {
      case .exif: break
      case .iptc: row.flags.insert(.iptcDate)
      case .xmp: row.flags.insert(.xmpDate)
      case .quickTime: row.flags.insert(.quickTimeDate)
      }
    }
    setSize(of: facts, in: &row)
    setDuration(facts.duration ?? 0, in: &row)
    if let place = facts.coordinate { (row.latitude, row.longitude) = (place.latitude, place.longitude) }
    row.camera = pool.number(of: CameraName.text(make: facts.make, model: facts.model) ?? "")
    row.lens = pool.number(of: facts.lens ?? "")
    row.title = pool.number(of: facts.words)
    row.keywords = pool.number(of: facts.keywords)
    row.people = pool.number(of: facts.people)
    row.contentIdentifier = pool.number(of: facts.contentIdentifier ?? "")
    row.rating = Int8(clamping: facts.rating ?? 0)
    let subtypes = MediaClassifier.subtypes(of: facts, format: format, named: name)
    row.subtypes = subtypes.rawValue
    if subtypes.contains(.animated) { row.playbackStyle = PlaybackStyle.imageAnimated.number }
    if let burst = MediaClassifier.burst(of: facts, format: format, named: name, folder: folder) {
      row.burst = pool.number(of: burst.identifier)
      if burst.isCover { row.flags.insert(.cover) }
      if burst.requiresSeveralPhotos { row.flags.insert(.burstOfSeveral) }
    }
  }

  /// Sets the time zone of a date in UTC to that of the location, else of this machine.
  private func setZone(of place: Coordinate?, in row: inout AssetRow) {
    if let place, let date = row.date.inZone(ofLatitude: place.latitude, longitude: place.longitude) {
      row.setDate(date)
      row.flags.insert(.placeZone)
    } else {
      row.setDate(row.date.inSystemZone)
      row.flags.insert(.systemZone)
    }
  }

  private func setDuration(_ seconds: Double, in row: inout AssetRow) {
    // Files may contain any number; ignore durations of a year and more.
    row.duration = seconds > 0 && seconds < 31_536_000 ? Float(seconds) : 0
  }

  private func setSize(of facts: MediaFacts, in row: inout AssetRow) {
    let size = facts.orientation.upright(facts.storedSize)
    (row.width, row.height) = (UInt32(clamping: size.width), UInt32(clamping: size.height))
  }

  /// Adds the attributes of a further file.
  private func add(_ finding: FileFinding, as kind: AssetResource.Kind, to row: inout AssetRow) {
    if finding.isUnread { row.flags.insert(.unread) }
    switch (kind, finding.content) {
    case (.alternatePhoto, _): row.subtypes |= MediaSubtypes.raw.rawValue
    case (.pairedVideo, _), (.fullSizePairedVideo, _): setLive(&row)
    case (.fullSizePhoto, .media(_, let facts?)):
      // Users see the edited rendition, so it determines the size.
      if facts.storedSize != .zero { setSize(of: facts, in: &row) }
    case (.fullSizeVideo, .media(_, let facts?)):
      if facts.storedSize != .zero { setSize(of: facts, in: &row) }
      if let duration = facts.duration { setDuration(duration, in: &row) }
    case (_, .sidecar(let facts)):
      if let rating = facts.rating { row.rating = Int8(clamping: rating) }
      if !facts.keywords.isEmpty {
        let known = row.keywords == 0 ? [] : pool.list(row.keywords)
        row.keywords = pool.number(of: known + facts.keywords.filter { !known.contains($0) })
      }
      if row.title == 0 { row.title = pool.number(of: facts.words) }
      if row.people == 0 { row.people = pool.number(of: facts.people) }
    default: break
    }
  }

  private func setLive(_ row: inout AssetRow) {
    row.subtypes |= MediaSubtypes.livePhoto.rawValue
    row.playbackStyle = PlaybackStyle.livePhoto.number
  }

  // MARK: The file

  private func fileRow(of finding: FileFinding, kind: AssetResource.Kind?) -> FileRow {
    var row = FileRow(
      size: finding.status.size, modified: finding.status.modified, changed: finding.status.changed,
      inode: finding.status.inode, nameOffset: 0, nameCount: 0)
    row.kind = kind?.number ?? FileRow.none
    row.stalledRuns = finding.stalledRuns
    guard case .media(let format, let facts) = finding.content else { return row }
    row.format = format.rawValue
    guard let facts else { return row }
    row.isRareJPEG = facts.hints.contains(.rareJPEG)
    row.orientation = facts.orientation.rawValue
    row.storedWidth = UInt32(clamping: facts.storedSize.width)
    row.storedHeight = UInt32(clamping: facts.storedSize.height)
    if let thumbnail = facts.thumbnail {
      (row.rangeStart, row.rangeCount) = (UInt64(thumbnail.lowerBound), UInt64(thumbnail.count))
    }
    return row
  }
}

extension AssetResource.Kind {
  /// What a video inside of a file of this kind is; nil if it is not played.
  fileprivate var embeddedClip: AssetResource.Kind? {
    switch self {
    case .photo: .pairedVideo
    case .fullSizePhoto: .fullSizePairedVideo
    default: nil
    }
  }
}

extension MediaFacts {
  /// Title and caption for the text search.
  fileprivate var words: String {
    [title, caption].compactMap { $0 }.joined(separator: StringPool.separator)
  }
}
