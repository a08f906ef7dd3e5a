import Synchronization

/// The peak heap use since its creation, by AddressSanitizer's count.
///
/// Memory of the format libraries counts too, as does memory that is never written to: neither requires a file with
/// much decodable data. Only one may exist at a time.
struct HeapPeak {
  private static let most = Atomic(0)
  private static let small = Atomic(0)
  private static let isWatched = installHooks(
    { _, count in
      // Counting takes time: large blocks are counted at once, of small ones every five-hundredth.
      guard count >= 1 << 16 || small.wrappingAdd(1, ordering: .relaxed).newValue % 512 == 0 else { return }
      most.store(max(most.load(ordering: .relaxed), allocatedBytes()), ordering: .relaxed)
    }, { _ in })

  private let start = allocatedBytes()

  init() {
    precondition(Self.isWatched > 0)
    Self.most.store(start, ordering: .relaxed)
  }

  /// Bytes above the initial amount.
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
