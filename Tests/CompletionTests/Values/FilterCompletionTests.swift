import AssetLibrary
import Testing

@testable import Completion

@Suite struct FilterCompletionTests {
  private func texts(_ text: String) -> [String] { FilterCompletion.candidates(text).map(\.text) }

  @Test func `At the beginning all names and functions are offered`() {
    #expect(texts("") == PickerFilter.Name.allCases.map(\.rawValue) + ["any(", "all(", "not("])
  }

  @Test(arguments: [
    ("vid", ["videos", "videos,"]),
    ("LIVEP", ["livePhotos", "livePhotos,"]),
    ("screens", ["screenshots", "screenshots,"]),
    ("screen", ["screenshots", "screenRecordings"]),
    ("images,vid", ["images,videos", "images,videos,"]),
    ("!vid", ["!videos", "!videos,"]),
    ("all(vid", ["all(videos)", "all(videos,"]),
    ("all(images,!fav", ["all(images,!favorites)", "all(images,!favorites,"]),
    ("all(images, sel", ["all(images, selfies)", "all(images, selfies,"]),
    ("any(all(raw,hd", ["any(all(raw,hdr)", "any(all(raw,hdr,"]),
    ("all(videos)", ["all(videos)", "all(videos),"]),
    ("any(all(videos)", ["any(all(videos))", "any(all(videos),"]),
    ("all(videos)x", []), ("cats", []), ("images)", []),
  ])
  func `Completion continues inside an expression`(text: String, candidates: [String]) {
    #expect(texts(text) == candidates)
  }

  @Test func `The only function is offered with its possible arguments`() {
    let first = PickerFilter.Name.allCases[0].rawValue
    #expect(texts("no").first == "not(\(first)")
    #expect(texts("images,any(al").first == "images,any(all(\(first)")
    #expect(texts("no").allSatisfy { $0.hasPrefix("not(") })
  }

  @Test(arguments: PickerFilter.Name.allCases)
  func `Every name is found by its prefix, and every completion is a filter`(
    name: PickerFilter.Name
  ) throws {
    let letters = name.rawValue
    for length in 1...letters.count {
      #expect(texts("all(\(letters.prefix(length))").contains { $0.hasPrefix("all(\(letters)") }, "\(length)")
    }
    #expect(try PickerFilter(parsing: texts("all(" + letters)[0]) == .all([.matching(name)]))
  }
}
