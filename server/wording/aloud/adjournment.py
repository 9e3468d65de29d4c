"""An adjournment in the ear: the order to seal, and the sealed move read back to the player who seals."""

from __future__ import annotations

from server.game.views.messages import AdjournmentShown
from server.protocol import SealedWords
from server.wording.aloud.questions import question_asked
from server.wording.aloud.says import Told, says
from server.wording.pages import page_words
from server.wording.words import segments_of, text_in
from speech.words.scheme import Scheme


@says(AdjournmentShown)
def _adjourned(message: AdjournmentShown, scheme: Scheme) -> str:
    if message.stage == "ordered" and message.own:
        return scheme.phrase("seal_now")
    return page_words(scheme.listener.tag)[f"adjourn.{message.stage}{'_own' if message.own else ''}"]


@says(SealedWords)
def _sealed(message: SealedWords, scheme: Scheme) -> Told | str:
    if not message.understood:
        return question_asked(message.ask or "repeat", scheme)
    return text_in(message.words, scheme), segments_of(message.words, scheme)
