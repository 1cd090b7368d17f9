// Names of the orbits.
import { zone } from "../names";
import type { Place } from "./path";

export function name(place: Place): string {
  return zone(place);
}
