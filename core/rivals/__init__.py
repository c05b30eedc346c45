"""Other systems that Orrery is measured against, one file each."""
