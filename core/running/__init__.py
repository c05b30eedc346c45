"""A training run in its folder, as the command line and the app want it."""

from orrery.core.running.runner import resume_run, start_run
from orrery.core.running.settings import RunSettings, Session

__all__ = ["RunSettings", "Session", "resume_run", "start_run"]
