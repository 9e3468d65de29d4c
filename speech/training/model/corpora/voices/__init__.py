"""The synthetic voices of the corpora, and their names for our phones. Data."""
