import Fixtures
import Foundation
import RemoteServers

// remote-server KIND FOLDER [--delay-ms N] [--megabits N] [--faults SEED] [--name NAME]: serves a folder through a
// proxy that makes it slow, distant and unreliable, until a signal ends it. Tests/Tools/remote-server builds and runs
// it.

let usage = """
  usage: remote-server KIND FOLDER [--delay-ms N] [--megabits N] [--faults SEED] [--name NAME]

  Serves FOLDER on 127.0.0.1 until it is interrupted, and prints the path of an rclone.conf that knows the server under
  NAME ("server" unless told), and the remote with the folder's files:

      RCLONE_CONFIG=/tmp/…/rclone.conf  server:

  KIND is alias, webdav, sftp or s3. Each answer comes N ms later, and all of them together at N Mbit/s. With --faults
  each third answer is cut, late, slow, an error or never ends, the same ones for one SEED. An alias, which is a folder
  and no server, has none of that. At SIGUSR1 the server dies in the middle of what it says; at the next one it is back.
  """

func fail(_ words: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data((words + "\n").utf8))
  exit(status)
}

// Before other threads exist, which then do not receive them.
var signals = sigset_t()
sigemptyset(&signals)
for signal in [SIGINT, SIGTERM, SIGHUP, SIGUSR1] { sigaddset(&signals, signal) }
pthread_sigmask(SIG_BLOCK, &signals, nil)

/// Serves until a signal arrives.
func serve(_ words: [String], until signals: sigset_t) throws {
  var plain: [String] = []
  var options = ["--delay-ms": "0", "--megabits": "0", "--faults": "", "--name": "server"]
  var rest = words[...]
  while let word = rest.popFirst() {
    if options[word] != nil, let value = rest.popFirst() {
      options[word] = value
    } else if word.hasPrefix("-") {
      fail(usage, status: 64)
    } else {
      plain.append(word)
    }
  }
  guard plain.count == 2, let kind = RemoteServer.Kind(rawValue: plain[0]),
    let delay = Int(options["--delay-ms"] ?? ""), let megabits = Double(options["--megabits"] ?? ""),
    let name = options["--name"], let faults = options["--faults"].map({ ($0, UInt64($0)) }),
    faults.0.isEmpty || faults.1 != nil
  else { fail(usage, status: 64) }
  guard kind.isAvailable else { fail(RemoteServer.Kind.requirement, status: 2) }

  let server = try RemoteServer(kind, serving: URL(fileURLWithPath: plain[1]).path)
  let proxy = try server.port.map { port in
    let proxy = try FaultProxy(to: port, carrying: kind == .sftp ? .stream : .http)
    proxy.link = LinkConditions(
      latencyMilliseconds: delay, bitsPerSecond: megabits > 0 ? Int(megabits * 1e6) : nil)
    if let seed = faults.1 { proxy.script = .mixed(seed: seed, isHTTP: kind != .sftp) }
    return proxy
  }
  let file = try ConfigurationFile(server.configuration(name: name, port: proxy?.port))
  print("RCLONE_CONFIG=\(file.path)  \(name):\(server.root)")
  fflush(nil)
  var (signals, signal) = (signals, Int32(0))
  while sigwait(&signals, &signal) == 0, signal == SIGUSR1 { proxy?.isGone.toggle() }
  withExtendedLifetime((server, proxy, file)) {}
  if let counters = proxy?.counters {
    print(
      "\(counters.connections) connections, \(counters.requests) requests, \(counters.bytesToClient) bytes, "
        + "\(counters.faults) faults")
  }
}

do {
  try serve(Array(CommandLine.arguments.dropFirst()), until: signals)
} catch {
  fail("remote-server: \(error)", status: 2)
}
