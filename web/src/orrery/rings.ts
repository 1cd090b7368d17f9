// Background of the orrery: stars, orbits and the edge of the cliff. Redrawn only when it changes.
import { BANDS, chance, type Lens, type Place, PLACES, reach } from "./path";

const STARS = 240;

/** Angle at which orbit names are drawn. */
const SLANT = -Math.PI / 2;

/** Colours and font of the background. */
export type Paint = { line: string; edge: string; star: string; text: string; warm: string; sky: string; font: string };

export function paintOf(element: HTMLElement): Paint {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    line: read("--orbit"),
    edge: read("--edge"),
    star: read("--star"),
    text: read("--ink-2"),
    warm: read("--mood"),
    sky: read("--sky"),
    font: `500 11.5px ${style.fontFamily}`,
  };
}

/** Resizes a canvas to the orrery and clears it. */
function wiped(canvas: HTMLCanvasElement, lens: Lens, paint: Paint): CanvasRenderingContext2D {
  const ratio = Math.min(devicePixelRatio, 2);
  canvas.width = Math.round(lens.width * ratio);
  canvas.height = Math.round(lens.height * ratio);
  const context = canvas.getContext("2d")!;
  context.scale(ratio, ratio);
  context.font = paint.font;
  context.textAlign = "center";
  context.textBaseline = "middle";
  return context;
}

/** Radius of the line of an orbit. */
const ringOf = (place: Place) => (place === "cliff" ? BANDS.cliff[0] - 0.03 : (BANDS[place][0] + BANDS[place][1]) / 2);

/** Names of the orbits, drawn above the orbs so that they stay readable. */
export function names(canvas: HTMLCanvasElement, lens: Lens, paint: Paint, name: (place: Place) => string): void {
  const context = wiped(canvas, lens, paint);
  const [across, down] = reach(lens);
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = paint.sky;
  context.fillStyle = paint.text;
  for (const place of PLACES) {
    const ring = ringOf(place);
    const at = [lens.width / 2 + lens.x + Math.cos(SLANT) * ring * across, lens.height / 2 + lens.y + Math.sin(SLANT) * ring * down] as const;
    context.globalAlpha = 0.6;
    context.strokeText(name(place), ...at);
    context.globalAlpha = 1;
    context.fillText(name(place), ...at);
  }
}

export function ground(canvas: HTMLCanvasElement, lens: Lens, paint: Paint, name: (place: Place) => string): void {
  const context = wiped(canvas, lens, paint);
  stars(context, lens, paint);
  const [across, down] = reach(lens);
  const [x, y] = [lens.width / 2 + lens.x, lens.height / 2 + lens.y];
  sun(context, [x, y], Math.min(across, down), paint);
  for (const place of PLACES) {
    const cliff = place === "cliff";
    const ring = ringOf(place);
    // The line has a gap for the name of its orbit.
    const gap = (context.measureText(name(place)).width / 2 + 9) / (across * ring);
    context.beginPath();
    context.ellipse(x, y, across * ring, down * ring, 0, SLANT + gap, SLANT - gap + Math.PI * 2);
    context.strokeStyle = cliff ? paint.edge : paint.line;
    context.setLineDash(cliff ? [2, 7] : []);
    context.stroke();
  }
  context.setLineDash([]);
}

function stars(context: CanvasRenderingContext2D, lens: Lens, paint: Paint): void {
  context.fillStyle = paint.star;
  for (let at = 0; at < STARS; at++) {
    // `chance` reads only the end of an id.
    const id = `star-${String(at).padStart(12, "0")}`;
    const size = 0.5 + 0.9 * chance(id, 11) ** 3;
    context.globalAlpha = 0.25 + 0.6 * chance(id, 13);
    context.beginPath();
    context.arc(chance(id, 17) * lens.width, chance(id, 19) * lens.height, size, 0, Math.PI * 2);
    context.fill();
  }
  context.globalAlpha = 1;
}

/** The glow of the character at the centre, in the colour of its mood. */
function sun(context: CanvasRenderingContext2D, [x, y]: [number, number], reach: number, paint: Paint): void {
  const glow = context.createRadialGradient(x, y, 0, x, y, reach * 0.55);
  glow.addColorStop(0, `${paint.warm}57`);
  glow.addColorStop(0.3, `${paint.warm}1a`);
  glow.addColorStop(1, `${paint.warm}00`);
  context.fillStyle = glow;
  context.fillRect(x - reach, y - reach, reach * 2, reach * 2);
}
