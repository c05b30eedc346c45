"""The paper's experiments, run again: ``python -m tests.benchmarks paper`` writes PAPER.md."""

import logging

# What the app caches is made here without its server, and Streamlit warns of each such function.
logging.getLogger("streamlit.runtime.caching.cache_data_api").addFilter(
    lambda record: "No runtime found" not in record.getMessage()
)
