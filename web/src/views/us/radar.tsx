// The five relationship axes as a radar chart.
import type { Standing } from "../../api/contract";
import { axis } from "../../names";
import { number, say } from "../../say";

const AXES = ["trust", "affection", "respect", "rivalry", "familiarity"] as const;
const REACH = 100;

function spot(at: number, share: number): [number, number] {
  const angle = (at / AXES.length) * Math.PI * 2 - Math.PI / 2;
  return [Math.cos(angle) * REACH * share, Math.sin(angle) * REACH * share];
}

function shape(shares: number[]): string {
  return shares.map((share, at) => spot(at, share).map((part) => part.toFixed(1)).join(",")).join(" ");
}

export function Radar({ standing }: { standing: Standing }) {
  const values = AXES.map((name) => standing[name]);
  const told = AXES.map((name, at) => `${axis(name)} ${number(values[at]!)}`).join(", ");
  return (
    <svg class="radar" viewBox="-190 -128 380 236" role="img" aria-label={`${say("The five relationship scores", "관계 점수 다섯 가지")}: ${told}`}>
      {[0.25, 0.5, 0.75, 1].map((share) => (
        <polygon key={share} class="radar-ring" points={shape(AXES.map(() => share))} />
      ))}
      {AXES.map((name, at) => {
        const [x, y] = spot(at, 1);
        return <line key={name} class="radar-ring" x1="0" y1="0" x2={x} y2={y} />;
      })}
      <polygon class="radar-shape" points={shape(values.map((value) => Math.max(0.015, value / 100)))} />
      {AXES.map((name, at) => {
        const [x, y] = spot(at, 1.15);
        const anchor = Math.abs(x) < 8 ? "middle" : x > 0 ? "start" : "end";
        return (
          <text key={name} x={x} y={y} text-anchor={anchor} dominant-baseline="middle">
            {axis(name)} <tspan class="radar-number">{number(values[at]!)}</tspan>
          </text>
        );
      })}
    </svg>
  );
}
