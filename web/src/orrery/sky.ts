// The orrery scene: its orbs, their movements, and hit testing.
import type { Memory } from "../api/contract";
import { colours } from "../feelings";
import { type Change, memories } from "../state/memories";
import { Ink } from "./ink";
import { Light, type Painted, type Painter } from "./light";
import { BEYOND, fastest, type Lens, orb, orbitOf, pace, type Place, placeOf, radius, where } from "./path";

/** Number of orbs above which the scene is crowded. */
const CROWD = 2500;

/** Redraw interval of the outer orbits in a crowded scene, in seconds; they move about one pixel in that time. */
const FAR_EVERY = 0.5;

/** An idle scene is redrawn when its fastest orb has moved by this many pixels; smaller moves are not visible. */
const STEP = 0.2;
const STEP_IN_CROWD = 0.5;

/** Duration of a move or a flash, in seconds. */
const STIRRED = 3.2;

/** Maximum distance of the pointer from an orb, in pixels. */
const NEAR = 16;

export type Pointed = { id: string; x: number; y: number; size: number };

export class Sky {
  readonly lens: Lens = { width: 1, height: 1, zoom: 1, x: 0, y: 0 };
  dark = true;
  /** Disables all animation. */
  still = false;
  /** Filter for highlighted memories; null highlights all. */
  private wanted: ((memory: Memory) => boolean) | null = null;
  private readonly all: (Painted & { memory: Memory })[] = [];
  private readonly slots = new Map<string, number>();
  private readonly painter: Painter;
  /** Renderer of the outer orbits in a crowded scene; null without WebGL. */
  private readonly distant: Painter | null;
  private farDue = 0;
  private nearDue = 0;
  /** Time until which an orb moves or flashes. */
  private busy = 0;
  private sortDue = Infinity;
  private seen = "";
  private readonly born = performance.now();
  private stale = true;
  private frozen = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly far: HTMLCanvasElement,
  ) {
    const light = Light.on(canvas);
    this.painter = light ?? new Ink(canvas.getContext("2d")!);
    this.distant = light ? Light.on(far) : null;
    this.hear({ kind: "reset" });
    this.hear({ kind: "came", memories: [...memories()], quietly: true });
  }

  /** Seconds since the scene was created; stops while animation is disabled. */
  get now(): number {
    if (this.still) return this.frozen;
    this.frozen = (performance.now() - this.born) / 1000;
    return this.frozen;
  }

  get count(): number {
    return this.all.length;
  }

  /** Scale of the orbs; a crowded scene uses smaller ones. */
  get scale(): number {
    const crowd = Math.min(1.35, Math.max(0.3, Math.sqrt(420 / Math.max(1, this.all.length))));
    const room = Math.min(1.15, Math.max(0.62, Math.min(this.lens.width, this.lens.height) / 760));
    return crowd * room * Math.sqrt(this.lens.zoom);
  }

  hear(change: Change): void {
    const now = this.now;
    // A new orb flashes when it arrives; orbs of the initial load neither move nor flash.
    if (change.kind !== "reset" && !(change.kind === "came" && change.quietly)) this.busy = now + STIRRED + 1.6;
    this.nearDue = 0;
    switch (change.kind) {
      case "reset":
        this.all.length = 0;
        this.slots.clear();
        this.stale = true;
        break;
      case "came":
        for (const memory of change.memories) this.add(memory, now, change.quietly);
        this.stale = true;
        break;
      case "moved":
        this.shift(change.memory, now);
        break;
      case "recalled":
        this.flash(change.id, now);
        break;
      case "gone":
        this.drop(change.id);
        break;
    }
  }

  private add(memory: Memory, now: number, quietly: boolean): void {
    if (this.slots.has(memory.id)) return this.shift(memory, now);
    const made = orb(memory, now);
    if (!quietly && !this.still) Object.assign(made, { from: BEYOND, since: now });
    this.slots.set(memory.id, this.all.length);
    this.all.push({ memory, orb: made, colours: colours(memory.emotions), dimmed: this.hides(memory), pulse: quietly ? -100 : now + 1.6 });
  }

  private shift(memory: Memory, now: number): void {
    const at = this.slots.get(memory.id);
    if (at === undefined) return;
    const { orb: had, pulse } = this.all[at]!;
    const made = orb(memory, now);
    const to = orbitOf(memory);
    // The angle stays the same; only the radius changes.
    const speed = pace(made.place, memory.id);
    const phase = had.phase + (had.speed - speed) * now;
    Object.assign(made, { speed, phase });
    if (Math.abs(to - had.to) > 1e-6 && !this.still) Object.assign(made, { from: radius(had, now), to, since: now });
    else Object.assign(made, { from: this.still ? to : had.from, to, since: had.since });
    const next = { memory, orb: made, colours: colours(memory.emotions), dimmed: this.hides(memory), pulse };
    this.all[at] = next;
    this.redo(at);
  }

  private flash(id: string, now: number): void {
    const at = this.slots.get(id);
    if (at === undefined) return;
    this.all[at]!.pulse = now;
    this.redo(at);
  }

  /** Redraws one changed orb; in a crowded scene marks all orbs for sorting. */
  private redo(at: number): void {
    if (this.crowded) this.stale = true;
    else if (!this.stale) this.painter.put(at, this.all[at]!);
  }

  private get crowded(): boolean {
    return this.distant !== null && this.all.length > CROWD;
  }

  private drop(id: string): void {
    const at = this.slots.get(id);
    if (at === undefined) return;
    const last = this.all.pop()!;
    this.slots.delete(id);
    if (last.memory.id !== id) {
      this.all[at] = last;
      this.slots.set(last.memory.id, at);
    }
    this.stale = true;
  }

  private hides(memory: Memory): boolean {
    return this.wanted !== null && !this.wanted(memory);
  }

  filter(wanted: ((memory: Memory) => boolean) | null): void {
    this.wanted = wanted;
    for (const painted of this.all) painted.dimmed = this.hides(painted.memory);
    this.stale = true;
  }

  resize(width: number, height: number): void {
    // Doubling the resolution quadruples the pixels; a ratio above 2 makes no visible difference.
    const ratio = Math.min(devicePixelRatio, 2);
    Object.assign(this.lens, { width, height });
    for (const canvas of [this.canvas, this.far]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.painter.resize(width, height, ratio);
    this.distant?.resize(width, height, ratio);
    this.farDue = this.nearDue = 0;
  }

  /** Draws if anything has visibly changed; returns whether it drew. */
  draw(): boolean {
    const now = this.now;
    if (this.stale || now > this.sortDue) this.sort(now);
    const { width, height, zoom, x, y } = this.lens;
    const seen = [width, height, zoom, x, y, this.dark].join();
    if (seen !== this.seen) this.farDue = this.nearDue = 0;
    this.seen = seen;
    if (now < this.nearDue) return false;
    const ratio = Math.min(devicePixelRatio, 2);
    this.nearDue = now < this.busy ? 0 : now + (this.crowded ? STEP_IN_CROWD : STEP) / Math.max(0.1, fastest(this.lens) * ratio);
    this.painter.draw(now, this.lens, this.dark, this.scale);
    if (this.crowded && now >= this.farDue) {
      this.farDue = now + FAR_EVERY;
      this.distant!.draw(now, this.lens, this.dark, this.scale);
    }
    return true;
  }

  /** Assigns orbs to renderers. In a crowded scene, resting orbs of the outer orbits go to the second one. */
  private sort(now: number): void {
    const still = ({ orb, pulse }: Painted) => now - orb.since > STIRRED && now - pulse > STIRRED;
    const outer = (painted: Painted) => (painted.orb.place === "belt" || painted.orb.place === "cloud") && still(painted);
    this.far.hidden = !this.crowded;
    if (this.crowded) {
      this.painter.set(this.all.filter((painted) => !outer(painted)));
      this.distant!.set(this.all.filter(outer));
      this.sortDue = this.all.every(still) ? Infinity : now + STIRRED;
      this.farDue = 0;
    } else {
      this.painter.set(this.all);
      this.sortDue = Infinity;
    }
    this.stale = false;
    this.nearDue = 0;
  }

  /** Current position of a memory on the screen. */
  find(id: string): Pointed | null {
    const at = this.slots.get(id);
    if (at === undefined) return null;
    const { orb } = this.all[at]!;
    const [x, y] = where(orb, this.now, this.lens);
    return { id, x, y, size: orb.size * this.scale };
  }

  /** The memory under the pointer, if one is close enough. */
  under(x: number, y: number): Pointed | null {
    const now = this.now;
    let best: Pointed | null = null;
    let nearest = NEAR;
    for (const { orb, dimmed } of this.all) {
      if (dimmed) continue;
      const [left, top] = where(orb, now, this.lens);
      const size = orb.size * this.scale;
      const away = Math.hypot(left - x, top - y) - size / 2;
      if (away < nearest) {
        nearest = away;
        best = { id: orb.id, x: left, y: top, size };
      }
    }
    return best;
  }

  /** Memories of a zone that are not dimmed, most important first: the order of the arrow keys. */
  around(place: Place): string[] {
    const there = this.all.filter(({ memory, dimmed }) => !dimmed && placeOf(memory) === place);
    return there.sort((a, b) => b.memory.importance - a.memory.importance).map(({ memory }) => memory.id);
  }
}
