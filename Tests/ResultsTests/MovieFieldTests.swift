import AssetLibrary
import Foundation
import Testing

@testable import Results

/// The facts of videos in JSON and in the text of `tpick info`.
@Suite struct MovieFieldTests {
  private func record() -> AssetRecord {
    var movie = MovieDetails(container: "mov,mp4,m4a,3gp,3g2,mj2")
    var picture = MovieTrack(.video)
    (picture.codec, picture.profile, picture.duration) = ("hevc", "Main 10", 2.5)
    var video = MovieTrack.Video(width: 1440, height: 1080)
    (video.rotation, video.pixelWidth, video.pixelHeight) = (90, 4, 3)
    (video.frameRate, video.isVariableFrameRate, video.dynamicRange) = (29.97, true, .hlg)
    picture.video = video
    var sound = MovieTrack(.audio)
    (sound.codec, sound.profile, sound.channelCount, sound.sampleRate) = ("aac", "LC", 2, 48_000)
    var cover = MovieTrack(.video)
    (cover.codec, cover.isCover) = ("png", true)
    movie.tracks = [cover, picture, sound]
    movie.chapters = [
      MovieChapter(title: "One", start: 0, end: 1), MovieChapter(title: nil, start: 1, end: 2.5),
    ]
    var details = AssetDetails()
    (details.movie, details.contentIdentifier) = (movie, "7D2F0D5E")
    let asset = Asset(
      localIdentifier: "1", mediaType: .video, pixelSize: PixelSize(width: 1080, height: 1920),
      creationDate: AssetDate(wallSeconds: 0),
      resources: [
        AssetResource(
          type: .video, path: FilePath("a.mov"), uniformTypeIdentifier: "com.apple.quicktime-movie",
          byteCount: 9)
      ])
    return AssetRecord(asset, details: details)
  }

  private func object(_ fields: String) throws -> [String: Any] {
    let document = AssetDocument(record(), try FieldSelection(fields))
    let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(document))
    return try #require(json as? [String: Any])
  }

  @Test func `JSON has the facts of the track that is shown`() throws {
    let found = try object(
      "container,videoCodec,videoProfile,dynamicRange,frameRate,isVariableFrameRate,rotation,pixelAspectRatio,"
        + "audioCodec,contentIdentifier")
    #expect(found["container"] as? String == "mov,mp4,m4a,3gp,3g2,mj2")
    #expect(found["videoCodec"] as? String == "hevc" && found["videoProfile"] as? String == "Main 10")
    #expect(found["dynamicRange"] as? String == "hlg" && found["frameRate"] as? Double == 29.97)
    #expect(found["isVariableFrameRate"] as? Bool == true && found["rotation"] as? Int == 90)
    #expect(found["pixelAspectRatio"] as? String == "4:3" && found["audioCodec"] as? String == "aac")
    #expect(found["contentIdentifier"] as? String == "7D2F0D5E")
  }

  @Test(arguments: [true, false])
  func `JSON and templates tell the part of a video, as a file or not`(isFile: Bool) throws {
    var whole = record().asset
    whole.duration = 20
    func json(_ asset: Asset) throws -> [String: Any] {
      let document = AssetDocument(AssetRecord(asset))
      let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(document))
      return try #require(object as? [String: Any])
    }
    let untouched = try json(whole)
    #expect(untouched["partStart"] == nil && untouched["partEnd"] == nil)
    var part = whole
    part.trim = .milliseconds(1500)..<(.milliseconds(4250))
    if isFile { part = part.deliveringPart() }
    let found = try json(part)
    #expect(found["partStart"] as? Double == 1.5 && found["partEnd"] as? Double == 4.25)
    #expect(found["duration"] as? Double == (isFile ? 2.75 : 20))
    let template = try ResultTemplate(Array("{stem}_{partStart}-{partEnd}".utf8))
    #expect(template.name(of: AssetRecord(part)) == [Array("a_1.5-4.25".utf8)])
  }

  @Test(arguments: [true, false])
  func `JSON and templates tell which frame is the key photo, as a file or not`(isFile: Bool) throws {
    var asset = record().asset
    asset.keyPhotoTime = .milliseconds(1250)
    if isFile { asset = asset.deliveringKeyPhoto() }
    let document = AssetDocument(AssetRecord(asset))
    let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(document))
    #expect((object as? [String: Any])?["keyPhotoTime"] as? Double == 1.25)
    let template = try ResultTemplate(Array("{stem}_{keyPhotoTime}".utf8))
    #expect(template.name(of: AssetRecord(asset)) == [Array("a_1.25".utf8)])
    #expect(template.name(of: record()) != template.name(of: AssetRecord(asset)))
  }

  @Test func `JSON has every track and chapter`() throws {
    let found = try object("tracks,chapters")
    let tracks = try #require(found["tracks"] as? [[String: Any]])
    #expect(tracks.map { $0["kind"] as? String } == ["video", "video", "audio"])
    #expect(tracks.map { $0["isCover"] as? Bool } == [true, nil, nil])
    #expect(tracks[1]["width"] as? Int == 1440 && tracks[1]["duration"] as? Double == 2.5)
    #expect(tracks[2]["channels"] as? Int == 2 && tracks[2]["sampleRate"] as? Int == 48_000)
    let chapters = try #require(found["chapters"] as? [[String: Any]])
    #expect(chapters.map { $0["title"] as? String } == ["One", nil])
    #expect(chapters.map { $0["end"] as? Double } == [1, 2.5])
  }

  @Test func `The text for people has a line for video, sound and chapters`() {
    let lines = record().infoLines.reduce(into: [String: String]()) { $0[$1.line.label] = $1.text }
    #expect(
      lines["codec"] == "hevc Main 10, hlg, 29.97 frames per second on average, turned by 90°, pixels 4:3")
    #expect(lines["sound"] == "aac LC, 2 channels, 48000 Hz" && lines["chapters"] == "One")
  }

  @Test(arguments: [
    ("{videoCodec} {rotation} {frameRate}", "hevc 90 29.97"),
    ("{tracks}", "video png, video hevc, audio aac"),
    ("{chapters}", "One"), ("{isVariableFrameRate}", "true"),
  ])
  func `Templates print the facts`(template: String, expected: String) throws {
    #expect(try SampleAssets.text(template, of: record()) == "\(expected)\n")
  }

  @Test func `A photo has no such facts`() throws {
    let photo = AssetRecord(record().asset)
    let document = AssetDocument(photo, try FieldSelection("container,frameRate,tracks,chapters,rotation"))
    let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(document))
    #expect((json as? [String: Any])?.isEmpty == true)
  }
}
