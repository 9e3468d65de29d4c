"""The features of a sound, as our own model takes them.

They are equal to Vosk's with the model's conf/mfcc.conf.
"""

from __future__ import annotations

import kaldi_native_fbank
import numpy as np
import numpy.typing as npt

from speech.recognisers.own.recipe import DIMENSIONS
from speech.recognisers.recogniser import SAMPLE_RATE

Samples = npt.NDArray[np.float32]
Frames = npt.NDArray[np.float32]


def mfcc(samples: Samples) -> Frames:
    """Return the features of samples of -1 to 1; equal to Vosk's with the model's conf/mfcc.conf."""
    options = kaldi_native_fbank.MfccOptions()
    options.frame_opts.samp_freq = SAMPLE_RATE
    options.frame_opts.dither = 0.0
    options.mel_opts.num_bins = DIMENSIONS
    options.mel_opts.low_freq = 20.0
    options.mel_opts.high_freq = -400.0
    options.num_ceps = DIMENSIONS
    options.use_energy = False
    online = kaldi_native_fbank.OnlineMfcc(options)
    online.accept_waveform(SAMPLE_RATE, (samples * 32768).tolist())
    online.input_finished()
    count = online.num_frames_ready
    return np.array([online.get_frame(place) for place in range(count)], np.float32).reshape(count, DIMENSIONS)
