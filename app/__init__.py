"""The Streamlit app and the command line.

- ``access``: Access by a token, for a server that others can reach
- ``charts``: Charts of runs, corpora and groups, and the theme that all charts share; no
  Streamlit
- ``cli``: The command ``orrery``: one module for each command
- ``components``: Parts of a page that Streamlit does not have
- ``main``: The script that Streamlit runs for every visitor; the pages are in
  `orrery.app.navigation`
- ``navigation``: Page set-up, sidebar and navigation of the app
- ``server``: A server for this machine alone answers to the names of this machine alone
- ``shared``: Content that several pages show: topic cards, questions, document lists, stories
- ``shell``: What surrounds every page: frame, sidebar, session, URL, and data loaded once for all
  visitors
- ``text``: Texts made safe for the page, excerpts, and strings that several packages use; no
  Streamlit
- ``tokens``: Tokens of a server that others can reach: given, from the user's file, or random
- ``views``: The pages, one package each
- ``workspace``: The workspace on disk, and the work that runs in processes of its own; no
  Streamlit
"""
