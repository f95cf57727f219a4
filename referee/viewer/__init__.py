"""A record as a self-contained web page, and a tournament as a site of such pages."""
