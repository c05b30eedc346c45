"""The Map page: every document a point.

- ``page``: Layout of the Map page, its controls and its picture
- ``selected``: List of the highlighted documents, and the making of a missing map
- ``selected_documents``: Selected documents: what they have more of than others
- ``strings``: Strings of the Map page
"""
