import Foundation
import Results
import Testing

/// The keys of an asset's JSON.
@Suite struct FieldSelectionTests {
  private func keys(_ selection: FieldSelection, path: [UInt8] = [0x2F, 0x61]) throws -> Set<String> {
    let data = try JSONEncoder().encode(AssetDocument(SampleAssets.record(path: path), selection))
    return Set(try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any]).keys)
  }

  @Test func `The default fields are those of PhotoKit`() throws {
    #expect(
      try keys(.standard) == [
        "localIdentifier", "path", "uri", "mediaType", "mediaSubtypes", "playbackStyle", "pixelWidth",
        "pixelHeight", "creationDate", "creationTimestamp", "modificationDate", "duration", "isFavorite",
        "isHidden", "location", "resources",
      ])
  }

  private static let ofVideos = [
    "container", "videoCodec", "videoProfile", "dynamicRange", "frameRate", "isVariableFrameRate", "rotation",
    "pixelAspectRatio", "audioCodec", "tracks", "chapters", "contentIdentifier",
  ]

  @Test func `A list selects fields, a plus adds some, all selects every one`() throws {
    #expect(try keys(FieldSelection("camera,path")) == ["camera", "path"])
    #expect(try keys(FieldSelection("path"), path: [0x2F, 0xFF]) == ["path", "pathBytes"])
    #expect(try keys(FieldSelection("+camera,albums")) == keys(.standard).union(["camera", "albums"]))
    let all = Set(AssetField.inJSON.map(\.name))
    #expect(
      try keys(FieldSelection("all"))
        == all.subtracting(["pathBytes", "burstIdentifier", "creationDateSource", "modificationTimestamp"])
        .subtracting(Self.ofVideos + ["partStart", "partEnd", "keyPhotoTime"]))
  }

  @Test(arguments: [
    ("camrea", "unknown field 'camrea' (is it camera?); fields are all, localIdentifier, path"),
    ("path,", "unknown field ''"), ("", "unknown field ''"), ("+", "unknown field ''"),
    ("date", "unknown field 'date' (is it creationDate?)"), ("latitude", "(is it location?)"),
    ("name", "(a part of path, for templates)"), ("path,all", "unknown field 'all'"),
  ])
  func `An unknown field is reported with the known ones`(text: String, message: String) {
    let error = #expect(throws: FormatError.self) { try FieldSelection(text) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [("path,fileSize", false, false), ("title", true, false), ("albums", false, true)])
  func `Files and albums are read if a key requires them`(
    text: String, needsDetails: Bool, needsAlbums: Bool
  ) throws {
    let selection = try FieldSelection(text)
    #expect(selection.needsDetails == needsDetails)
    #expect(selection.needsAlbums == needsAlbums)
    #expect(!FieldSelection.standard.needsDetails && !FieldSelection.standard.needsAlbums)
  }

  @Test func `Albums, locations and numbers keep their structure`() throws {
    let data = try JSONEncoder().encode(
      AssetDocument(SampleAssets.record(), try FieldSelection("albums,location,exposureTime,isoSpeed")))
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let albums = try #require(object["albums"] as? [[String: String]])
    #expect(albums.first == ["localIdentifier": "a", "title": "photos", "path": "/photos"])
    #expect(albums.last == ["localIdentifier": "b", "title": "Favorites"])
    #expect(object["location"] as? [String: Double] == ["latitude": 38.72, "longitude": -9.14])
    #expect(object["exposureTime"] as? Double == 0.004)
    #expect(object["isoSpeed"] as? Int == 200)
  }
}
