"""The Stories page: play, edit and download sequences of kept views.

- ``edits``: Edits of a story, which are saved at once; deletions can be undone
- ``page``: The Stories page: play, edit and download the kept views of a model in their order
- ``strings``: Strings of the Stories page
"""
