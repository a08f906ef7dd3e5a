import Dispatch
import System

/// Looks at the files of folders in the background, several pieces at once.
final class VisitQueue: Sendable {
  /// More readers than cores: cold disks answer several questions in the time of one.
  ///
  /// Each holds a folder and a file open; where few files may be open at all, all of them would wait for each other.
  private static let readers = min(8, max(1, (DescriptorLimit.count - 32) / 8))

  private let context: ScanContext
  private let reading = WorkQueue(width: readers)
  private let tickets = DispatchSemaphore(value: readers)
  private let work = DispatchGroup()

  init(_ context: ScanContext) {
    self.context = context
  }

  /// Looks at the files of a folder; waits while all readers are busy.
  /// - Parameters:
  ///   - share: how much of the whole that is, from 0 to 1.
  ///   - ended: called on any thread once what was found is known.
  func visit(
    _ index: Int, _ folder: any FolderContents, _ names: NameTable, share: Double = 0,
    ended: @escaping @Sendable () -> Void = {}
  ) {
    let visit = FolderVisit(context, index: index, folder: folder, names: names)
    let progress = context.model.progress
    if visit.isKnown {
      enqueue {
        visit.check()
        progress.advance(by: share)
        ended()
      }
    } else {
      let batches = visit.batches()
      for batch in batches {
        enqueue {
          if visit.read(batch) { ended() }
          progress.advance(by: share / Double(batches.count))
        }
      }
    }
    context.model.announce()
  }

  private func enqueue(_ body: @escaping @Sendable () -> Void) {
    tickets.wait()
    work.enter()
    reading.async { [context, tickets, work] in
      if !context.control.isCancelled { body() }
      tickets.signal()
      work.leave()
    }
  }

  /// Waits until everything that was enqueued is looked at.
  func wait() { work.wait() }
}
