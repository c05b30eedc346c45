"""Types of arrays, the error for wrong input, progress callbacks, and other small shared parts.

- ``errors``: ``InputError``, the exception for input that cannot be used
- ``lazy``: Modules that are imported when they are first used
- ``notebook``: HTML for the display of objects in a notebook; every text is escaped
- ``parsing``: Whole numbers from text, and CSV files that are safe to open in a spreadsheet
- ``read_only``: Protection of the workspace on a server that only shows it
- ``types``: Types of the arrays that core uses, and the progress callback of long computations
"""
