import AssetLibrary

extension PickerState {
  /// Ends the picker with a result, after its originals were brought, and it was handed over where that takes time.
  /// - Parameter isHere: whether the originals were brought before.
  mutating func handOver(_ assets: [Asset], by key: Key?, isHere: Bool = false) -> [PickerEffect] {
    if !isHere, options.client.needsOriginals, !assets.allSatisfy(\.isLocallyAvailable) {
      return download(assets, by: key)
    }
    guard !assets.isEmpty, options.deliversResults || !handover.options.isPlain else {
      return [.finish(.picked(assets, by: key, as: handover.options))]
    }
    (input.overlay, input.prompt, status.notice) = (nil, nil, nil)
    _ = release()
    handover.delivery = Delivery(assets, by: key)
    return [.deliver(assets, handover.options)]
  }

  /// Handles input while the result is handed over: that can be stopped, and nothing else be done.
  /// - Returns: nil for a message that is handled as usual.
  mutating func takeWhileDelivering(_ message: PickerMessage) -> [PickerEffect]? {
    guard handover.delivery != nil else { return nil }
    switch message {
    case .key(let key):
      switch options.bindings.command(for: key) {
      case .redraw:
        forgetPictures()
        return [.redraw]
      case .suspend: return [.suspend]
      case .close, .cancel: return stopDelivery()
      default: return []
      }
    // The one hint says that it stops.
    case .mouse(let event): return statusAction(under: event) == .command(.close) ? stopDelivery() : []
    case .paste: return []
    default: return nil
    }
  }

  private mutating func stopDelivery() -> [PickerEffect] {
    guard let work = handover.delivery?.work, status.canStop(work) else { return [] }
    return status.stop(work)
  }

  /// Ends the picker once the result was handed over.
  mutating func finishDelivery() -> [PickerEffect] {
    guard let delivery = handover.delivery else { return [] }
    return ring(after: delivery.work)
      + [.finish(.picked(delivery.assets, by: delivery.key, as: handover.options))]
  }
}
