"""The recogniser that rests on Whisper, which learnt from people (CTranslate2's form of it)."""
