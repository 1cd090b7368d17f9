// Pointer, wheel, touch and keyboard input on the orrery.
import { type Place, PLACES, placeOf } from "./path";
import type { Sky } from "./sky";
import { memory } from "../state/memories";

type Wishes = { point: (id: string | null) => void; open: (id: string) => void; stir: () => void };

/** A press that moves further than this, in pixels, is a drag. */
const STILL = 5;

const NEAREST = 8;
const FARTHEST = 0.6;

export class Hands {
  private readonly ends = new AbortController();
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private moved = 0;
  private at: string | null = null;

  constructor(
    private readonly stage: HTMLElement,
    private readonly sky: Sky,
    private readonly wishes: Wishes,
  ) {
    const options = { signal: this.ends.signal };
    stage.addEventListener("pointerdown", this.down, options);
    stage.addEventListener("pointermove", this.move, options);
    stage.addEventListener("pointerup", this.up, options);
    stage.addEventListener("pointercancel", this.up, options);
    stage.addEventListener("pointerleave", () => this.fingers.size === 0 && this.point(null), options);
    stage.addEventListener("wheel", this.wheel, { ...options, passive: false });
    stage.addEventListener("keydown", this.key, options);
    stage.addEventListener("focus", () => stage.matches(":focus-visible") && !this.at && this.step("first"), options);
    stage.addEventListener("blur", () => this.point(null), options);
  }

  leave(): void {
    this.ends.abort();
  }

  private point(id: string | null): void {
    if (this.at === id) return;
    this.at = id;
    this.wishes.point(id);
  }

  private spot(event: MouseEvent): { x: number; y: number } {
    const box = this.stage.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private readonly down = (event: PointerEvent): void => {
    this.fingers.set(event.pointerId, this.spot(event));
    this.moved = 0;
    this.stage.setPointerCapture(event.pointerId);
  };

  private readonly move = (event: PointerEvent): void => {
    const here = this.spot(event);
    const before = this.fingers.get(event.pointerId);
    if (!before) {
      this.point(this.sky.under(here.x, here.y)?.id ?? null);
      return;
    }
    const { lens } = this.sky;
    this.moved += Math.hypot(here.x - before.x, here.y - before.y);
    if (this.fingers.size === 1) {
      if (this.moved > STILL) {
        lens.x += here.x - before.x;
        lens.y += here.y - before.y;
      }
    } else {
      const other = [...this.fingers].find(([id]) => id !== event.pointerId)![1];
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(here.x - other.x, here.y - other.y);
      this.zoom(is / Math.max(1, was), (here.x + other.x) / 2, (here.y + other.y) / 2);
    }
    this.fingers.set(event.pointerId, here);
    this.wishes.stir();
  };

  private readonly up = (event: PointerEvent): void => {
    const here = this.spot(event);
    this.fingers.delete(event.pointerId);
    if (event.type === "pointerup" && this.moved <= STILL) {
      const found = this.sky.under(here.x, here.y);
      if (found) this.wishes.open(found.id);
    }
  };

  private readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { x, y } = this.spot(event);
    this.zoom(Math.exp(-event.deltaY * 0.0016), x, y);
    this.wishes.stir();
  };

  /** Zooms in or out around the pointer position. */
  private zoom(by: number, x: number, y: number): void {
    const { lens } = this.sky;
    const next = Math.min(NEAREST, Math.max(FARTHEST, lens.zoom * by));
    const real = next / lens.zoom;
    const [left, top] = [x - lens.width / 2, y - lens.height / 2];
    Object.assign(lens, { zoom: next, x: left - (left - lens.x) * real, y: top - (top - lens.y) * real });
  }

  private readonly key = (event: KeyboardEvent): void => {
    const steps: Record<string, "next" | "back" | "in" | "out" | "first"> = {
      ArrowRight: "next",
      ArrowLeft: "back",
      ArrowUp: "in",
      ArrowDown: "out",
      Home: "first",
    };
    const step = steps[event.key];
    if (step) this.step(step);
    else if ((event.key === "Enter" || event.key === " ") && this.at) this.wishes.open(this.at);
    else if (event.key === "Escape") this.point(null);
    else if (event.key === "+" || event.key === "=") this.zoom(1.3, this.sky.lens.width / 2, this.sky.lens.height / 2);
    else if (event.key === "-") this.zoom(1 / 1.3, this.sky.lens.width / 2, this.sky.lens.height / 2);
    else return;
    event.preventDefault();
    this.wishes.stir();
  };

  /** Moves the selection to the next or previous memory on its orbit (by importance), or to the next orbit inward or outward. */
  private step(way: "next" | "back" | "in" | "out" | "first"): void {
    const now = this.at ? memory(this.at) : undefined;
    const place: Place | null = now ? placeOf(now) : null;
    if (!now || !place || way === "first") {
      const first = PLACES.map((one) => this.sky.around(one)[0]).find((id) => id !== undefined);
      return this.point(first ?? null);
    }
    if (way === "in" || way === "out") {
      const order = way === "out" ? PLACES.slice(PLACES.indexOf(place) + 1) : PLACES.slice(0, PLACES.indexOf(place)).reverse();
      const next = order.map((one) => this.sky.around(one)[0]).find((id) => id !== undefined);
      return next ? this.point(next) : undefined;
    }
    const row = this.sky.around(place);
    const at = row.indexOf(now.id) + (way === "next" ? 1 : -1);
    this.point(row[(at + row.length) % row.length] ?? null);
  }
}
