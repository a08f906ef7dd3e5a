import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct PictureDemandTests {
  private func previews(_ picker: TestPicker) -> [PictureSlot] {
    picker.frame.slots.filter { $0.key.mode == .aspectFit }
  }

  private func ready(_ want: PictureRequest) -> PickerMessage { .pictures([want.key: .ready(note: nil)]) }

  @Test func `No pictures are requested for files that are no pictures`() {
    let picker = TestPicker.open([.broken("x"), .photo("a"), .broken("y")])
    #expect(!picker.demand.isEmpty)
    #expect(picker.demand.allSatisfy { $0.asset.id.rawValue == "a" })
  }

  @Test func `The preview is requested first, then visible, then nearby thumbnails`() throws {
    var picker = TestPicker.open(.numbered(300))
    picker.press(.pageDown, .right)
    let demand = picker.demand
    let priorities = demand.map(\.priority)
    #expect(priorities == priorities.sorted(by: >))
    let first = try #require(demand.first)
    #expect(first.asset.id.rawValue == picker.cursor)
    #expect(first.key.mode == .aspectFit)
    #expect(demand.filter { $0.priority == .visible }.count == picker.tiles.count)
    #expect(demand.filter { $0.priority == .preheat }.allSatisfy { $0.key.mode == .aspectFill })
    let cursor = try #require(picker.cursorIndex)
    let neighbors = demand.filter { $0.priority == .prefetch }.map(\.asset.id.rawValue)
    #expect(neighbors == [cursor + 1, cursor - 1, cursor + 2, cursor - 2].map(String.init))
  }

  @Test func `At the ends there are fewer neighbors`() {
    let picker = TestPicker.open(.numbered(2))
    #expect(picker.demand.filter { $0.priority == .prefetch }.map(\.asset.id.rawValue) == ["1"])
    #expect(picker.demand.filter { $0.priority == .visible }.map(\.asset.id.rawValue) == ["0", "1"])
  }

  @Test func `Nothing is requested twice, and no change requests nothing`() {
    var picker = TestPicker.open(.numbered(300))
    #expect(Set(picker.demand.map(\.key)).count == picker.demand.count)
    #expect(picker.press(.left).allSatisfy { $0.wants == nil })
    // A pick requests its own thumbnail with a frame, and nothing else.
    var single = TestPicker.open(.numbered(300), limit: 1)
    let before = Set(single.demand.map(\.key))
    single.press(.space)
    let new = Set(single.demand.map(\.key)).subtracting(before)
    #expect(new.map(\.asset.rawValue) == ["0"] && new.allSatisfy(\.isPicked))
    picker.press(.right)
    #expect(picker.press(.left).contains { $0.wants != nil })
  }

  @Test func `Thumbnails accept a fast answer first, previews wait for full quality`() {
    for want in TestPicker.open().demand {
      let isPreview = want.key.mode == .aspectFit
      #expect(want.request.options.deliveryMode == (isPreview ? .highQualityFormat : .opportunistic))
      #expect(want.request.targetSize == want.key.size)
    }
  }

  @Test func `Without graphics no pictures are requested`() {
    var picker = TestPicker(.numbered(3))
    var metrics = ScreenMetrics.size(CellSize(columns: 120, rows: 40))
    metrics.pictureGeometry = nil
    picker.send(.resized(metrics))
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    #expect(picker.demand.isEmpty)
    #expect(picker.frame.slots.isEmpty)
  }

  @Test func `Sizes match the picture geometry`() {
    for want in TestPicker.open().demand {
      #expect(want.key.size.height % 6 == 0)
      #expect(!want.key.size.isEmpty)
    }
  }

  @Test func `The old preview stays until the new one is ready`() throws {
    var picker = TestPicker.open()
    let old = try #require(picker.demand.first)
    picker.send(ready(old))
    #expect(previews(picker).map(\.key) == [old.key])
    let timers = picker.press(.right).compactMap(\.timer)
    #expect(timers.count == 1)
    #expect(previews(picker).map(\.key) == [old.key])
    let new = try #require(picker.demand.first)
    picker.send(ready(new))
    #expect(previews(picker).map(\.key) == [new.key])
  }

  @Test func `The old preview is removed after a time limit`() throws {
    var picker = TestPicker.open()
    picker.send(ready(try #require(picker.demand.first)))
    let first = try #require(picker.press(.right).compactMap(\.timer).first)
    let second = try #require(picker.press(.right).compactMap(\.timer).first)
    picker.send(.timer(first))
    #expect(previews(picker).count == 1)
    picker.send(.timer(second))
    #expect(previews(picker).isEmpty)
    #expect(picker.effects.contains(.startTimer(second, milliseconds: 150)))
  }

  @Test func `A cached preview is shown at once`() throws {
    var picker = TestPicker.open()
    let next = try #require(picker.demand.first { $0.priority == .prefetch })
    picker.send(ready(next))
    #expect(picker.press(.right).allSatisfy { $0.timer == nil })
    #expect(previews(picker).map(\.key) == [next.key])
  }

  @Test func `A failed preview shows the reason in place of the old one`() throws {
    var picker = TestPicker.open()
    picker.send(ready(try #require(picker.demand.first)))
    picker.press(.right)
    let new = try #require(picker.demand.first)
    picker.send(.pictures([new.key: .failed(reason: "not enough memory")]))
    #expect(previews(picker).isEmpty)
    #expect(picker.shows("1 can't be shown:"))
    #expect(picker.shows("not enough memory"))
  }

  @Test func `Pictures that are no longer visible are released`() {
    var picker = TestPicker.open(.numbered(3000))
    for _ in 0..<50 {
      picker.makeDemanded()
      picker.press(.pageDown)
    }
    // Released pictures are requested again, and a placeholder is shown until they arrive.
    #expect(picker.demand.allSatisfy { Int($0.asset.id.rawValue)! > 100 })
    picker.press(.home)
    #expect(picker.frame.slots.allSatisfy { $0.key.mode != .aspectFill })
    #expect(picker.demand.contains { $0.asset.id.rawValue == "0" })
    picker.makeDemanded()
    #expect(picker.frame.slots.contains { $0.key.asset.rawValue == "0" })
  }

  @Test func `Camera metadata is requested once and shown`() {
    var picker = TestPicker.open()
    #expect(picker.effects.contains(.loadDetails(.photo("0", day: 30))))
    #expect(!picker.press(.space).contains(.loadDetails(.photo("0", day: 30))))
    // Prefetched like the pictures: moving to the next photo requests one more, not that photo.
    #expect(picker.effects.contains(.loadDetails(.photo("2", day: 28))))
    var details = AssetDetails()
    details.camera = "Canon EOS 90D"
    details.isoSpeed = 200
    picker.send(.details(LocalIdentifier("7"), details))
    #expect(!picker.shows("Canon"))
    picker.send(.details(LocalIdentifier("0"), details))
    #expect(picker.shows("Canon EOS 90D"))
    #expect(picker.shows("ISO 200"))
  }
}
