import CodecProtocol
import Decoding

extension RequestInterruption: DecodeInterruption {}
