import Testing

@testable import TerminalGraphics

@Suite struct PopupPlacementTests {
  @Test(arguments: [
    ("center", "-xC -yC -w80% -h80%"), ("80%", "-xC -yC -w80% -h80%"), ("center,60%", "-xC -yC -w60% -h60%"),
    ("CENTER,100,30", "-xC -yC -w100 -h30"), ("50%,30", "-xC -yC -w50% -h30"),
    ("top", "-xC -y0 -w100% -h50%"), ("top,40%", "-xC -y0 -w100% -h40%"),
    ("top,70%,20", "-xC -y0 -w70% -h20"),
    ("bottom,12", "-xC -y9999 -w100% -h12"), ("left", "-x0 -yC -w50% -h100%"),
    ("left,33%", "-x0 -yC -w33% -h100%"), ("right,40,60%", "-xR -yC -w40 -h60%"), ("24", "-xC -yC -w24 -h24"),
  ])
  func `Values become tmux's arguments`(words: String, arguments: String) throws {
    #expect(try #require(PopupPlacement(words)).arguments.joined(separator: " ") == arguments)
  }

  @Test(arguments: [
    "", ",", "middle", "center,", "center,,50%", "0", "0%", "101%", "50%%", "-5", "+5", "5.5", "10000", "%",
    "center,1,2,3", "top,left", "50% ", "\u{663}",
  ])
  func `Other values are rejected`(words: String) {
    #expect(PopupPlacement(words) == nil)
  }

  @Test(arguments: [
    ("center", true), ("top,50%", true), ("80%", true), ("80,24", true), ("2024", false), ("./center", false),
    ("Pictures", false), ("", false), ("--limit", false), ("-", false),
  ])
  func `After the option the value is distinguished from a folder`(word: String, isMeant: Bool) {
    #expect(PopupPlacement.isMeant(by: word) == isMeant)
  }
}
