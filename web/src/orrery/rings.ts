// What lies under the orbs: far stars, the orbits, and the edge of the cliff. Drawn only when something about it changes.
import { BANDS, chance, type Lens, type Place, PLACES, reach } from "./path";

const STARS = 240;

/** Where on their orbits names stand. */
const SLANT = -Math.PI / 2;

/** What the ground is painted with. */
export type Paint = { line: string; edge: string; star: string; text: string; warm: string; font: string };

export function paintOf(element: HTMLElement): Paint {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    line: read("--orbit"),
    edge: read("--edge"),
    star: read("--star"),
    text: read("--ink-2"),
    warm: read("--mood"),
    font: `500 11.5px ${style.fontFamily}`,
  };
}

export function ground(canvas: HTMLCanvasElement, lens: Lens, paint: Paint, name: (place: Place) => string): void {
  const ratio = Math.min(devicePixelRatio, 2);
  canvas.width = Math.round(lens.width * ratio);
  canvas.height = Math.round(lens.height * ratio);
  const context = canvas.getContext("2d")!;
  context.scale(ratio, ratio);
  stars(context, lens, paint);
  const [across, down] = reach(lens);
  const [x, y] = [lens.width / 2 + lens.x, lens.height / 2 + lens.y];
  sun(context, [x, y], Math.min(across, down), paint);
  context.font = paint.font;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const place of PLACES) {
    const [near, far] = BANDS[place];
    const cliff = place === "cliff";
    const ring = cliff ? near - 0.03 : (near + far) / 2;
    const text = name(place);
    // The line leaves room for the name of its orbit.
    const gap = (context.measureText(text).width / 2 + 9) / (across * ring);
    context.beginPath();
    context.ellipse(x, y, across * ring, down * ring, 0, SLANT + gap, SLANT - gap + Math.PI * 2);
    context.strokeStyle = cliff ? paint.edge : paint.line;
    context.setLineDash(cliff ? [2, 7] : []);
    context.stroke();
    context.fillStyle = paint.text;
    context.fillText(text, x + Math.cos(SLANT) * ring * across, y + Math.sin(SLANT) * ring * down);
  }
  context.setLineDash([]);
}

function stars(context: CanvasRenderingContext2D, lens: Lens, paint: Paint): void {
  context.fillStyle = paint.star;
  for (let at = 0; at < STARS; at++) {
    const id = `far-star-${at}-of-the-sky`;
    const size = 0.5 + 0.9 * chance(id, 11) ** 3;
    context.globalAlpha = 0.25 + 0.6 * chance(id, 13);
    context.beginPath();
    context.arc(chance(id, 17) * lens.width, chance(id, 19) * lens.height, size, 0, Math.PI * 2);
    context.fill();
  }
  context.globalAlpha = 1;
}

/** The light of the character at the centre, in the colour of its mood. */
function sun(context: CanvasRenderingContext2D, [x, y]: [number, number], reach: number, paint: Paint): void {
  const glow = context.createRadialGradient(x, y, 0, x, y, reach * 0.55);
  glow.addColorStop(0, `${paint.warm}57`);
  glow.addColorStop(0.3, `${paint.warm}1a`);
  glow.addColorStop(1, `${paint.warm}00`);
  context.fillStyle = glow;
  context.fillRect(x - reach, y - reach, reach * 2, reach * 2);
}
