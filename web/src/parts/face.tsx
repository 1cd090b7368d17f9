// The character's face: four expressions, drawn with a few lines.
import type { Face as Faces } from "../api/contract";
import { say } from "../say";

const MOUTHS: Record<keyof Faces, string> = {
  neutral: "M36 63 Q50 65 64 63",
  happy: "M33 58 Q50 78 67 58",
  sad: "M36 69 Q50 57 64 69",
  angry: "M37 67 Q50 61 63 67",
};

const BROWS: Record<keyof Faces, string> = {
  neutral: "",
  happy: "",
  sad: "M27 37 L39 33 M61 33 L73 37",
  angry: "M27 32 L41 38 M59 38 L73 32",
};

export function faceName(face: keyof Faces): string {
  const names: Record<keyof Faces, string> = {
    neutral: say("calm", "차분한 얼굴"),
    happy: say("happy", "웃는 얼굴"),
    sad: say("sad", "슬픈 얼굴"),
    angry: say("angry", "화난 얼굴"),
  };
  return names[face];
}

export function FaceOf({ face, size = 56 }: { face: keyof Faces; size?: number }) {
  const smiling = face === "happy";
  return (
    <svg class="face" viewBox="0 0 100 100" width={size} height={size} role="img" aria-label={faceName(face)}>
      <circle cx="50" cy="50" r="46" class="face-ground" />
      {smiling ? (
        <path d="M28 46 Q35 38 42 46 M58 46 Q65 38 72 46" class="face-line" />
      ) : (
        <g class="face-eyes">
          <circle cx="35" cy="45" r="4" />
          <circle cx="65" cy="45" r="4" />
        </g>
      )}
      <path d={MOUTHS[face]} class="face-line" />
      {BROWS[face] && <path d={BROWS[face]} class="face-line thin" />}
    </svg>
  );
}
