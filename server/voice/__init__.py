"""The ears and the mouth of one table: sound becomes acts, messages become sound."""
