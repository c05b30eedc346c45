"""The paper's experiments, run again: ``python -m tests.benchmarks paper`` writes PAPER.md.

``python -m tests.benchmarks stale`` prints the parts whose code has changed since.
"""

import logging

# The app's caches are filled here without its server, and Streamlit warns at each such function.
logging.getLogger("streamlit.runtime.caching.cache_data_api").addFilter(
    lambda record: "No runtime found" not in record.getMessage()
)
