import AssetLibrary
import Testing

/// Sets of options print as words.
@Suite struct OptionWordTests {
  @Test func `Sets print the names of what they contain`() {
    #expect("\([.livePhoto, .hdr] as MediaSubtypes)" == "livePhoto, hdr")
    #expect("\(AssetSourceTypes.all)" == "userLibrary, cloudShared")
    #expect("\(CollectionTypes.default)" == "album, smartAlbum")
    #expect("\([.lens, .camera] as SearchFields)" == "camera, lens")
    #expect("\([.access, .contents] as LibraryChange)" == "contents, access")
  }

  @Test func `Empty sets and unknown bits have words too`() {
    #expect("\([] as MediaSubtypes)" == "none" && "\([] as LibraryChange)" == "nothing")
    #expect("\(CollectionTypes(rawValue: 1 << 6 | 1))" == "album, 64")
  }
}
