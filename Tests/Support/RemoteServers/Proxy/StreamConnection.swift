import Fixtures
import Synchronization

/// A connection whose content is not parsed.
final class StreamConnection: ProxyConnection {
  private var shaper = AnswerShaper(.pass, random: SeededGenerator(seed: 0))
  private var scriptNumber = -1
  private var hasServerSpoken = true
  private var hasCounted = false

  override init(_ client: LocalSocket, server: UInt16, state: ProxyState) {
    super.init(client, server: server, state: state)
    connect()
    decide()
  }

  private func decide() {
    (shaper, scriptNumber) = state.decide(on: nil)
    hasCounted = false
    limit(to: shaper.fault)
  }

  override func pass() {
    if !fromClient.isEmpty {
      if hasServerSpoken {
        hasServerSpoken = false
        state.count { $0.requests += 1 }
        if state.content.withLock({ $0.scriptNumber }) != scriptNumber { decide() }
        shaper.beginAnswer()
      }
      sendToServer(fromClient.take(.max))
    }
    if !fromServer.isEmpty, !isStalled {
      hasServerSpoken = true
      if shaper.fault != .pass, !hasCounted {
        hasCounted = true
        state.count { $0.faults += 1 }
      }
      let delay = shaper.delay()
      var bytes = fromServer.take(.max)
      let outcome = shaper.shape(&bytes, isContent: true)
      sendToClient(bytes, later: delay)
      switch outcome {
      case .goesOn: break
      case .stalls: isStalled = true
      case .ends(let resets): ending = resets ? .reset : .closed
      }
    }
  }
}
