"""The script that Streamlit runs for every visitor; the pages are in `orrery.app.navigation`."""

from orrery.app.navigation import main

main()
