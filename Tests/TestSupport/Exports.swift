// Whoever imports the helpers of the tests has those of the public kit too, on which they are built.
@_exported public import AssemblageTesting
