"""Every picture that needs no browser: what is drawn, where, in which colours, as SVG or HTML.

- ``explorer_strings``: Sentences that the app and the offline explorer share
- ``hierarchy_layout``: Where the topics stand when each hangs from its main parent: a forest,
  left to right
- ``layout``: Order of the boxes in their layers, so that few edges cross
- ``links``: Names of nodes, and the links between them, as every picture and page needs them
- ``local_model``: The picture of a query: its local model as in Figure 2 of Ji et al. (2019)
- ``neighbourhood``: The picture of a piece of the whole graph: around one topic or word
- ``path``: The strongest path between two topics, over links in either direction (no streamlit)
- ``picture``: Picture: what a topic graph shows, placed and coloured, ready for a canvas
- ``pyvis_network``: Topic graphs as networks of pyvis, to be restyled in a notebook: our colours
  and positions
- ``question``: Question: what a person typed, as evidence for the model, and back to text
- ``routes``: Routes of the arrows: down through the gaps between boxes, never behind one (no
  streamlit)
- ``selection``: What of a local model is worth drawing: not every topic, and of a long query not
  every link
- ``strings``: Numbers as people read them: probabilities with the digits that their error allows,
  per cent
- ``style``: Colours and sizes of exported pictures, and what the app shares with them
- ``svg``: The hierarchy of topics as a drawing that scales and prints
- ``web_page``: One file of HTML out of a template, styles, scripts and data; it needs no network
- ``zones``: Groups of boxes side by side, with their layers at the same heights (no streamlit)
"""
