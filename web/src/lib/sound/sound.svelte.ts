/** Synthesized sounds. They are off by default with reduced motion. The browser remembers the player's choice. */
import { prefersReducedMotion } from "svelte/motion";
import { savePreference, loadPreference } from "$lib/storage/preferences";

export type Sound = "card" | "pawn" | "sink" | "turn" | "end";

let preference = $state(loadPreference("sound"));
let audioContext: AudioContext | undefined;

export function isSoundEnabled(): boolean {
  return preference === null ? !prefersReducedMotion.current : preference === "on";
}

export function setSoundEnabled(on: boolean): void {
  preference = on ? "on" : "off";
  savePreference("sound", preference);
  if (on) playSound("card");
}

/** Play a tone that glides between two frequencies in hertz and fades out. Times are in seconds. */
function tone(
  audio: AudioContext,
  type: OscillatorType,
  from: number,
  to: number,
  duration: number,
  volume: number,
  delay = 0,
): void {
  const begin = audio.currentTime + delay;
  const [source, gain] = [audio.createOscillator(), audio.createGain()];
  source.type = type;
  source.frequency.setValueAtTime(from, begin);
  source.frequency.exponentialRampToValueAtTime(to, begin + duration);
  gain.gain.setValueAtTime(0.0001, begin);
  gain.gain.exponentialRampToValueAtTime(volume, begin + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + duration);
  source.connect(gain).connect(audio.destination);
  source.start(begin);
  source.stop(begin + duration);
}

/** Play a burst of noise, like paper on wood. */
function rustle(audio: AudioContext, duration: number, volume: number): void {
  const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * duration), audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 2;
  const [source, filter, gain] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain()];
  source.buffer = noise;
  filter.type = "bandpass";
  filter.frequency.value = 1800;
  gain.gain.value = volume;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start();
}

const SOUNDS: Record<Sound, (audio: AudioContext) => void> = {
  card: (audio) => {
    rustle(audio, 0.09, 0.25);
    tone(audio, "sine", 190, 120, 0.09, 0.12);
  },
  pawn: (audio) => tone(audio, "triangle", 420, 240, 0.08, 0.14),
  sink: (audio) => tone(audio, "sine", 210, 55, 0.4, 0.16, 0.12),
  turn: (audio) => {
    tone(audio, "sine", 523, 523, 0.18, 0.06, 0.1);
    tone(audio, "sine", 659, 659, 0.25, 0.06, 0.22);
  },
  end: (audio) => [392, 523, 659].forEach((pitch, i) => tone(audio, "sine", pitch, pitch, 0.4, 0.08, 0.16 * i)),
};

/** Play a sound if sound is enabled and the page is visible. */
export function playSound(sound: Sound): void {
  if (!isSoundEnabled() || document.visibilityState === "hidden") return;
  audioContext ??= new AudioContext();
  if (audioContext.state === "suspended") void audioContext.resume();
  SOUNDS[sound](audioContext);
}
