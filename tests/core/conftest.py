"""Property tests give the same verdict on a slow machine as on a fast one."""

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")
