"""What surrounds every page: frame, sidebar, session, URL, and data loaded once for all visitors.

- ``address``: The address of a page: a link restores exactly what is shown
- ``choice``: Which corpus and which model a person has chosen
- ``empty_states``: What a page shows when it has nothing to show: a sentence, and the button that
  changes that
- ``kept``: What is kept of an address, and what a kept view is called before a person says better
- ``loaders``: Compile what a query needs in the background, once per machine (no streamlit)
- ``memory``: What a session remembers: the only module that touches Streamlit's session state
- ``page``: Whether a story is told
- ``resources``: What is computed once per open corpus or model: search, facets, topics of
  documents
- ``routing``: Which pages there are, which one is open, and how to get to another
- ``sidebar``: The sidebar: which corpus and model are open, and the links to all pages
- ``strings``: Words that every page shares: the sidebar, the names of the pages
"""
