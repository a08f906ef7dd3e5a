import AssetLibrary
import Fixtures
import SystemPackage
import Testing

@testable import FolderLibrary

/// Which candidate paths are new, and what they lead to.
@Suite struct CandidateFilterTests {
  private let photos: TemporaryFolder

  init() throws {
    photos = try TemporaryFolder()
    try photos.write([1], to: "a.jpg")
    try photos.write([1], to: "in/b.jpg")
  }

  private func makeFilter() -> CandidateFilter {
    CandidateFilter(probes: .shared) { FilePath(bytes: $0) }
  }

  private func verdict(_ path: String, _ filter: inout CandidateFilter) -> String {
    switch filter.verdict(on: .path(Array(path.utf8)[...])) {
    case .seen: "seen"
    case .known: "known"
    case .missing(let issue): issue.reason
    case .candidate(let candidate):
      switch candidate.kind {
      case .file: "file"
      case .folder: "folder"
      case .silent: "silent"
      }
    }
  }

  @Test func `A path counts once, and so does a file in one spelling of its folder`() throws {
    try photos.link("link", to: "\(photos.path)/in")
    var filter = makeFilter()
    #expect(verdict("\(photos.path)/in/b.jpg", &filter) == "file")
    #expect(verdict("\(photos.path)/in/b.jpg", &filter) == "seen")
    for spelling in ["link/b.jpg", "./in/b.jpg", "in/../in/b.jpg", "link/./b.jpg"] {
      #expect(verdict("\(photos.path)/\(spelling)", &filter) == "known")
      #expect(verdict("\(photos.path)/\(spelling)", &filter) == "seen")
    }
    #expect(verdict("\(photos.path)/a.jpg", &filter) == "file")
    // Two names of one file are two candidates.
    try photos.link("alias.jpg", to: "a.jpg")
    #expect(verdict("\(photos.path)/alias.jpg", &filter) == "file")
  }

  @Test func `A folder counts once, however it is spelled`() {
    var filter = makeFilter()
    #expect(verdict("\(photos.path)/in", &filter) == "folder")
    #expect(verdict("\(photos.path)/./in/", &filter) == "known")
    #expect(verdict("\(photos.path)/in/../in", &filter) == "known")
    #expect(verdict("\(photos.path)", &filter) == "folder")
  }

  @Test func `A missing path is reported once`() {
    var filter = makeFilter()
    #expect(verdict("\(photos.path)/gone.jpg", &filter) == "No such file or directory")
    #expect(verdict("\(photos.path)/gone.jpg", &filter) == "seen")
    #expect(verdict("\(photos.path)/gone/a.jpg", &filter) == "No such file or directory")
    #expect(verdict("\(photos.path)/a.jpg/b.jpg", &filter) == "Not a directory")
    let long = Array(String(repeating: "/", count: 20000).utf8)[...]
    // A truncated path may lead to another file.
    guard case .missing(let issue) = filter.verdict(on: .overlong(long)) else {
      Issue.record("a truncated path is accepted")
      return
    }
    #expect(issue.reason == "File name too long")
    guard case .seen = filter.verdict(on: .overlong(long)) else {
      Issue.record("a truncated path is reported twice")
      return
    }
  }
}
