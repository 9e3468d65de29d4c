"""Answers to requests of the pages over HTTP, one file for each subject."""
