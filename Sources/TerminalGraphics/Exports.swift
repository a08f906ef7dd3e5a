// Who imports TerminalGraphics gets the pictures that it draws, and their sizes.
@_exported public import Pixels
