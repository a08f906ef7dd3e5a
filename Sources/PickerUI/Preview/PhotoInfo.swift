import AssetLibrary
import Pixels

/// The info on a photo: all its facts and its histograms, in a pane, in full screen, or in a box.
struct PhotoInfo {
  private let asset: Asset
  private let picker: PickerState

  /// The info on the current photo; nil if there is none.
  init?(in picker: PickerState) {
    guard let asset = picker.current else { return nil }
    (self.asset, self.picker) = (asset, picker)
  }

  /// Shows or hides the info: in the pane or in full screen, or in a box if there is not enough room.
  static func toggle(in picker: inout PickerState) {
    picker.preview.scrollInfoToTop()
    if let pane = picker.layout.preview,
      picker.preview.isFullScreen ? picker.layout.metrics.size.columns >= 80 : pane.rows >= 16
    {
      picker.preview.toggleInfo()
    } else if picker.current != nil {
      picker.layers.open(InfoBox())
    }
  }

  /// Scrolls by most of the visible lines.
  static func scroll(by step: Int, in picker: inout PickerState) {
    guard let rows = PhotoInfo(in: picker)?.window?.lines.count else { return }
    picker.preview.scrollInfo(by: step * max(1, rows - 2))
  }

  /// The largest scroll offset; 0 if all of it is visible.
  var maximumScroll: Int { window.map { max(0, $0.count - $0.lines.count) } ?? 0 }

  // MARK: The facts

  /// One labeled fact.
  fileprivate struct Fact: Hashable {
    var label: String
    var text: String
    /// Whether it is wrapped at slashes.
    var isPath = false
    /// Whether it is made of parts with " · " between them, which are kept whole.
    var isList = false
  }

  /// All facts on an asset, in display order.
  fileprivate var facts: [Fact] {
    var facts: [Fact] = [
      Fact(label: "Name", text: asset.displayName.string),
      Fact(
        label: "Taken",
        text: [picker.options.locale.date(of: asset), asset.dateZoneText].compactMap { $0 }.joined(
          separator: " · "),
        isList: true),
    ]
    func add(_ label: String, _ text: String?, isList: Bool = false) {
      if let text, !text.isEmpty { facts.append(Fact(label: label, text: text, isList: isList)) }
    }
    add("Kind", kind)
    if !asset.pixelSize.isEmpty {
      let megapixels = Double(asset.pixelSize.width) * Double(asset.pixelSize.height) / 1_000_000
      add("Pixels", "\(asset.pixelSize.description) · \(picker.options.locale.decimal(megapixels)) MP")
    }
    if asset.duration > 0 { add("Length", picker.options.locale.duration(asset.duration)) }
    if let details = picker.preview.details[asset.id] {
      add("Camera", details.camera)
      add("Lens", details.lens)
      add("Exposure", picker.options.locale.exposure(details), isList: true)
      add("Video", picker.options.locale.codec(details.movie?.videoTrack), isList: true)
      add("Sound", picker.options.locale.sound(details.movie?.audioTrack), isList: true)
      add("Title", details.title)
      add("Caption", details.caption)
      add("People", details.people.joined(separator: ", "))
      add("Keywords", details.keywords.joined(separator: ", "))
    }
    if asset.rating > 0 {
      add("Rating", String(repeating: picker.options.symbols.menus.star, count: min(5, asset.rating)))
    }
    if let place = asset.location { add("Place", Self.text(for: place)) }
    add("Size", picker.options.locale.size(asset.resources.lazy.map(\.byteCount).saturatedSum()))
    for (index, resource) in asset.resources.enumerated() {
      let file = DisplayText(bytes: resource.filename).string
      let size = picker.options.locale.size(resource.byteCount)
      let format = resource.formatName
      let parts = [file, Self.text(for: resource.type), format, size].filter { !$0.isEmpty }
      facts.append(Fact(label: index == 0 ? "Files" : "", text: parts.joined(separator: " · "), isList: true))
    }
    let folder = asset.pathBytes.lastIndex(of: UInt8(ascii: "/")).map { Array(asset.pathBytes[..<$0]) }
    if let deletion = asset.deletion {
      add("Deleted", deletion.date.map { picker.options.locale.date($0) })
      let path = deletion.originalPath.bytes
      let folder = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<max($0, 1)]) } ?? path
      facts.append(Fact(label: "From", text: picker.options.shownPath(folder), isPath: true))
    } else if let folder, !folder.isEmpty {
      facts.append(Fact(label: "Folder", text: picker.options.shownPath(folder), isPath: true))
    }
    return facts
  }

  private var kind: String {
    var parts: [String] = []
    let subtypes: [(MediaSubtypes, String)] = [
      (.livePhoto, "Live Photo"), (.panorama, "panorama"), (.screenshot, "screenshot"),
      (.screenRecording, "screen recording"), (.depthEffect, "portrait"), (.cinematic, "cinematic"),
      (.slomo, "slo-mo"), (.timelapse, "time-lapse"), (.spatial, "spatial"), (.hdr, "HDR"),
      (.animated, "animation"), (.raw, "RAW"), (.selfie, "selfie"), (.longExposure, "long exposure"),
    ]
    switch asset.mediaType {
    case .image: parts.append("photo")
    case .video: parts.append("video")
    case .audio: parts.append("audio")
    case .unknown: break
    }
    parts += subtypes.filter { asset.mediaSubtypes.contains($0.0) }.map(\.1)
    if let burst = asset.burstIdentifier {
      let count = picker.grid.burstCounts[burst] ?? 1
      parts.append(count > 1 ? "burst of \(picker.options.locale.number(count))" : "burst")
    }
    if asset.hasAdjustments { parts.append("edited") }
    if asset.isFavorite { parts.append("favorite") }
    if asset.isHidden { parts.append("hidden") }
    return parts.joined(separator: ", ")
  }

  private static func text(for kind: AssetResource.Kind) -> String {
    switch kind {
    case .photo, .video, .audio: ""
    case .alternatePhoto: "RAW"
    case .fullSizePhoto, .fullSizeVideo: "edited version"
    case .adjustmentData: "edit data"
    case .pairedVideo: "Live Photo clip"
    case .fullSizePairedVideo: "edited Live Photo clip"
    case .photoProxy: "thumbnail"
    }
  }

  /// "38.7167° N, 9.1333° W".
  static func text(for place: Location) -> String {
    let degrees = { (value: Double, positive: String, negative: String) in
      let tenThousandths = Int(saturating: (abs(value) * 10000).rounded())
      let rest = String(10000 + tenThousandths % 10000).dropFirst()
      return "\(tenThousandths / 10000).\(rest)° \(value < 0 ? negative : positive)"
    }
    return "\(degrees(place.latitude, "N", "S")), \(degrees(place.longitude, "E", "W"))"
  }

  // MARK: Drawing

  /// The area of the info; nil if it is not shown.
  private var area: CellRect? {
    if picker.layers[InfoBox.self] != nil { return InfoBox.box(of: self, in: picker).inner }
    guard picker.preview.showsInfo, let pane = picker.layout.previewAboveStrip,
      let box = PreviewPlace(of: picker).box
    else {
      return nil
    }
    if picker.preview.isFullScreen { return picker.layout.info?.inset(left: 3, top: 1, right: 1) }
    if picker.layout.isCompact || !picker.layout.hasPreviewPane { return nil }
    // Where the facts are without the info.
    let picture = PreviewPlace(of: picker).fitted(picker.preview.presented(asset).pixelSize, in: box)
    return pane.inset(left: 1, top: picture.endRow + 1 - pane.row, right: 1)
  }

  /// The visible part of the info.
  private struct Window {
    var area: CellRect
    /// The visible lines.
    var lines: ArraySlice<Line>
    /// The total number of lines.
    var count: Int
    /// The last row if not all lines fit: the range of visible lines, and the keys that scroll.
    var footer: String?
  }

  /// A line of the info.
  fileprivate struct Line {
    var label: String
    var text: DisplayText
    var style = TextStyle.fact
    /// Whether the next line belongs to the same histogram.
    var continues = false
  }

  /// The visible part; nil if the info is not shown.
  private var window: Window? {
    guard let area, area.rows > 0 else { return nil }
    let all = lines(columns: area.columns)
    guard all.count > area.rows, area.rows > 1 else {
      return Window(area: area, lines: all.prefix(area.rows), count: all.count)
    }
    let rows = area.rows - 1
    let first = max(0, min(picker.preview.infoScroll, all.count - rows))
    let keys: [Command] = picker.layers[InfoBox.self] != nil ? [.up, .down] : [.infoUp, .infoDown]
    let labels = keys.compactMap(picker.options.keyLabel).joined(separator: " ")
    let place = "\(first + 1)–\(first + rows) of \(all.count)"
    var lines = all[first..<first + rows]
    // A histogram is drawn only if its first line is visible.
    for index in lines.indices.reversed().prefix(while: { all[$0].continues }) {
      lines[index] = Line(label: "", text: DisplayText(""))
    }
    return Window(
      area: area, lines: lines, count: all.count,
      footer: labels.isEmpty ? place : "\(place) · \(labels) scroll")
  }

  /// The width of the labels in cells.
  private static func labelColumns(of columns: Int) -> Int { min(10, columns / 3) }

  /// The facts in two columns, with long texts wrapped.
  private func lines(columns: Int) -> [Line] {
    let width = columns - Self.labelColumns(of: columns)
    let lines = facts.flatMap { fact in
      wrapped(fact, to: max(1, width)).enumerated().map { index, text in
        Line(label: index == 0 ? fact.label : "", text: text)
      }
    }
    return lines + histogram(columns: width)
  }

  /// The text of a fact in lines of at most `width` cells.
  private func wrapped(_ fact: Fact, to width: Int) -> [DisplayText] {
    guard fact.isList else { return DisplayText(fact.text).wrapped(to: width, isPath: fact.isPath) }
    var lines: [DisplayText] = []
    for part in fact.text.split(separator: DisplayText.separator) {
      if let last = lines.last {
        let longer = DisplayText(last.string + DisplayText.separator + part)
        if longer.width <= width {
          lines[lines.count - 1] = longer
          continue
        }
      }
      lines += DisplayText(String(part)).wrapped(to: width)
    }
    return lines
  }

  func draw(on frame: inout ScreenFrame) {
    guard let window else { return }
    let area = window.area
    let labels = Self.labelColumns(of: area.columns)
    if let footer = window.footer {
      frame.put(footer, row: area.endRow - 1, column: area.column, limit: area.columns, style: .hintWords)
    }
    for (row, line) in window.lines.enumerated() {
      frame.put(
        line.label, row: area.row + row, column: area.column, limit: max(0, labels - 1), style: .factLabel)
      frame.put(
        line.text, row: area.row + row, column: area.column + labels, limit: max(0, area.columns - labels),
        style: line.style)
    }
  }

  // MARK: Histograms

  /// The maximum width in cells, at four levels a column.
  private static let maximumHistogramColumns = 64

  /// The histogram of an asset's preview as lines of text; empty until the preview is ready.
  fileprivate func histogram(columns: Int) -> [Line] {
    guard columns >= 16, let key = PreviewPlace(of: picker).key(of: asset),
      case .ready(_, let histogram?) = picker.pictures[key]
    else { return [] }
    let columns = min(columns, Self.maximumHistogramColumns)
    let light = LevelHistogram.columns(histogram.luminance, columns)
    let colors = [histogram.red, histogram.green, histogram.blue].map {
      LevelHistogram.columns($0, columns)
    }
    // One scale for the three colors, so that they can be compared.
    let measure = colors.map(Self.measure).max() ?? 1
    var lines = [Line(label: "", text: DisplayText(""))]
    lines += bars("Light", light, .dim, measure: Self.measure(light), rows: 3)
    let channels: [(String, TextStyle)] = [
      ("Red", .histogramRed), ("Green", .histogramGreen), ("Blue", .histogramBlue),
    ]
    for ((label, style), counts) in zip(channels, colors) {
      lines += bars(label, counts, style, measure: measure, rows: 2)
    }
    return lines
  }

  /// The count that the highest bar stands for.
  ///
  /// The first and last level are ignored: clipped ones would make all other bars tiny.
  private static func measure(_ counts: [Int]) -> Int {
    max(1, counts.dropFirst().dropLast().max() ?? 1)
  }

  /// Adjacent bars in eighths of a cell; any count above 0 is visible.
  ///
  /// Heights follow the square root of the counts, so that rare levels are visible too.
  private func bars(
    _ label: String, _ counts: [Int], _ style: TextStyle, measure: Int, rows: Int
  ) -> [Line] {
    let heights = counts.map { count -> Int in
      let height = (Double(count) / Double(measure)).squareRoot() * Double(rows * 8)
      return count == 0 ? 0 : max(1, min(rows * 8, Int(height.rounded())))
    }
    return (0..<rows).map { row in
      let below = (rows - 1 - row) * 8
      let cells = heights.map { height in
        let eighths = max(0, min(8, height - below))
        return eighths == 0 ? " " : picker.options.symbols.menus.bars[eighths - 1]
      }
      let isLast = row == rows - 1
      return Line(
        label: isLast ? label : "", text: DisplayText(cells.joined()), style: style, continues: !isLast)
    }
  }
}

/// The info box, used if no pane has room for the info.
struct InfoBox: Layer {
  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled {
    switch input {
    case .key(_, .close), .key(_, .cancel): .closed([])
    case .key(_, let command): handle(command, in: &picker)
    case .mouse(let event):
      switch event.action {
      case .wheelUp: handle(.up, in: &picker)
      case .wheelDown: handle(.down, in: &picker)
      case .press, .rightPress: .closed([])
      case .drag, .release, .motion, .leave: .passed
      }
    case .paste: .handled([])
    }
  }

  /// Scrolls with up and down, shows other photos with left and right; any other key closes the box.
  private func handle(_ command: Command?, in picker: inout PickerState) -> Handled {
    switch command {
    case .up: picker.preview.scrollInfo(by: -1)
    case .down: picker.preview.scrollInfo(by: 1)
    case .infoUp, .pageUp: PhotoInfo.scroll(by: -1, in: &picker)
    case .infoDown, .pageDown: PhotoInfo.scroll(by: 1, in: &picker)
    case .left: return .handled(picker.showNeighbor(-1))
    case .right: return .handled(picker.showNeighbor(1))
    default: return .closed([])
    }
    return .handled([])
  }

  /// The footer of the box shows its keys.
  func hints(in picker: PickerState) -> [StatusLine.Hint]? { [] }

  func cover(in picker: PickerState) -> CellRect? {
    PhotoInfo(in: picker).map { Self.box(of: $0, in: picker).cover }
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    guard let info = PhotoInfo(in: picker) else { return }
    frame.draw(Self.box(of: info, in: picker))
    info.draw(on: &frame)
  }

  fileprivate static func box(of info: PhotoInfo, in picker: PickerState) -> OverlayBox {
    let count = info.facts.count + info.histogram(columns: 48).count
    return OverlayBox(
      title: "Info",
      footer: (picker.options.keyLabel(.left) ?? "")
        + picker.options.keyLabel([.right: "other photos", .close: "close"], separator: "   "),
      width: 62, height: count + 2, screen: picker.layout.metrics.size)
  }
}
