import CPlatform
import FileChooser
import SystemPackage
import System

let usage = """
  Usage: tpick-portal [--idle SECONDS]

  Serves the file chooser of xdg-desktop-portal on the session bus, with tpick in a terminal window. D-Bus starts it.
  It exits after SECONDS (60) without a request. Its settings are in $XDG_CONFIG_HOME/tpick/portal.conf.

  """

/// Reads the settings; without a file, the defaults.
func readSettings() -> PortalSettings {
  let path = UserFolders.settings
  do throws(Errno) {
    let settings = PortalSettings(try FileBytes.read(path))
    for problem in settings.problems { Log.write("\(path.string): \(problem)") }
    return settings
  } catch {
    if error != .noSuchFileOrDirectory { Log.write("\(path.string): \(error)") }
    return PortalSettings()
  }
}

func serve(seconds: UInt64) -> Int32 {
  // The user's own options may request another output format.
  unsetenv("TPICK_DEFAULT_OPTS")
  do throws(BusError) {
    try PortalService(readSettings(), idleTime: seconds * 1_000_000).run()
    return 0
  } catch {
    Log.write("\(error)")
    return 1
  }
}

let words = (0..<process_argument_count()).compactMap { process_argument($0).map { String(cString: $0) } }
  .dropFirst()
let status: Int32
switch (words.first, words.count) {
case (nil, _): status = serve(seconds: 60)
case ("--idle", 2):
  if let seconds = UInt64(words[2]), seconds < 1 << 32 {
    status = serve(seconds: seconds)
  } else {
    Log.write("--idle: expected seconds, not '\(words[2])'")
    status = 64
  }
case ("--inside", 2):
  // As bytes: a path may not be valid text.
  let folder = process_argument(2).map { FilePath(platformString: $0) } ?? FilePath()
  status = TerminalTask.run(in: folder)
case ("--help", 1):
  TerminalLines.write(Array(usage.utf8))
  status = 0
default:
  Log.write("wrong usage; --help shows the options")
  status = 64
}
exit(status)
