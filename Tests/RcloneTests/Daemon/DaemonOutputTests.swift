import TestScheduling
import Testing

@testable import Rclone

@Suite(.onOwnThreads) struct DaemonOutputTests {
  @Test(
    arguments: [
      (
        "2026/11/23 19:56:44 NOTICE: Serving remote control on http://127.0.0.1:43751/",
        "http://127.0.0.1:43751"
      ),
      ("<5>NOTICE: Serving remote control on http://127.0.0.1:80/ with", "http://127.0.0.1:80"),
      ("2026/11/23 19:56:44 NOTICE: something else", nil), ("http://127.0.0.1:/", nil),
      ("http://127.0.0.1:70000/", nil),
      ("http://10.0.0.1:80/", nil), ("", nil),
    ] as [(String, String?)])
  func `The address is found in its log line`(_ line: String, _ address: String?) {
    #expect(DaemonOutput.address(in: line) == address)
  }

  @Test(arguments: [
    ("2026/11/23 20:28:09 Fatal error: unknown flag: --addr", "unknown flag: --addr"),
    ("2026/11/23 20:28:09 ERROR : rc: no", "rc: no"), ("2026/11/23 20:28:09 NOTICE: x", "x"),
    ("2026/11/23 20:28:09 Failed to load config file", "Failed to load config file"), ("plain", "plain"),
    ("", ""),
  ])
  func `A log line is read without date and level`(_ line: String, _ message: String) {
    #expect(DaemonLine.message(of: line) == message)
  }

  @Test func `Settings that would open, hide or weaken the daemon are withheld from it`() {
    let inherited = [
      "PATH=/bin", "TPICK_X=1", "LD_PRELOAD=x", "RCLONE_CONFIG=/c", "RCLONE_CONFIG_NAS_TYPE=local",
      "RCLONE_CONFIG_PASS=p", "RCLONE_RC_NO_AUTH=true", "RCLONE_NO_CHECK_CERTIFICATE=true",
      "RCLONE_LOG_FILE=/l",
      "RCLONE_CONFIG_TPICK0_TYPE=x", "HOME=/h",
    ].map { Array($0.utf8) }
    let found = DaemonEnvironment.variables(from: inherited, adding: [("RCLONE_RC_USER", "u")])
    #expect(
      found.map { String(decoding: $0, as: UTF8.self) } == [
        "PATH=/bin", "RCLONE_CONFIG=/c", "RCLONE_CONFIG_NAS_TYPE=local", "RCLONE_CONFIG_PASS=p", "HOME=/h",
        "RCLONE_RC_USER=u",
      ])
  }

  @Test
  func `A daemon that crashes repeatedly is restarted after growing pauses, and one that ran well at once`() {
    var pause = RestartBackoff()
    pause.didStart(at: .zero)
    pause.didFail(at: .seconds(1))
    #expect(pause.pause(at: .seconds(1)) == .zero)
    var longest = Duration.zero
    for second in 2..<20 {
      pause.didStart(at: .seconds(second))
      pause.didFail(at: .seconds(second))
      #expect(pause.pause(at: .seconds(second)) >= longest)
      longest = pause.pause(at: .seconds(second))
    }
    #expect(longest == .seconds(60) && pause.pause(at: .seconds(90)) == .zero)
    pause.didStart(at: .seconds(100))
    pause.didFail(at: .seconds(200))
    #expect(pause.pause(at: .seconds(200)) == .zero)
  }
}
