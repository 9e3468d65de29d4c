"""The system's own voices: what they write is read, whatever file it is; what they cannot say the house says."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import soundfile

from server.hall.engines import open_voice
from server.machine.data_folder import DataFolder
from server.settings import Settings, load_settings
from speech.complaint import Complaint
from speech.voices import system_voice_child
from speech.voices.by_language import VoicesByLanguage
from speech.voices.system_voice import SystemVoice
from speech.voices.system_voice_child import SystemSpeaker
from speech.voices.voice import Segment


class Engine:
    """As pyttsx3 with SAPI or NSSpeech: writes a file, perhaps after `runAndWait` has returned."""

    def __init__(self, *, late: bool = False, channels: int = 1, loud: bool = True) -> None:
        self.properties: dict[str, Any] = {"rate": 200}
        self.asked: list[tuple[str, str]] = []
        self.late, self.channels, self.loud = late, channels, loud

    def getProperty(self, name: str) -> Any:
        if name == "voices":
            return [
                SimpleNamespace(id="Anna", languages=["de_DE"]),
                SimpleNamespace(id="Petra", languages=["de-DE"]),
                SimpleNamespace(id="Sam", languages=[b"\x05en-us"]),
                SimpleNamespace(id="mute", languages=None),
            ]
        return self.properties[name]

    def setProperty(self, name: str, value: Any) -> None:
        self.properties[name] = value

    def save_to_file(self, text: str, filename: str) -> None:
        self.asked.append((text, filename))

    def runAndWait(self) -> None:
        if self.late:
            threading.Thread(target=self._write).start()
        else:
            self._write()

    def _write(self) -> None:
        if self.late:
            time.sleep(0.1)
        tone = 8_000 * np.sin(np.arange(4_000) * 0.2) * self.loud
        samples = np.stack([tone] * self.channels, axis=1).astype(np.int16)
        soundfile.write(self.asked[-1][1], samples, 22_050)


@pytest.mark.parametrize("suffix", [".wav", ".aiff"])
@pytest.mark.parametrize(("late", "channels"), [(False, 1), (True, 1), (False, 2)])
def test_what_the_engine_writes_is_the_phrase(suffix: str, late: bool, channels: int) -> None:
    engine = Engine(late=late, channels=channels)
    speaker = SystemSpeaker(engine, suffix)
    assert speaker.hello() == {"languages": ["de", "en"]}
    said = speaker.handle({"text": "Turm Anna eins", "language": "de", "speed": 1.5})
    assert said["sample_rate"] == 22_050
    assert np.abs(np.frombuffer(said["pcm"], "<i2")).max() > 7_000  # type: ignore[call-overload]
    assert (engine.properties["voice"], engine.properties["rate"]) == ("Anna", 300)
    assert not Path(engine.asked[0][1]).exists(), "no word stays on the disk"


def test_a_language_without_a_voice_and_silence_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_voice_child, "WRITTEN_S", 0.2)
    with pytest.raises(Complaint, match='no voice for "hy"'):
        SystemSpeaker(Engine()).handle({"text": "Turm", "language": "hy", "speed": 1.0})
    with pytest.raises(Complaint, match="no sound"):
        SystemSpeaker(Engine(loud=False)).handle({"text": "Turm", "language": "de", "speed": 1.0})


async def test_where_the_system_has_none_the_house_says_it(tmp_path: Path) -> None:
    """Here eSpeak NG is the only one: the child says so, and no phrase is lost by it."""
    with DataFolder.open(tmp_path, lock=True) as data:
        async with open_voice(data, of_the_system=("de",)) as voice:
            assert isinstance(voice, VoicesByLanguage)
            sound = await voice.render([Segment("Turm Anna eins", "de")])
            assert sound.duration_ms > 500
            assert "de" in voice._aside_until


async def test_a_secret_is_not_given_to_it() -> None:
    with pytest.raises(Complaint, match="secret"):
        await SystemVoice().render([Segment("Turm", "de")], keep=False)


def test_it_is_off_unless_named(tmp_path: Path) -> None:
    assert Settings().system_voices == ()
    file = tmp_path / "settings.toml"
    file.write_text('system_voices = ["de", "en"]\n')
    assert load_settings(file).system_voices == ("de", "en")
