"""The Groups page: topics by label and over time.

- ``choice``: Choices of column, periods, view and groups; links of clicks; saved files
- ``page``: Layout of the Groups page, one function for each view
- ``panels``: Charts of topics over time, and lists of topics that distinguish a group
- ``strings``: Strings of the Groups page
"""
