/** A short tone for an alert, for those who want one. */

import { preference } from "../preferences";

const TONES: Record<string, readonly number[]> = { critical: [880, 660, 880], warning: [660, 880] };
const LENGTH = 0.18;

export function ring(severity: string): void {
  const tones = TONES[severity];
  if (tones === undefined || preference("sound") !== "on") return;
  const audio = new AudioContext();
  tones.forEach((pitch, index) => {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const begin = audio.currentTime + index * LENGTH;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.2, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + LENGTH);
    if (index === tones.length - 1) tone.onended = () => void audio.close();
  });
}
