import SystemPackage
import Testing

@testable import PhotoPicker

struct UserDirectoriesTests {
  @Test(arguments: [
    ("# comment\nXDG_PICTURES_DIR=\"/srv/photos\"\n", "/srv/photos"),
    ("  XDG_PICTURES_DIR=\"$HOME/Bilder\"\n", "Bilder"), ("XDG_PICTURES_DIR=\"Bilder\"\n", nil), ("", nil),
  ])
  func `The pictures folder is the one of user-dirs.dirs`(text: String, name: String?) {
    let found = UserDirectories.picturesFolder(in: text)
    guard let name else {
      #expect(found == nil)
      return
    }
    #expect(found == (name.hasPrefix("/") ? FilePath(name) : UserDirectories.home.appending(name)))
  }
}
