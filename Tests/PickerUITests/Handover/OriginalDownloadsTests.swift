import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// The picker waits until the originals of its picks have come from their servers.
@Suite struct OriginalDownloadsTests {
  /// Photos of which the second and the third are on a server alone.
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

  @Test func `Only what is not here is brought, and the result has all picks in their order`() {
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

  @Test func `What is here is no work`() {
    var picker = open()
    picker.press(.enter)
    #expect(picker.outcome == .picked([Self.library[0]]))
  }

  @Test func `Who reads no files gets the result at once`() {
    var picker = open { $0.client.needsOriginals = false }
    picker.press(.character("a"), .enter)
    #expect(picker.outcome == .picked(Self.library))
  }

  @Test func `How far each has come is told, and what went wrong`() {
    var picker = downloading()
    picker.send(progress(1, 0.5))
    picker.send(progress(2, 0, failure: "no network; trying again"))
    #expect(picker.lastLine.contains("downloading"))
    #expect(picker.shows("50% of"))
    #expect(picker.shows("no network"))
  }

  @Test(arguments: ["back to photos", "skip this one"])
  func `A click on a hint is its key`(words: String) throws {
    var picker = downloading()
    let hint = try #require(picker.place(of: words))
    let effects = picker.send(.mouse(MouseEvent(.press, row: hint.row, column: hint.column)))
    let isOne = words.hasPrefix("skip")
    #expect(effects.contains(.cancelDownload(Self.library[1...(isOne ? 1 : 2)].map(\.id))))
    #expect(picker.shows("Downloading") == isOne && picker.outcome == nil)
  }

  @Test func `One can be left out`() {
    var picker = downloading()
    picker.send(progress(2, 1, isHere: true))
    let effects = picker.press(.delete)
    #expect(effects.contains(.cancelDownload([Self.library[1].id])))
    #expect(picker.outcome == .picked([Self.library[0], Self.library[2], Self.library[3]]))
  }

  @Test func `Escape goes back to the photos, and nothing that comes later ends the picker`() {
    var picker = downloading()
    let effects = picker.press(.escape)
    #expect(effects.contains(.cancelDownload([Self.library[1].id, Self.library[2].id])))
    #expect(!picker.shows("Downloading"))
    picker.send(progress(1, 1, isHere: true))
    picker.send(progress(2, 1, isHere: true))
    #expect(picker.outcome == nil)
    #expect(picker.selected == ["0", "1", "2", "3"])
  }

  @Test func `Other keys do nothing meanwhile`() {
    var picker = downloading()
    for key in [Key.space, .character("u"), .enter] { picker.press(key) }
    #expect(picker.outcome == nil && picker.shows("Downloading"))
    picker.press(.escape)
    #expect(picker.selected.count == 4)
  }

  @Test func `Offline what is not here is refused with the reason`() {
    var picker = open { $0.opening.isOffline = true }
    picker.press(.right, .space)
    #expect(picker.selected.isEmpty)
    #expect(picker.lastLine.contains("can't be picked"))
  }

  @Test func `The original is brought for who looks at it alone`() {
    var picker = open()
    picker.press(.right)
    let network = picker.demand.filter { $0.request.options.isNetworkAccessAllowed }
    #expect(network.allSatisfy { $0.asset.id.rawValue == "1" && $0.priority == .preview })
    #expect(!network.isEmpty)
  }
}
