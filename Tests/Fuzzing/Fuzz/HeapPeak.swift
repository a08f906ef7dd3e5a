import Synchronization

/// The most memory of the heap that is taken at a time from its making on, by AddressSanitizer's count.
///
/// What the format libraries take counts too, and what is never written to as well: neither has to wait for a file of
/// which so much can be decoded. One at a time.
struct HeapPeak {
  private static let most = Atomic(0)
  private static let small = Atomic(0)
  private static let isWatched = installHooks(
    { _, count in
      // Counting takes time: large pieces are counted at once, of small ones every five-hundredth.
      guard count >= 1 << 16 || small.wrappingAdd(1, ordering: .relaxed).newValue % 512 == 0 else { return }
      most.store(max(most.load(ordering: .relaxed), allocatedBytes()), ordering: .relaxed)
    }, { _ in })

  private let start = allocatedBytes()

  init() {
    precondition(Self.isWatched > 0)
    Self.most.store(start, ordering: .relaxed)
  }

  /// Bytes above what there was at the start.
  var bytes: Int { Self.most.load(ordering: .relaxed) - start }
}

// compiler-rt, include/sanitizer/allocator_interface.h.

@_silgen_name("__sanitizer_get_current_allocated_bytes")
private func allocatedBytes() -> Int

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
  _ allocated: @convention(c) (UnsafeRawPointer?, Int) -> Void,
  _ freed: @convention(c) (UnsafeRawPointer?) -> Void
) -> Int32
