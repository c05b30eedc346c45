"""The Stories page: kept views in their order.

- ``edits``: What a person changes of a story, written at once; what was deleted can be had back
- ``page``: Stories: the kept views of a model in their order, to play, to edit and to take along
- ``strings``: Words of stories: keeping a view, the Stories page, and playing
"""
