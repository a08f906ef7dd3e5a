import CodecProtocol
import Glibc

// It says what it has to say to be given files.
var server = CodecServer(
  socket: STDIN_FILENO, confinement: HelperConfinement(hasFilter: true, landlock: 1))
server.run(StandIn(server.interruption))
