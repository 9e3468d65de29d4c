"""Announcements by human voices (festival, flite, Pico).

They read the German words respelled or as their own sounds. None of the voices is reserved for measuring (those are
flite's slt and rms, festival's Italian lp and Finnish mv). Only dita and Pico's zl never trained our own model; of the
others what is misread is new to it, the throats are not. A voice that is not installed is left out (Pico:
speech/training/requirements.txt).
"""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
import wave
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from speech.audio.wav import read_wav
from speech.training.common.planned_utterances import MOVE_WORDS, drawn_announcement
from speech.training.curves.hall_plan import CUT, SURROUNDINGS, HallUtterance

LETTERS = tuple(f"letter.{letter}" for letter in "abcdefgh")


class HumanReader(msgspec.Struct, frozen=True):
    """Voice, and how it must be asked for our words.

    It has the encoding the voice reads, `MOVE_WORDS` as it must be asked for them, and `LETTERS`, where it can say them
    so that they differ. `festival`: its name there; none: by phones, of flite ("phones") or of Pico ("x-sampa").
    """

    name: str
    festival: str | None
    encoding: str
    respelled: str
    letters: str = ""

    def spellings(self) -> dict[str, str]:
        """Return, by word id, how the voice must be asked for the word."""
        apart = "," if self.festival is None else None
        found = dict(zip(MOVE_WORDS, self.respelled.split(apart), strict=True))
        return found | dict(zip(LETTERS, self.letters.split(apart) if self.letters else (), strict=bool(self.letters)))


# Phones, one word a comma: as text flite would spell "tsvy" or "shpringer" letter by letter.
_AMERICAN = (
    "aa n ax,b eh l ax,t s ey z aa r,d aa v iy t,ey v ax,f ey l ih k s,g uh s t aa f,hh eh k t ao r,"
    "ay n s,t s v ay,d r ay,f iy r,f uw n f,z eh k s,z iy b ax n,aa k t,"
    "k er n ih sh,d aa m ax,t uh r m,l oy f er,sh p r ih ng er,b aw er,sh l eh k t"
)
_CZECH = (
    "ana bela cézar dávid éva félix gustaf hektor ajns cvaj draj fír finf zeks zíben acht "
    "kénich dáme turm lojfr špringr baur šlékt"
)
_FINNISH = (
    "anna bella tsesar daavid eeva feeliks gustav hektor ains tsvai drai fiir fynf seks siiben aht "
    "köönih daame turm loifer springer bauer sleekt"
)
_SPANISH = (
    '"a.na,"be.la,"tse.sar,"da.bit,"e.ba,"fe.liks,"gus.taf,"xek.tor,'
    '"ains,"tsbai,"drai,"fir,"finf,"seks,"si.ben,"axt,'
    '"ke.nik,"da.me,"turm,"loi.fer,"spriN.ger,"bau.er,"slekt'
)
_CZECH_LETTERS = "á bé cé dé é ef gé há"
_AMERICAN_LETTERS = "aa,b ey,t s ey,d ey,ey,eh f,g ey,hh aa"
READERS = (
    HumanReader("dita", "czech_dita", "iso-8859-2", _CZECH, _CZECH_LETTERS),
    HumanReader("krb", "czech_krb", "iso-8859-2", _CZECH, _CZECH_LETTERS),
    HumanReader("ph", "czech_ph", "iso-8859-2", _CZECH, _CZECH_LETTERS),
    HumanReader(
        "pc",
        "pc_diphone",
        "iso-8859-1",
        "anna bella zesar david eva felix gustav ector ains zvai drai fir funf secs siben act "
        "chenig dame turm loifer springher bauer sclect",
    ),
    HumanReader("lj", "suo_fi_lj_diphone", "iso-8859-1", _FINNISH, "aa bee tsee dee ee ef gee haa"),
    HumanReader("kal", None, "phones", _AMERICAN, _AMERICAN_LETTERS),
    HumanReader("awb", None, "phones", _AMERICAN, _AMERICAN_LETTERS),
    HumanReader("zl", None, "x-sampa", _SPANISH, '"a,"be,"tse,"de,"e,"ef,"ge,"xa'),
)


def synthesiser_of(name: str) -> str:
    """Return which synthesiser a reader is a voice of."""
    (reader,) = (one for one in READERS if one.name == name)
    if reader.festival is not None:
        return "festival"
    return "Pico" if reader.encoding == "x-sampa" else "flite"


OFTEN = ("dita", "zl")
"""Voices that say four times as much: no model was trained on them."""


def human_plan(size: int, seed: int) -> list[HallUtterance]:
    """Return `size` announcements for each voice, each said twice; only of `MOVE_WORDS`.

    There are four times as many for `OFTEN`.
    """
    chance = random.Random(seed)  # noqa: S311
    found: list[HallUtterance] = []
    for reader in READERS:
        for _ in range(size * (4 if reader.name in OFTEN else 1)):
            words = drawn_announcement(chance, "file", only=MOVE_WORDS)
            where = chance.choice(SURROUNDINGS)
            for again in (None, len(found)):
                pace = chance.randint(85, 130)
                found.append(
                    HallUtterance(
                        "announcement",
                        words,
                        "d21",
                        "de",
                        f"{CUT}+{reader.name}",
                        where,
                        words,
                        speed=pace,
                        again=again,
                    )
                )
    return found


def human_letters(size: int, seed: int) -> list[HallUtterance]:
    """Return `size` announcements with letters for each voice that can say them, each said once.

    There are four times as many for `OFTEN`.
    """
    chance = random.Random(seed)  # noqa: S311
    found: list[HallUtterance] = []
    for reader in READERS:
        for _ in range(size * (4 if reader.name in OFTEN else 1) if reader.letters else 0):
            words = drawn_announcement(chance, "letter", only=(*MOVE_WORDS, *LETTERS))
            where, pace, voice = chance.choice(SURROUNDINGS), chance.randint(85, 130), f"{CUT}+{reader.name}"
            found.append(HallUtterance("announcement", words, "letters", "de", voice, where, words, speed=pace))
    return found


def human_sounds(plan: Sequence[HallUtterance]) -> list[npt.NDArray[np.float64] | None]:
    """Return the sounds, -1 to 1 at 16 kHz, in the order of the plan; None where the voice is missing.

    `speed`: % of the duration.
    """
    found: list[npt.NDArray[np.float64] | None] = [None] * len(plan)
    for reader in READERS:
        places = [place for place, one in enumerate(plan) if one.speaker == reader.name]
        spelled = reader.spellings()
        with tempfile.TemporaryDirectory() as folder:
            texts = {place: " ".join(spelled[word] for word in plan[place].words) for place in places}
            if reader.encoding == "x-sampa":
                _pico(plan, texts, folder)
            elif reader.festival is None:
                _flite(reader, plan, texts, folder)
            else:
                _festival(reader, plan, texts, folder)
            for place in places:
                file = Path(folder) / f"{place}.wav"
                if file.exists():
                    samples = np.frombuffer(read_wav(file).pcm, "<i2").astype(np.float64) / 32768
                    found[place] = np.pad(samples, 4_000)
    return found


def _flite(reader: HumanReader, plan: Sequence[HallUtterance], texts: dict[int, str], folder: str) -> None:
    program = shutil.which("flite")
    for place, text in texts.items() if program else ():
        asked = [str(program), "-voice", reader.name, "--setf", f"duration_stretch={plan[place].speed / 100}"]
        subprocess.run([*asked, "-p", f"pau {text} pau", "-o", f"{folder}/{place}.wav"], check=False)


def _pico(plan: Sequence[HallUtterance], texts: dict[int, str], folder: str) -> None:
    try:
        from ttspico import TtsEngine
    except ImportError:
        return
    engine = TtsEngine("es-ES")
    for place, text in texts.items():
        engine.rate = round(10_000 / plan[place].speed)
        said = engine.speak(" ".join(f"<phoneme alphabet='xsampa' ph='{word}'/>" for word in text.split()))
        with wave.open(f"{folder}/{place}.wav", "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(16_000)
            file.writeframes(said or b"")


def _festival(reader: HumanReader, plan: Sequence[HallUtterance], texts: dict[int, str], folder: str) -> None:
    program = shutil.which("festival")
    if program is None:
        return
    lines = [f"(voice_{reader.festival})"]
    for place, text in texts.items():
        lines.append(f"(Parameter.set 'Duration_Stretch {plan[place].speed / 100})")
        lines.append(f'(utt.save.wave (utt.synth (Utterance Text "{text}")) "{folder}/{place}.wav" \'riff)')
    script = Path(folder) / "say.scm"
    script.write_text("\n".join(lines), encoding=reader.encoding)
    subprocess.run([program, "-b", str(script)], check=False, capture_output=True)
