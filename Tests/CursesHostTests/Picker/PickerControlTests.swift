import PickerRuntime
import PickerUI
import Synchronization
import Testing

@testable import CursesHost

/// What the program tells its picker.
@Suite struct PickerControlTests {
  private final class Received: Sendable {
    let events = Mutex<[String]>([])

    var receive: @Sendable (LoopEvent) -> Void {
      { [self] event in
        let text =
          switch event {
          case .dismissed: "dismissed"
          case .message(.order(let order)): "\(order)"
          default: "other"
          }
        events.withLock { $0.append(text) }
      }
    }
  }

  @Test func `Changes made before the picker is on the screen arrive then, in order`() {
    let (control, received) = (PickerControl(), Received())
    control.order(.zoomIn)
    control.order(.scrollToInitialPosition)
    control.dismiss()
    #expect(received.events.withLock { $0 }.isEmpty)
    control.connect(received.receive)
    control.order(.zoomOut)
    #expect(
      received.events.withLock { $0 } == ["zoomIn", "scrollToInitialPosition", "dismissed", "zoomOut"])
    control.disconnect()
    control.order(.zoomIn)
    #expect(received.events.withLock { $0 }.count == 4)
  }
}
