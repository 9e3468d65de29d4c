"""Rules for the senses of all words of a typed phrase together (`phrases.py`). Pure."""

from __future__ import annotations

from speech.words.language import Senses

Rule = tuple[str, Senses, Senses]
"""A command, the senses that must be there, and those that may be."""

_ASKING = "mine ask have now want game count aux"
_BY = "mine want yes now game"
# A command is meant where all senses of the first group are there and no others than those of the second.
_RULES: tuple[tuple[str, str, str], ...] = (
    ("time", "time", f"{_ASKING} onto"),
    ("time", "ask have", f"{_ASKING} onto"),
    ("opponent_time", "time theirs", f"{_ASKING} onto"),
    ("opponent_time", "ask have theirs", "mine now"),
    ("clock", "both time", f"{_ASKING} theirs"),
    ("last", "last move", "ask theirs play have game want aux count now"),
    ("last", "last move want mine", "ask theirs play now aux"),
    ("last", "last play", "ask theirs move have want aux"),
    ("last", "ask play theirs", "move have now aux"),
    ("last", "ask move theirs", "play have aux"),
    ("last", "ask said theirs", "last move have now aux"),
    ("last", "ask play white", "last move theirs have now aux"),
    ("last", "ask play black", "last move theirs have now aux"),
    ("moves", "count move", "ask play now have game want aux mine"),
    ("moves", "ask move", "now aux"),
    ("moves", "move now", "ask count aux"),
    ("clock", "who turn", "ask now aux have play game"),
    ("clock", "who move", "ask now aux"),
    ("clock", "mine turn", "now aux"),
    ("clock", "theirs turn", "now aux"),
    ("score", "score", "mine ask have want game read both now aux"),
    ("score", "read game", "mine ask both now want have play aux score"),
    ("score", "read both move", "mine ask now want have play aux game"),
    ("draw_offer", "draw", "want mine game now"),
    ("draw_offer", "draw offer", "want mine game now"),
    ("draw_offer", "you want draw", "accept onto now"),
    ("draw_accept", "accept", f"{_BY} onto"),
    ("draw_accept", "accept draw", f"{_BY} onto"),
    ("draw_accept", "accept offer", f"{_BY} onto draw you theirs"),
    ("draw_accept", "take onto", f"{_BY} draw offer you theirs"),
    ("draw_accept", "yes draw", "mine want game"),
    ("draw_accept", "yes take draw", "mine want game"),
    ("draw_decline", "decline", "mine want draw offer no you theirs onto now game"),
    ("draw_decline", "not accept", "mine want draw offer no you theirs onto now"),
    ("draw_decline", "not take onto", "mine want draw offer no you theirs now"),
    ("draw_decline", "no draw", "mine want not"),
    ("draw_decline", "not draw", "mine want no"),
    ("draw_decline", "no thanks", "mine want draw"),
    ("resign", "resign", f"{_BY} give up have aux"),
    ("resign", "give up", _BY),
    ("claim_draw", "claim draw", "mine want now thrice fifty game aux have board three"),
    ("claim_draw", "thrice", "mine want claim draw now board have aux again three"),
    ("claim_draw", "three board", "mine want claim draw now have aux thrice again"),
    ("claim_draw", "three claim", "mine want draw now board have aux thrice again"),
    ("claim_draw", "fifty", "mine want claim draw now"),
    ("claim_time", "flag", "theirs you now"),
    ("claim_time", "flag over", "theirs you claim now have aux time onto"),
    ("claim_time", "time over", "theirs you claim now have aux onto"),
    ("claim_time", "claim time over", "mine theirs you want now have aux onto"),
    ("claim_time", "claim time", "mine theirs want now"),
    ("claim_time", "claim flag", "mine theirs over want now have aux onto time"),
    ("arbiter", "arbiter", "call want mine help now you theirs ask aux board place onto have"),
    ("adjust", "adjust", "mine piece now want"),
    ("repeat", "again", "ask want last move mine speak now you theirs have aux"),
    ("correction", "correct", "mine want piece again have now move"),
    ("correction", "wrong said", "mine move piece have now aux"),
    ("help", "help", "mine want ask call have now aux"),
    ("stop", "stop", "speak want mine now"),
    ("slower", "slower", "speak want aux read"),
    ("faster", "faster", "speak want aux read"),
    ("set_clock", "set time", "mine want"),
    ("article", "rule", "ask"),
    ("set_up", "start", "ask want"),
    ("pairing", "where play", "mine ask now"),
    ("score_next", "next entry", "ask want"),
    ("score_next", "next read move", "ask want mine"),
    ("score_previous", "previous entry", "ask want"),
    ("castle", "castle want", "mine now"),
    ("castle", "castle mine want", "now"),
    ("yes", "yes", ""),
    ("no", "no", ""),
)
# The same where a word or two are unknown: what tells a player something, calls the arbiter, or claims with a reason.
_NEARLY: tuple[tuple[str, str, str], ...] = (
    ("time", "ask time mine", "have now count aux want read"),
    ("time", "ask time have", "now count aux read"),
    ("opponent_time", "ask time theirs", "have now count aux want read"),
    ("clock", "ask time both", "have now count aux want read mine theirs"),
    ("last", "ask last move", "play theirs have aux now"),
    ("last", "ask last play theirs", "have aux now"),
    ("moves", "count move play", "ask have now aux mine"),
    ("moves", "count move now", "ask have aux mine"),
    ("score", "read score", "ask mine want game both now"),
    ("score", "read game both", "ask mine want now play"),
    ("arbiter", "call arbiter", "want mine now help ask you aux board place"),
    ("claim_time", "claim time over", "mine theirs you want now have aux"),
    ("claim_time", "claim flag over", "mine theirs you want now have aux"),
    ("claim_draw", "claim thrice", "mine want draw now board have aux again three"),
    ("claim_draw", "claim three board", "mine want draw now have aux again"),
    ("claim_draw", "claim fifty", "mine want draw now have aux"),
)


def _split(rules: tuple[tuple[str, str, str], ...]) -> tuple[Rule, ...]:
    return tuple((command, frozenset(needs.split()), frozenset(may.split())) for command, needs, may in rules)


RULES, NEARLY = _split(_RULES), _split(_NEARLY)
# Where a phrase is not understood, the first of its senses here names what can be typed instead.
TOPICS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("castle", ("castle.short", "castle.long")),
    ("resign", ("cmd.resign",)),
    ("claim", ("cmd.claim_draw", "cmd.claim_time")),
    ("thrice", ("cmd.claim_draw",)),
    ("fifty", ("cmd.claim_draw",)),
    ("flag", ("cmd.claim_time",)),
    ("draw", ("cmd.draw_offer", "cmd.draw_accept", "cmd.draw_decline", "cmd.claim_draw")),
    ("accept", ("cmd.draw_accept",)),
    ("decline", ("cmd.draw_decline",)),
    ("both", ("cmd.clock",)),
    ("time", ("cmd.time", "cmd.opponent_time")),
    ("arbiter", ("cmd.arbiter",)),
    ("score", ("cmd.score",)),
    ("last", ("cmd.last",)),
    ("again", ("cmd.repeat",)),
    ("correct", ("cmd.correction",)),
    ("adjust", ("cmd.adjust",)),
)
