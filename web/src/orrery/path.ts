// Position of an orb: the same calculation as in the shader, used for pointing, focus and the selection ring.
import type { Memory } from "../api/contract";

export const ZONES = ["core", "inner", "outer", "belt", "cloud"] as const;
export type Place = (typeof ZONES)[number] | "cliff";
export const PLACES: readonly Place[] = [...ZONES, "cliff"];

/** Inner and outer radius of each orbit, relative to half the width of the orrery. */
export const BANDS: Record<Place, [number, number]> = {
  core: [0.17, 0.25],
  inner: [0.33, 0.43],
  outer: [0.51, 0.65],
  belt: [0.71, 0.81],
  cloud: [0.86, 0.97],
  cliff: [1.04, 1.1],
};

/** Angular speed of each orbit, in radians per second. */
const PACE: Record<Place, number> = { core: 0.034, inner: 0.023, outer: 0.015, belt: 0.01, cloud: 0.007, cliff: 0.004 };

/** Radius at which new orbs start when they fly in. */
export const BEYOND = 1.7;

/** Duration of a move, in seconds. */
export const MOVE = 2.6;

/** One orb as it is drawn. */
export type Orb = {
  id: string;
  place: Place;
  /** Start and target radius, and the start time of the move. */
  from: number;
  to: number;
  since: number;
  phase: number;
  speed: number;
  /** Width in pixels before zooming. */
  size: number;
  glow: number;
  importance: number;
};

/** Pseudo-random number in 0..1 derived from an id. */
export function chance(id: string, salt: number): number {
  let hash = 2166136261 ^ salt;
  for (let at = id.length - 12; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 16777619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return (hash >>> 0) / 4294967296;
}

export function placeOf(memory: Memory): Place {
  return memory.on_cliff ? "cliff" : memory.zone;
}

export function orbitOf(memory: Memory): number {
  const [near, far] = BANDS[placeOf(memory)];
  return near + (far - near) * chance(memory.id, 7);
}

/** Creates an orb that is already on its orbit. */
export function orb(memory: Memory, now: number): Orb {
  const place = placeOf(memory);
  const radius = orbitOf(memory);
  return {
    id: memory.id,
    place,
    from: radius,
    to: radius,
    since: now - MOVE,
    phase: chance(memory.id, 1) * Math.PI * 2,
    speed: PACE[place] * (0.8 + 0.4 * chance(memory.id, 3)),
    size: 5 + 15 * memory.importance ** 1.3 + (memory.tier === "M0" ? 3 : 0),
    glow: place === "cliff" ? 0.12 : 0.2 + 0.8 * memory.strength,
    importance: memory.importance,
  };
}

export function pace(place: Place, id: string): number {
  return PACE[place] * (0.8 + 0.4 * chance(id, 3));
}

/** Speed of the fastest orb, in pixels per second. */
export function fastest(lens: Lens): number {
  const [across, down] = reach(lens);
  return Math.max(...PLACES.map((place) => PACE[place] * 1.2 * BANDS[place][1])) * Math.max(across, down);
}

export function radius(orb: Orb, now: number): number {
  const share = Math.min(1, Math.max(0, (now - orb.since) / MOVE));
  const eased = 1 - (1 - share) ** 3;
  return orb.from + (orb.to - orb.from) * eased;
}

/** The visible part of the orrery. */
export type Lens = { width: number; height: number; zoom: number; x: number; y: number };

/** Half the width and height of the orrery on the screen. */
export function reach(lens: Lens): [number, number] {
  const tall = lens.height > lens.width;
  const across = tall ? lens.width * 0.46 : Math.min(lens.width * 0.43, lens.height * 0.78);
  const down = tall ? Math.min(lens.height * 0.36, lens.width * 0.74) : Math.min(lens.height * 0.435, across * 0.8);
  return [across * lens.zoom, down * lens.zoom];
}

/** Position of an orb on the screen at a given time. */
export function where(orb: Orb, now: number, lens: Lens): [number, number] {
  const [across, down] = reach(lens);
  const angle = orb.phase + orb.speed * now;
  const r = radius(orb, now);
  return [lens.width / 2 + lens.x + Math.cos(angle) * r * across, lens.height / 2 + lens.y + Math.sin(angle) * r * down];
}
