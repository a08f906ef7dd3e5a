import AssetLibrary
import Synchronization
import Testing

@Suite struct FetchResultTests {
  /// Photos created on access; the handle is the number in the name.
  private final class Numbers: FetchSource {
    let made = Counter()

    func element(at handle: FetchHandle) -> Asset {
      made.increment()
      return .photo("\(handle.rawValue)")
    }

    func identifier(at handle: FetchHandle) -> LocalIdentifier { LocalIdentifier("\(handle.rawValue)") }

    func handle(of identifier: LocalIdentifier) -> FetchHandle? {
      UInt64(identifier.rawValue).map(FetchHandle.init)
    }
  }

  /// Photos whose names begin with a letter; a value type, so no two are identical.
  private struct Letters: FetchSource {
    let letter: String

    func element(at handle: FetchHandle) -> Asset { .photo("\(letter)\(handle.rawValue)") }

    func identifier(at handle: FetchHandle) -> LocalIdentifier { element(at: handle).id }

    func handle(of identifier: LocalIdentifier) -> FetchHandle? {
      UInt64(identifier.rawValue.dropFirst()).map(FetchHandle.init)
    }
  }

  private let source = Numbers()

  private var results: [FetchResult<Asset>] {
    [
      FetchResult((0..<300).map { .photo("\($0)") }),
      FetchResult(handles: (0..<300).map(FetchHandle.init), in: source),
    ]
  }

  @Test func `Stored and lazy results behave alike`() {
    for result in results {
      #expect(result.count == 300)
      #expect(result[7] == .photo("7"))
      #expect(result.last == .photo("299"))
      #expect(result.identifier(at: 5) == LocalIdentifier("5"))
      #expect(result.objects(at: [3, 1]) == [.photo("3"), .photo("1")])
    }
    #expect(results[0] == results[1])
  }

  @Test func `An element is found at any position`() {
    for result in results {
      for hint in [0, 3, 9, 150, 299, 300, -1, .max] {
        for index in [0, 3, 149, 299] {
          #expect(result.index(of: LocalIdentifier("\(index)"), near: hint) == index)
        }
      }
      #expect(result.index(of: LocalIdentifier("x")) == nil)
      #expect(result.index(of: LocalIdentifier("300")) == nil)
    }
    #expect(FetchResult<Asset>().index(of: LocalIdentifier("0"), near: 3) == nil)
  }

  @Test func `No element is created before it is accessed`() {
    let result = FetchResult(handles: (0..<300).map(FetchHandle.init), in: source)
    #expect(result.identifiers == (0..<300).map { LocalIdentifier("\($0)") })
    #expect(result.index(of: LocalIdentifier("9")) == 9)
    #expect(result == FetchResult(handles: (0..<300).map(FetchHandle.init), in: source))
    #expect(result != FetchResult(handles: (1..<301).map(FetchHandle.init), in: source))
    #expect(source.made.count == 0)
    _ = result[4]
    #expect(source.made.count == 1)
  }

  @Test func `Results are equal if their contents are`() {
    let lazy = FetchResult(handles: [1, 2].map(FetchHandle.init), in: source)
    #expect(lazy == FetchResult([.photo("1"), .photo("2")]))
    #expect(lazy == FetchResult(handles: [1, 2].map(FetchHandle.init), in: Numbers()))
    let letters = ["a", "a", "b"].map {
      FetchResult(handles: [FetchHandle(rawValue: 1)], in: Letters(letter: $0))
    }
    #expect(letters[0] == letters[1] && letters[0] != letters[2])
    #expect(lazy != FetchResult([.photo("1"), .photo("2", size: 9)]))
    #expect(lazy != FetchResult([.photo("1")]))
  }
}
