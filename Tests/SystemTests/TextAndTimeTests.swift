import System
import Testing

@Suite struct TextAndTimeTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (1900, 3, 1, -25_508),
    (1, 1, 1, -719_162), (0, 2, 29, -719_469), (9999, 12, 31, 2_932_896), (-400, 3, 1, -865_565),
  ])
  func `Calendar days convert to numbers and back`(
    year: Int, month: Int, day: Int, number: Int
  ) {
    #expect(CivilDays.number(year: year, month: month, day: day) == number)
    #expect(CivilDays.date(number) == (year, month, day))
  }

  @Test func `Each day of 800 years follows the previous one`() {
    var last = CivilDays.date(-146_097)
    for number in -146_096...146_097 {
      let date = CivilDays.date(number)
      let isNext =
        date == (last.year, last.month, last.day + 1) || date == (last.year, last.month + 1, 1)
        || date == (last.year + 1, 1, 1) && last.month == 12
      #expect(isNext && CivilDays.number(year: date.year, month: date.month, day: date.day) == number)
      if date.day == 1 { #expect(CivilDays.count(inMonth: last.month, of: last.year) == last.day) }
      last = date
    }
  }

  @Test func `Any bytes survive percent-encoding`() {
    let all = Array(UInt8.min...UInt8.max)
    let text = PercentEncoding.encoded(all, keeping: "-._~/".utf8)
    #expect(text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    #expect(PercentEncoding.decoded(text.utf8) == all)
    #expect(text.hasPrefix("%00%01") && text.contains("-./0123456789%3A"))
  }

  @Test(arguments: ["%", "%2", "%2g", "a%zz", "%%41"])
  func `A percent sign that begins no escape is an error if errors are reported, else itself`(text: String) {
    #expect(PercentEncoding.decoded(text.utf8) == nil)
    #expect(PercentEncoding.decodedText(text) == text.replacing("%41", with: "A"))
  }

  @Test func `A program is an executable file, not a folder of that name`() {
    #expect(ProcessEnvironment.program("sh").map(ProcessEnvironment.isProgram) == true)
    #expect(ProcessEnvironment.program("tpick-no-such-program") == nil)
    #expect(!ProcessEnvironment.isProgram("/usr/bin") && !ProcessEnvironment.isProgram("/etc/passwd"))
    #expect(ProcessEnvironment.variables.allSatisfy { $0.contains(UInt8(ascii: "=")) && !$0.contains(0) })
  }
}
