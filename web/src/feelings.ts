// The ten emotions: their colours and names.
import { say } from "./say";

export const FEELINGS = ["joy", "sadness", "anger", "fear", "disgust", "anxiety", "envy", "ennui", "nostalgia", "neutral"] as const;
export type Feeling = (typeof FEELINGS)[number];

/** Red, green, blue, each 0..=1. */
export type Colour = [number, number, number];

/** One colour per emotion; nostalgia has two, pink and blue. */
const HEX: Record<Feeling, [string, string?]> = {
  joy: ["#f4c25b"],
  sadness: ["#5f95f2"],
  anger: ["#ea5a55"],
  fear: ["#a277ea"],
  disgust: ["#62b872"],
  anxiety: ["#f28c45"],
  envy: ["#35bcb6"],
  ennui: ["#6a6fdc"],
  nostalgia: ["#ee94bd", "#82a8f6"],
  neutral: ["#a9b0bf"],
};

function known(name: string): Feeling {
  return FEELINGS.find((feeling) => feeling === name) ?? "neutral";
}

function rgb(hex: string): Colour {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as Colour;
}

/** The two colours of an orb: the same one twice for a single emotion, a mix for several. */
export function hues(emotions: readonly string[]): [string, string] {
  const felt = emotions.map(known).filter((feeling) => feeling !== "neutral");
  const all = (felt.length ? felt : (["neutral"] as Feeling[])).flatMap((feeling) => HEX[feeling]).filter((hex) => hex !== undefined);
  return [all[0]!, all[all.length - 1]!];
}

export function colours(emotions: readonly string[]): [Colour, Colour] {
  const [one, other] = hues(emotions);
  return [rgb(one), rgb(other)];
}

/** Display name of an emotion. */
export function feeling(name: string): string {
  switch (known(name)) {
    case "joy":
      return say("joy", "기쁨");
    case "sadness":
      return say("sadness", "슬픔");
    case "anger":
      return say("anger", "분노");
    case "fear":
      return say("fear", "두려움");
    case "disgust":
      return say("disgust", "혐오");
    case "anxiety":
      return say("anxiety", "불안");
    case "envy":
      return say("envy", "부러움");
    case "ennui":
      return say("ennui", "권태");
    case "nostalgia":
      return say("nostalgia", "그리움");
    case "neutral":
      return say("neutral", "평온");
  }
}
