/// The program part that turns pictures into sixels.
package enum SixelEncoderKind: String, CaseIterable, Hashable, Sendable {
  /// `SixelEncoder`: the nearest colours, in the least time and bytes.
  case own
  /// `LibsixelEncoder`: error diffusion.
  case libsixel

  /// A terminal with no more colour registers gets diffused pictures: VT340s and their emulators have 16.
  ///
  /// Measured on photographs (Decision 10): up to here diffusion brings them nearer to what the eye makes of them, for
  /// less than twice the bytes.
  static let fewRegisters = 16

  /// The better one where none was asked for.
  static func best(registers: Int, preset: SixelPreset) -> SixelEncoderKind {
    registers <= fewRegisters && preset == .quality ? .libsixel : .own
  }
}
