"""The Groups page: topics by label and over time.

- ``choice``: What the Groups page is asked for: columns, periods, views, groups; and where its
  clicks lead
- ``page``: Groups: topics by label and over time, what distinguishes a group, what each year
  brought
- ``panels``: Topics over time: one small chart below the other, or all stacked
- ``strings``: Words of the Groups page
"""
