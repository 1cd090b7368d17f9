// Draws orbs without WebGL: plain discs, most important first, limited to what the CPU can draw.
import type { Painted, Painter } from "./light";
import { type Lens, where } from "./path";

const MOST = 1500;

export class Ink implements Painter {
  private all: Painted[] = [];
  private ratio = 1;

  constructor(private readonly context: CanvasRenderingContext2D) {}

  set(all: readonly Painted[]): void {
    this.all = [...all];
  }

  put(at: number, painted: Painted): void {
    this.all[at] = painted;
  }

  draw(now: number, lens: Lens, _dark: boolean, scale: number): void {
    const { context } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, lens.width, lens.height);
    const shown = this.all.length > MOST ? [...this.all].sort((a, b) => b.orb.importance - a.orb.importance).slice(0, MOST) : this.all;
    for (const { orb, colours, dimmed } of shown) {
      const [x, y] = where(orb, now, lens);
      context.globalAlpha = dimmed ? 0.12 : 0.35 + 0.65 * orb.glow;
      context.fillStyle = `rgb(${colours[0].map((part) => part * 255).join(" ")})`;
      context.beginPath();
      context.arc(x, y, Math.max(1, (orb.size * scale) / 2), 0, Math.PI * 2);
      context.fill();
    }
  }

  resize(_width: number, _height: number, ratio: number): void {
    this.ratio = ratio;
  }
}
