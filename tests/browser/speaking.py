"""A person who speaks into the microphone of a page: what is said is real sound, made by a real voice."""

from __future__ import annotations

import base64

from playwright.async_api import Page

from speech.audio.sound import Sound
from speech.audio.wav import wav_bytes
from speech.voices.voice import Manner, Segment, Voice

TRIES = 3
MICROPHONE = """() => {
  let context, ear;
  const open = () => {
    context ??= new AudioContext();
    ear ??= context.createMediaStreamDestination();
    return ear.stream;
  };
  navigator.mediaDevices.getUserMedia = async () => open().clone();
  window.saidIntoIt = async (wav) => {
    open();
    await context.resume();
    const bytes = Uint8Array.from(atob(wav), (one) => one.charCodeAt(0));
    const source = context.createBufferSource();
    source.buffer = await context.decodeAudioData(bytes.buffer);
    source.connect(ear);
    const over = new Promise((done) => source.addEventListener("ended", done));
    source.start();
    await over;
  };
}"""


class Speaker:
    """One person with a voice at a page, whose microphone hears that person alone."""

    def __init__(self, page: Page, voice: Voice, language: str = "de") -> None:
        self.page, self._voice, self._language = page, voice, language

    @classmethod
    async def at(cls, page: Page, voice: Voice, language: str = "de") -> Speaker:
        """The page is opened anew, with that microphone."""
        await page.add_init_script(f"({MICROPHONE})()")
        await page.reload()
        return cls(page, voice, language)

    async def sound_of(self, text: str) -> Sound:
        return await self._voice.render([Segment(text, self._language)], Manner(speed=0.9))

    async def say(self, text: str, key: str = "F9") -> None:
        """The talk key is held while it is said, and a breath longer."""
        sound = await self.sound_of(text)
        breath = bytes(2 * sound.sample_rate * 300 // 1000)
        wav = base64.b64encode(wav_bytes(Sound(breath + sound.pcm + breath, sound.sample_rate))).decode()
        await self.page.keyboard.down(key)
        await self.page.locator("#talk[aria-pressed=true]").wait_for()
        await self.page.evaluate("wav => window.saidIntoIt(wav)", wav)
        await self.page.keyboard.up(key)

    async def ask(self, text: str, field: str, wanted: str) -> None:
        """Say it on a page without a seat, again where it was not understood, as a person does on a busy machine."""
        for _ in range(TRIES):
            async with self.page.expect_response("**/heard*") as heard:
                await self.say(text)
            said = (await (await heard.value).json()).get(field)
            if said == wanted:
                return
        raise AssertionError(f"{text}: heard {said} instead of {wanted}")
