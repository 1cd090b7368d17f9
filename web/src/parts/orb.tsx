// A memory's orb in a list, in the colours of its emotions.
import { hues } from "../feelings";

type Props = { emotions: readonly string[]; strength?: number; size?: number };

export function Orb({ emotions, strength = 1, size = 18 }: Props) {
  const [one, other] = hues(emotions);
  return (
    <span
      class="orb"
      aria-hidden="true"
      style={{ "--one": one, "--two": other, "--lit": String(0.25 + 0.75 * strength), "--wide": `${size}px` }}
    />
  );
}
