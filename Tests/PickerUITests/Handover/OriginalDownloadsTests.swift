import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// The picker waits for the downloads of remote picks.
@Suite struct OriginalDownloadsTests {
  /// Photos of which the second and the third are available only on a server.
  private static let library: [Asset] = (0..<4).map { number in
    var asset = Asset.photo("\(number)")
    if (1...2).contains(number) { asset.resources[0].isLocallyAvailable = false }
    return asset
  }

  private func open(configure: (inout PickerState.Options) -> Void = { _ in }) -> TestPicker {
    .open(Self.library, limit: 0) { options in
      options.configuration.sort = .name
      configure(&options)
    }
  }

  private func downloading() -> TestPicker {
    var picker = open()
    picker.press(.character("a"), .enter)
    return picker
  }

  private func progress(
    _ asset: Int, _ fraction: Double, isHere: Bool = false, failure: String? = nil
  ) -> PickerMessage {
    .downloaded(
      DownloadProgress(
        LocalIdentifier("\(asset)"), fraction: fraction, isHere: isHere, failure: failure, elapsed: 2))
  }

  @Test func `Only missing originals are downloaded, and the result keeps the order of the picks`() {
    var picker = open()
    picker.press(.character("a"))
    let effects = picker.press(.enter)
    #expect(effects.contains(.download([Self.library[1], Self.library[2]])))
    #expect(picker.outcome == nil)
    picker.send(progress(2, 1, isHere: true))
    #expect(picker.outcome == nil)
    picker.send(progress(1, 1, isHere: true))
    #expect(picker.outcome == .picked(Self.library))
  }

  @Test func `Local files need no download`() {
    var picker = open()
    picker.press(.enter)
    #expect(picker.outcome == .picked([Self.library[0]]))
  }

  @Test func `A consumer that reads no files gets the result at once`() {
    var picker = open { $0.client.needsOriginals = false }
    picker.press(.character("a"), .enter)
    #expect(picker.outcome == .picked(Self.library))
  }

  @Test func `The progress of each download and its errors are shown`() {
    var picker = downloading()
    picker.send(progress(1, 0.5))
    picker.send(progress(2, 0, failure: "no network; trying again"))
    #expect(picker.lastLine.contains("downloading"))
    #expect(picker.shows("50% of"))
    #expect(picker.shows("no network"))
  }

  @Test(arguments: [
    CellSize(columns: 60, rows: 18), .init(columns: 80, rows: 24), .init(columns: 120, rows: 40),
  ])
  func `Names are shown in full, if need be in place of the sizes`(size: CellSize) {
    var library = Self.library
    for (index, name) in [(1, "IMG_1043.JPG"), (2, "IMG_1044.JPG")] {
      library[index] = .photo(name)
      library[index].resources[0].isLocallyAvailable = false
    }
    var picker = TestPicker.open(library, limit: 0, size: size)
    picker.press(.character("a"), .enter)
    picker.send(.downloaded(DownloadProgress(library[1].id, fraction: 0.5, elapsed: 2)))
    #expect(picker.shows("IMG_1043.JPG") && picker.shows("IMG_1044.JPG") && picker.shows("50%"))
    #expect(picker.shows("50% of") == (size.columns > 60))
  }

  @Test(arguments: ["back to photos", "skip this one"])
  func `Clicking a hint acts like its key`(words: String) throws {
    var picker = downloading()
    let hint = try #require(picker.place(of: words))
    let effects = picker.send(.mouse(MouseEvent(.press, row: hint.row, column: hint.column)))
    let isOne = words.hasPrefix("skip")
    #expect(effects.contains(.cancelDownload(Self.library[1...(isOne ? 1 : 2)].map(\.id))))
    #expect(picker.shows("Downloading") == isOne && picker.outcome == nil)
  }

  @Test func `A click in the list chooses the download that is skipped`() throws {
    var library = Self.library
    library[2] = .photo("IMG_1044.JPG")
    library[2].resources[0].isLocallyAvailable = false
    var picker = TestPicker.open(library, limit: 0)
    picker.press(.character("a"), .enter)
    let place = try #require(picker.place(of: "IMG_1044.JPG"))
    picker.send(.mouse(MouseEvent(.press, row: place.row, column: place.column)))
    #expect(picker.press(.delete).contains(.cancelDownload([library[2].id])))
  }

  @Test func `A single photo can be skipped`() {
    var picker = downloading()
    picker.send(progress(2, 1, isHere: true))
    let effects = picker.press(.delete)
    #expect(effects.contains(.cancelDownload([Self.library[1].id])))
    #expect(picker.outcome == .picked([Self.library[0], Self.library[2], Self.library[3]]))
  }

  @Test func `Escape returns to the photos, and later downloads do not end the picker`() {
    var picker = downloading()
    let effects = picker.press(.escape)
    #expect(effects.contains(.cancelDownload([Self.library[1].id, Self.library[2].id])))
    #expect(!picker.shows("Downloading"))
    picker.send(progress(1, 1, isHere: true))
    picker.send(progress(2, 1, isHere: true))
    #expect(picker.outcome == nil)
    #expect(picker.selected == ["0", "1", "2", "3"])
  }

  @Test func `Other keys are ignored during downloads`() {
    var picker = downloading()
    for key in [Key.space, .character("u"), .enter] { picker.press(key) }
    #expect(picker.outcome == nil && picker.shows("Downloading"))
    picker.press(.escape)
    #expect(picker.selected.count == 4)
  }

  @Test func `Offline, remote photos are refused with the reason`() {
    var picker = open { $0.opening.isOffline = true }
    picker.press(.right, .space)
    #expect(picker.selected.isEmpty)
    #expect(picker.lastLine.contains("can't be picked"))
  }

  @Test func `Only the viewed photo's original is downloaded`() {
    var picker = open()
    picker.press(.right)
    let network = picker.demand.filter { $0.request.options.isNetworkAccessAllowed }
    #expect(network.allSatisfy { $0.asset.id.rawValue == "1" && $0.priority == .preview })
    #expect(!network.isEmpty)
  }
}
