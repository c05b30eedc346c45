"""What every page has around it: headline, columns, sidebar, links to other pages."""
