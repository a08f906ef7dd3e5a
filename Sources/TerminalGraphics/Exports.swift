// Re-exported for the pictures and sizes in this module's interface.
@_exported public import Pixels
