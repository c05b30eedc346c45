"""Types of arrays, errors for people, progress callbacks, and other small shared parts.

- ``errors``: The one exception for whatever a person handed in that cannot be used
- ``notebook``: Small pieces of HTML by which objects show themselves in a notebook; every text is
  escaped
- ``parsing``: A whole number as people type it, and as an address or a name has it
- ``progress``: How long work says how far it is
- ``read_only``: A server that only shows: whatever would change its workspace for a visitor is
  refused here
- ``types``: Types of the arrays that travel through core, by what their elements are
"""
