"""A tournament as a static web site."""
