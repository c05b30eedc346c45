"""Every sentence that the app shows, one module a page."""
