"""These modules are the ears and the mouth of one table: sound becomes acts, messages become sound."""
