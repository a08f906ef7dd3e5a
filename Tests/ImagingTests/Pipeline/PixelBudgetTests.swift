import AssetLibrary
import Pixels
import Testing
import Rendering

@testable import Imaging

/// Which jobs may start beside running ones, by their cost.
@Suite struct PixelBudgetTests {
  @Test(arguments: [
    (running: 0, playing: 0, left: Int.max), (30, 0, 70), (130, 0, 0),
    // Playback uses budget but blocks nothing.
    (0, 40, .max), (30, 40, 30), (30, 400, 0),
  ])
  func `A job larger than the budget runs alone`(example: (running: Int, playing: Int, left: Int)) {
    var budget = PixelBudget(budget: 100)
    budget.begin(example.running)
    budget.reserve(example.playing)
    #expect(budget.left == example.left)
    budget.end(example.running)
    budget.release(example.playing)
    #expect(budget == PixelBudget(budget: 100))
  }

  @Test func `A cost that would overflow counts as the whole budget`() {
    var budget = PixelBudget(budget: 100)
    for _ in 0..<3 {
      budget.begin(.max)
      budget.reserve(.max)
    }
    #expect(budget.left == 0)
    for _ in 0..<3 {
      budget.end(.max)
      budget.release(.max)
    }
    #expect(budget == PixelBudget(budget: 100))
  }

  private static func submit(
    _ id: ImageRequestID, _ name: String, _ priority: ImagePriority, cost: Int,
    to state: inout PipelineState
  ) {
    _ = state.table.submit(
      id, WorkRequest(.of(name)), priority: priority,
      source: SourceState(cost: cost))
  }

  /// The next job, by the name of its asset.
  private static func next(
    _ urgencies: JobUrgencies, from state: inout PipelineState
  ) -> (name: String, job: ImageJob)? {
    state.begin(urgencies).map { ("\($0.0.asset.id)", $0.0) }
  }

  @Test func `No prefetch starts while a visible picture waits for budget`() {
    var state = PipelineState(cacheLimit: 0, pixelBudget: 100)
    Self.submit(1, "running", .preheat, cost: 10, to: &state)
    let running = Self.next(.prefetch, from: &state)
    Self.submit(2, "large", .preview, cost: 130, to: &state)
    Self.submit(3, "guess", .preheat, cost: 10, to: &state)
    let blocked = Self.next(.visible, from: &state)
    #expect(blocked?.name == nil)
    let held = Self.next(.prefetch, from: &state)
    #expect(held?.name == nil)
    let hasGuess = state.hasPrefetchJob
    #expect(!hasGuess)
    if let running { state.end(running.job) }
    let stillNone = Self.next(.prefetch, from: &state)
    #expect(stillNone?.name == nil)
    let large = Self.next(.visible, from: &state)
    #expect(large?.name == "large")
    let beside = Self.next(.prefetch, from: &state)
    #expect(beside?.name == nil)
    if let large { state.end(large.job) }
    let after = Self.next(.prefetch, from: &state)
    #expect(after?.name == "guess")
  }

  @Test func `No prefetch starts before all visible pictures have started`() {
    var state = PipelineState(cacheLimit: 0, pixelBudget: 100)
    Self.submit(1, "guess", .preheat, cost: 1, to: &state)
    Self.submit(2, "thumbnail", .visible, cost: 1, to: &state)
    let none = Self.next(.prefetch, from: &state)
    #expect(none?.name == nil)
    let inSight = Self.next(.visible, from: &state)
    #expect(inSight?.name == "thumbnail")
    let guess = Self.next(.prefetch, from: &state)
    #expect(guess?.name == "guess")
  }

  @Test func `Prefetching resumes when the large picture is no longer wanted`() {
    var state = PipelineState(cacheLimit: 0, pixelBudget: 100)
    Self.submit(1, "large", .preview, cost: 130, to: &state)
    Self.submit(2, "guess", .preheat, cost: 10, to: &state)
    let hadGuess = state.hasPrefetchJob
    #expect(!hadGuess)
    _ = state.table.cancel(1)
    let hasGuess = state.hasPrefetchJob
    #expect(hasGuess)
    let guess = Self.next(.prefetch, from: &state)
    #expect(guess?.name == "guess")
  }

  @Test func `A visible picture that fits the budget starts at once`() {
    var state = PipelineState(cacheLimit: 0, pixelBudget: 100)
    Self.submit(1, "large", .preview, cost: 60, to: &state)
    Self.submit(2, "small", .visible, cost: 40, to: &state)
    let first = Self.next(.visible, from: &state)
    #expect(first?.name == "large")
    let second = Self.next(.visible, from: &state)
    #expect(second?.name == "small")
  }

  @Test func `A part of a JPEG costs what is decoded of it`() {
    let size = PixelSize(width: 9000, height: 6000)
    let part = NormalizedRect(x: 0.5, y: 0.5, width: 0.1, height: 0.1)
    let request = ImageRequest(
      asset: ImageRequest.of("a").asset, targetSize: PixelSize(width: 900, height: 600),
      contentMode: .aspectFit,
      options: ImageRequestOptions(resizeMode: .exact, normalizedCropRect: part))
    let shape = PictureShape(request)
    #expect(shape.decodedPixels(of: size) == size.area)
    let cost = shape.decodedPixels(of: size, inParts: true)
    #expect((900 * 600..<950 * 650).contains(cost))
    #expect(PictureShape(.of("a")).decodedPixels(of: size, inParts: true) == 1125 * 750)
  }
}
