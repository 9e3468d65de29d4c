"""This package refits what the ears have learnt from our own voices.

It is a workbench and is never imported by the product.
"""
