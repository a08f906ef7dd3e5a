import CodecProtocol
import Glibc

// It claims the confinement that is required to receive files.
var server = CodecServer(
  socket: STDIN_FILENO, confinement: HelperConfinement(hasFilter: true, landlock: 1))
server.run(StandIn(server.interruption))
