"""The frame of every page: sidebar, session, URL, and data loaded once for all visitors.

- ``address``: The URL of a page: a link restores exactly what is shown
- ``choice``: The chosen corpus and model, kept in the URL so that a link or a reload restores them
- ``empty_states``: Empty states of pages: a sentence, and the button that leads to what is missing
- ``kept``: Views that a person keeps in a story: their URL parameters, default titles and pictures
- ``loaders``: Load the open corpus and model once for all sessions, and compile kernels in the
  background
- ``memory``: Values kept in a session; the only module that accesses Streamlit's session state
- ``page``: Frame of a page: headline, columns, notes and errors, and links from one page to another
- ``resources``: Data of the open corpus or model that is computed once: search, facets, activations
- ``routing``: The pages, the page that is open, and ways to another page
- ``strings``: Strings of the frame of every page: sidebar, page titles, empty states, errors
"""
