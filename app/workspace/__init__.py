"""The workspace on disk, and the work that runs in processes of its own; without Streamlit.

`catalog` lists corpora and models, `runs` controls training runs, and `processes` starts and ends
the processes of all long work.
"""
