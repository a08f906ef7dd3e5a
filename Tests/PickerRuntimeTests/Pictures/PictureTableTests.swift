import AssetLibrary
import Pixels
import TerminalGraphics
import Testing

@testable import PickerRuntime
@testable import PickerUI

/// Which pictures are requested and reported: a value, without threads or a clock.
@Suite final class PictureTableTests {
  private var table = PictureTable(cacheLimit: 1 << 20)
  private var time = Duration.seconds(1000)
  /// Running requests by photo name, as the image manager knows them.
  private var numbers: [String: UInt64] = [:]
  private static let passing = AssetError("a", "it takes too long", isTransient: true)

  private static func key(_ name: String) -> PictureKey { PictureRequest.thumbnail(.photo(name)).key }

  private static func wants(_ names: [String], _ priority: ImagePriority = .visible) -> [PictureRequest] {
    names.map { .thumbnail(.photo($0), priority) }
  }

  private static func picture(_ bytes: Int = 100) -> ScreenPicture {
    let encoder = InlineImageEncoder(cell: PixelSize(width: 10, height: 20)) { _ in
      [UInt8](repeating: 1, count: bytes)
    }
    let pixels = PixelBuffer(size: PictureRequest.size, filledWith: .white)
    return ScreenPicture(version: 0, encoded: encoder.encode(pixels, over: .color(.black)))
  }

  /// Acts as the image manager, and returns its orders as text.
  ///
  /// It identifies a request by its number.
  private func perform(_ orders: [PictureTable.Order]) -> [String] {
    orders.map { order in
      switch order {
      case .request(let want, let number):
        let name = want.asset.id.rawValue
        numbers[name] = number
        _ = table.began(number, for: want.key, as: ImageRequestID(rawValue: number))
        return "request \(name)"
      case .setPriority(let priority, let id): return "move \(name(of: id)) to \(priority)"
      case .cancel(let id): return "cancel \(name(of: id))"
      }
    }
  }

  private func name(of id: ImageRequestID) -> String {
    numbers.first { $0.value == id.rawValue }?.key ?? "\(id.rawValue)"
  }

  @discardableResult
  private func demand(_ wants: [PictureRequest]) -> [String] {
    perform(table.demand(wants, at: time).orders)
  }

  private func answer(_ name: String, isFinal: Bool = true) -> Bool {
    table.add(
      Self.picture(), for: Self.key(name), isFinal: isFinal, status: .ready(note: nil),
      of: numbers[name] ?? 0)
  }

  private func fail(_ name: String) -> Duration? {
    table.add(Self.passing, for: Self.key(name), of: numbers[name] ?? 0, at: time).pause
  }

  /// What the picker is notified of for a list of pictures.
  private func news(_ names: [String]) -> [PictureKey: PictureStatus] {
    let (news, orders) = table.demand(Self.wants(names), at: time)
    _ = perform(orders)
    return news
  }

  private func lackOriginal(_ key: PictureKey, of number: UInt64) -> Bool {
    table.addMissingOriginal(for: key, of: number)
  }

  private func picture(_ name: String) -> ScreenPicture? { table.picture(for: Self.key(name)) }

  // MARK: Requests

  @Test func `The most urgent picture is requested last, after unwanted requests are canceled`() {
    #expect(demand(Self.wants(["a", "b"])) == ["request b", "request a"])
    #expect(demand(Self.wants(["b", "c"])) == ["cancel a", "request c"])
    #expect(demand([]).sorted() == ["cancel b", "cancel c"])
    #expect(!table.hasPendingVisiblePictures)
  }

  @Test func `A running request is moved once`() {
    demand(Self.wants(["a"], .preheat))
    #expect(demand(Self.wants(["a"])) == ["move a to visible"])
    #expect(demand(Self.wants(["a"])).isEmpty)
  }

  @Test func `A present picture is not requested again; a coarse one still is`() {
    demand(Self.wants(["a", "b"]))
    #expect(answer("a") && answer("b", isFinal: false))
    #expect(table.hasPendingVisiblePictures)
    #expect(demand(Self.wants(["a", "b"])).isEmpty)
    demand([])
    #expect(demand(Self.wants(["a", "b"])) == ["request b"])
  }

  @Test func `A request answered before the manager returned its number is finished`() {
    let (_, orders) = table.demand(Self.wants(["a"]), at: time)
    guard case .request(let want, let number) = orders.first else {
      Issue.record("nothing was requested")
      return
    }
    numbers["a"] = number
    #expect(answer("a"))
    let isUnderWay = table.began(number, for: want.key, as: ImageRequestID(rawValue: number))
    #expect(!isUnderWay)
    #expect(!table.hasPendingVisiblePictures)
  }

  @Test func `A picture that arrives after its cancellation is kept, a failure is not`() {
    demand(Self.wants(["a", "b"]))
    demand([])
    #expect(answer("a") && fail("b") == nil)
    #expect(news(["a", "b"]) == [Self.key("a"): .ready(note: nil)])
  }

  @Test func `The end of a canceled request does not end another one`() {
    demand(Self.wants(["a"]))
    let first = numbers["a"] ?? 0
    demand([])
    demand(Self.wants(["a"]))
    #expect(!lackOriginal(Self.key("a"), of: first))
    #expect(!table.add(Self.passing, for: Self.key("a"), of: first, at: time).isNews)
    #expect(table.hasPendingVisiblePictures)
    #expect(answer("a") && !table.hasPendingVisiblePictures)
  }

  @Test func `A remote original is requested again once it may be downloaded, thumbnail first`() {
    var asset = Asset.photo("a")
    asset.resources[0].isLocallyAvailable = false
    let key = PictureKey(asset, size: PictureRequest.size, mode: .aspectFit)
    func want(_ priority: ImagePriority) -> [PictureRequest] {
      [PictureRequest(key: key, asset: asset, priority: priority)]
    }
    demand(want(.prefetch))
    #expect(lackOriginal(key, of: numbers["a"] ?? 0))
    #expect(demand(want(.prefetch)).isEmpty)
    // It is reported until it is running.
    demand([])
    let (news, orders) = table.demand(want(.preview), at: time)
    #expect(news == [key: .inCloud] && perform(orders) == ["request a"])
    // It is no longer visible, so it is not downloaded.
    #expect(demand(want(.prefetch)).count == 2)
  }

  // MARK: Failures

  @Test func `The delay before a retry grows up to ten minutes`() {
    demand(Self.wants(["a"]))
    var pauses: [Duration] = []
    for _ in 0..<9 {
      let pause = fail("a") ?? .zero
      pauses.append(pause)
      time += pause - .milliseconds(1)
      #expect(perform(table.retry(at: time)).isEmpty)
      time += .milliseconds(1)
      #expect(perform(table.retry(at: time)) == ["request a"])
    }
    #expect(pauses == [5, 10, 20, 40, 80, 160, 320, 600, 600].map { .seconds($0) })
  }

  @Test func `Pictures that failed together are not retried together`() {
    let names = ["a", "b", "c", "d"]
    demand(Self.wants(names))
    let pauses = names.compactMap { fail($0) }
    #expect(pauses == [5, 6, 7, 8].map { .seconds($0) })
  }

  @Test func `A success resets earlier failures`() {
    demand(Self.wants(["a"]))
    _ = fail("a")
    time += .seconds(5)
    _ = perform(table.retry(at: time))
    #expect(answer("a", isFinal: false))
    #expect(fail("a") == .seconds(5))
  }

  // MARK: The picker's knowledge

  @Test func `Only newly wanted pictures are reported`() {
    demand(Self.wants(["a", "b"]))
    #expect(answer("a"))
    #expect(news(["a", "b", "c"]).isEmpty)
    #expect(news(["b"]).isEmpty)
    #expect(news(["a", "b"]) == [Self.key("a"): .ready(note: nil)])
    table.forgetReportedStatuses()
    #expect(news(["a", "b"]) == [Self.key("a"): .ready(note: nil)])
    #expect(news(["a", "b"]).isEmpty)
  }

  // MARK: Dropped pictures

  @Test func `Answers from before all pictures were dropped are ignored`() {
    demand(Self.wants(["a", "b"]))
    let before = numbers["a"] ?? 0
    #expect(answer("b"))
    #expect(perform(table.removeAll()) == ["cancel a"])
    #expect(!table.isCurrent(before) && !answer("a") && picture("b") == nil)
    #expect(demand(Self.wants(["a"])) == ["request a"])
    #expect(table.isCurrent(numbers["a"] ?? 0) && answer("a"))
  }

  @Test func `If keys stay the same, wanted pictures are requested and reported again`() {
    demand(Self.wants(["a", "b"]))
    #expect(answer("a"))
    #expect(perform(table.remakeAll(at: time)) == ["cancel b", "request b", "request a"])
    #expect(answer("a"))
    #expect(news(["a", "b"]) == [Self.key("a"): .ready(note: nil)])
  }

  @Test func `A displayed picture is not encoded again for a draft`() {
    demand(Self.wants(["a", "b"]))
    #expect(answer("a") && answer("b"))
    let shown = picture("a")?.version ?? 0
    #expect(perform(table.remake(except: [shown], at: time)) == ["request b"])
  }

  @Test func `Each picture has its own version number`() {
    demand(Self.wants(["a", "b"]))
    #expect(answer("a", isFinal: false))
    let coarse = picture("a")?.version
    #expect(answer("a") && answer("b"))
    let versions = [coarse, picture("a")?.version, picture("b")?.version]
    #expect(versions == [1, 2, 3])
  }
}
