"""Bar charts as plain SVG, readable on light and dark backgrounds."""

import math
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

WIDTH, LABELS, VALUES, ROW, HEAD = 860, 235, 150, 22, 46

STYLE = """
  .paper { fill: #ffffff; } .word { fill: #24292f; } .soft { fill: #57606a; } .line { stroke: #d0d7de; }
  .other { fill: #a8b3bf; } .limit { fill: #d8dee4; } .ours { fill: #0969da; } .far { stroke: #57606a; }
  text { font: 12px ui-sans-serif, system-ui, sans-serif; } .title { font-size: 17px; font-weight: 600; }
  .panel { font-size: 13px; font-weight: 600; } .small { font-size: 11px; } .bold { font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; } .word { fill: #e6edf3; } .soft { fill: #8b949e; } .line { stroke: #30363d; }
    .other { fill: #57606a; } .limit { fill: #30363d; } .ours { fill: #4493f8; } .far { stroke: #8b949e; }
  }
"""


@dataclass
class Bar:
    label: str
    value: float
    # Label at the end of the bar.
    words: str
    # ours, other or limit.
    kind: str = "other"
    # End of the thin line, for example the 95th percentile.
    far: float | None = None


@dataclass
class Panel:
    heading: str
    bars: list[Bar]
    # Ticks as (value, label); on a logarithmic panel the first and last are also the bounds.
    ticks: list[tuple[float, str]] = field(default_factory=list)
    logarithmic: bool = True

    def place(self, value: float) -> float:
        low, high = self.ticks[0][0], self.ticks[-1][0]
        if self.logarithmic:
            low, high, value = math.log10(low), math.log10(high), math.log10(max(value, low))
        share = (value - low) / (high - low)
        return LABELS + max(0.004, min(1.0, share)) * (WIDTH - LABELS - VALUES)


def decades(bars: list[Bar], words) -> list[tuple[float, str]]:
    """Ticks at the powers of ten that enclose every bar."""
    values = [bar.value for bar in bars] + [bar.far for bar in bars if bar.far]
    low, high = math.floor(math.log10(min(values) * 0.8)), math.ceil(math.log10(max(values)))
    return [(10.0**power, words(10.0**power)) for power in range(low, high + 1)]


def draw(path: Path, title: str, subtitle: str, panels: list[Panel]) -> None:
    parts, top = [], 76
    for panel in panels:
        bottom = top + 14 + ROW * len(panel.bars)
        parts.append(f'<text class="word panel" x="20" y="{top}">{escape(panel.heading)}</text>')
        for value, words in panel.ticks:
            x = panel.place(value) if value != panel.ticks[0][0] else LABELS
            parts.append(f'<line class="line" x1="{x:.1f}" x2="{x:.1f}" y1="{top + 10}" y2="{bottom}"/>')
            parts.append(f'<text class="soft small" x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{escape(words)}</text>')
        for row, bar in enumerate(panel.bars):
            y = top + 14 + ROW * row
            end = panel.place(bar.value)
            bold = " bold" if bar.kind == "ours" else ""
            parts.append(
                f'<text class="word{bold}" x="{LABELS - 10}" y="{y + 14}" text-anchor="end">{escape(bar.label)}</text>'
                f'<rect class="{bar.kind}" x="{LABELS}" y="{y + 3}" width="{end - LABELS:.1f}" height="{ROW - 7}" rx="2"/>'
            )
            reach = end
            if bar.far and bar.far > bar.value:
                reach = panel.place(bar.far)
                parts.append(f'<line class="far" x1="{end:.1f}" x2="{reach:.1f}" y1="{y + 10.5}" y2="{y + 10.5}"/>')
                parts.append(f'<line class="far" x1="{reach:.1f}" x2="{reach:.1f}" y1="{y + 7}" y2="{y + 14}"/>')
            parts.append(f'<text class="word small{bold}" x="{reach + 6:.1f}" y="{y + 14}">{escape(bar.words)}</text>')
        top = bottom + HEAD
    height = top - 16
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="{escape(title, quote=True)}">\n<style>{STYLE}</style>\n'
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>\n'
        f'<text class="word title" x="20" y="28">{escape(title)}</text>\n'
        f'<text class="soft" x="20" y="46">{escape(subtitle)}</text>\n' + "\n".join(parts) + "\n</svg>\n"
    )
