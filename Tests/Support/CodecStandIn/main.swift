import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

let standIn = StandIn()
var server = CodecServer(socket: STDIN_FILENO)
server.run { descriptor throws(CodecError) in
  try standIn.facts(descriptor)
} picture: { descriptor, request, _ throws(CodecError) in
  try standIn.picture(descriptor, request)
} frames: { descriptor, request throws(CodecError) in
  try standIn.frames(descriptor, request)
}
