// Formatting of times and durations.
import { language, say } from "./say";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Units from seconds to years, each with its length in seconds. */
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * DAY],
  ["month", 30 * DAY],
  ["week", 7 * DAY],
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
];

/** "3 days ago", "3일 전". */
export function ago(moment: string): string {
  const seconds = (Date.parse(moment) - Date.now()) / 1000;
  const words = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" });
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  if (!step) return say("just now", "방금");
  return words.format(Math.round(seconds / step[1]), step[0]);
}

/** Time left: "3 days 4 h", "3일 4시간". */
export function left(seconds: number): string {
  if (seconds <= 0) return say("no time", "남은 시간 없음");
  const days = Math.floor(seconds / DAY);
  const hours = Math.floor((seconds % DAY) / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  if (days >= 60) return say(`${Math.round(days / 30)} months`, `${Math.round(days / 30)}개월`);
  if (days >= 8) return say(`${days} days`, `${days}일`);
  if (days >= 1) return say(`${days} d ${hours} h`, `${days}일 ${hours}시간`);
  if (hours >= 1) return say(`${hours} h ${minutes} min`, `${hours}시간 ${minutes}분`);
  return say(`${Math.max(1, minutes)} min`, `${Math.max(1, minutes)}분`);
}

export function until(moment: string): string {
  return left((Date.parse(moment) - Date.now()) / 1000);
}

/** Full date and time. */
export function when(moment: string): string {
  return new Date(moment).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" });
}

export function day(moment: string | number): string {
  return new Date(moment).toLocaleDateString(language.value, { dateStyle: "medium" });
}

export function clock(moment: string): string {
  return new Date(moment).toLocaleTimeString(language.value, { timeStyle: "short" });
}
