"""The Stories page: play, edit and download sequences of kept views."""
