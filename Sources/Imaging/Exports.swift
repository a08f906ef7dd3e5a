// Who imports Imaging gets the vocabulary of assets with it.
@_exported public import AssetLibrary
