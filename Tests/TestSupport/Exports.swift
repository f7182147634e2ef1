// The helpers build on the public test kit. A file that imports them needs the kit too.
@_exported public import AssemblageTesting
