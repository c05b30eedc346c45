"""Pictures that need no browser: selection, layout and colours of nodes, SVG and HTML.

- ``answer``: The answer to a query as groups of topics and as a sentence, for the app and the
  command
- ``explorer_strings``: Sentences that the app and the offline explorer share
- ``hierarchy_layout``: Layout of the hierarchy: every topic beside its main parent, as trees from
  left to right
- ``layout``: Layered layout of a topic graph: order in a layer with few crossings, rows without
  overlap
- ``links``: Names of nodes, and links between displayed nodes, as every picture and page needs them
- ``local_model``: Picture of a query: its local model as in Figure 2 of Ji et al. (2019)
- ``neighbourhood``: Picture of the part of the graph around one topic or word
- ``path``: Strongest path between two topics, along links in either direction, and its picture
- ``picture``: Picture of a topic graph: nodes and edges with positions and colours, ready to be
  drawn
- ``placement``: Placement of boxes beside the layered layout: zones side by side, stable
  positions, routes of arrows
- ``pyvis_network``: Topic graphs as networks of pyvis, with our colours and positions
- ``question``: A typed query as words with states, as evidence for the model, and as text again
- ``selection``: Selection of the topics and links of a local model that are worth drawing
- ``strings``: Strings of pictures (legend, tooltips, buttons), and how probabilities are written
- ``style``: Visual language of topic graphs: colours, sizes and borders, and how labels are broken
- ``svg``: Static SVG of pictures: of any picture for notebooks and files, and of the whole
  hierarchy
- ``web_page``: HTML files without network access, made of a template, styles, scripts and data
"""
