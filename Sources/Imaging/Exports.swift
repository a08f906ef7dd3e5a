// Clients of Imaging also get the types of AssetLibrary.
@_exported public import AssetLibrary
