//! Draws a report as one self-contained SVG file: tiers and zones as stacked areas over time, and the cliff as a line below.

use std::fmt::Write;

use saegim_core::{Language, Phrase, Tier, Zone, phrase};

use super::diary::Sample;
use super::report::SimulationReport;
use super::text::counted;

/// Size of the picture and the margins of its panels.
const WIDTH: f64 = 960.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 124.0;
const TOP: f64 = 66.0;
const GAP: f64 = 54.0;

/// Heights of the panels for tiers, zones and the cliff.
const HEIGHTS: [f64; 3] = [210.0, 210.0, 90.0];

/// Maximum number of points per curve; more would not be visible.
const POINTS: usize = 420;

/// Colours of the tiers from shortest to longest and of the zones from core outward. Longer tiers and inner zones have warmer
/// colours.
const TIERS: [&str; 4] = ["#b9c7d6", "#7fa3c4", "#3f6f9f", "#e0a526"];
const ZONES: [&str; 5] = ["#e0a526", "#d9825b", "#8a9fb5", "#b4c0cc", "#d3dbe3"];
const CLIFF: &str = "#b4473a";

/// One panel: title, layers from bottom to top, and chart type.
struct Panel {
    title: Phrase,
    layers: Vec<Layer>,
    shape: Shape,
}

struct Layer {
    name: Phrase,
    colour: &'static str,
    values: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Areas,
    Line,
}

impl SimulationReport {
    /// Returns an SVG chart of tiers, zones and the cliff over time, labelled in `language`.
    pub fn chart(&self, language: Language) -> String {
        let samples = thinned(&self.samples);
        let height = TOP + HEIGHTS.iter().sum::<f64>() + GAP * HEIGHTS.len() as f64;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
             font-family=\"system-ui, 'Apple SD Gothic Neo', 'Noto Sans KR', 'Noto Sans CJK KR', 'Malgun Gothic', sans-serif\" font-size=\"12\" fill=\"#3b4650\">\n"
        );
        let title = escaped(&self.title().in_language(language));
        svg += &format!("<title>{}</title>\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n", title);
        svg += &format!("<text x=\"{LEFT}\" y=\"30\" font-size=\"17\" font-weight=\"600\" fill=\"#1d252c\">{}</text>\n", title);
        let days: Vec<i64> = samples.iter().map(|sample| sample.day).collect();
        let mut top = TOP;
        for (panel, height) in panels(&samples).iter().zip(HEIGHTS) {
            let place = Place { top, height, first: 0, last: days.last().copied().unwrap_or(0).max(1), language };
            panel.draw(&mut svg, &place, &days);
            top += height + GAP;
        }
        svg + "</svg>\n"
    }

    fn title(&self) -> Phrase {
        let (days, turns) = (counted(self.days as usize), counted(self.tally.turns));
        match self.seed {
            Some(seed) => {
                phrase!("engine.chart.life_title", days, turns, seed)
            }
            None => phrase!("engine.chart.story_title", days, turns),
        }
    }
}

/// Position of a panel and the days it spans.
struct Place {
    top: f64,
    height: f64,
    first: i64,
    last: i64,
    language: Language,
}

impl Place {
    fn x(&self, day: i64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * (day - self.first) as f64 / (self.last - self.first) as f64
    }

    fn y(&self, value: u64, most: u64) -> f64 {
        self.top + self.height * (1.0 - value as f64 / most.max(1) as f64)
    }
}

/// Reduces the samples to at most `POINTS`, evenly spaced and including the last one.
fn thinned(samples: &[Sample]) -> Vec<Sample> {
    let step = samples.len().div_ceil(POINTS).max(1);
    let last = samples.len().saturating_sub(1);
    samples.iter().enumerate().filter(|(place, _)| (last - place).is_multiple_of(step)).map(|(_, sample)| *sample).collect()
}

fn panels(samples: &[Sample]) -> [Panel; 3] {
    let tier_names = [
        phrase!("engine.chart.tier_m30"),
        phrase!("engine.chart.tier_m90"),
        phrase!("engine.chart.tier_m365"),
        phrase!("engine.chart.tier_m0"),
    ];
    // The longest tier and the innermost zone are at the bottom, where an area is easiest to read.
    let tiers = Tier::ALL.iter().rev().map(|&tier| Layer {
        name: tier_names[tier as usize].clone(),
        colour: TIERS[tier as usize],
        values: samples.iter().map(|sample| sample.tiers[tier as usize]).collect(),
    });
    let zone_names = [
        phrase!("engine.chart.zone_core"),
        phrase!("engine.chart.zone_inner"),
        phrase!("engine.chart.zone_outer"),
        phrase!("engine.chart.zone_belt"),
        phrase!("engine.chart.zone_cloud"),
    ];
    let zones = Zone::ALL.iter().map(|&zone| Layer {
        name: zone_names[zone as usize].clone(),
        colour: ZONES[zone as usize],
        values: samples.iter().map(|sample| sample.zones[zone as usize]).collect(),
    });
    let cliff =
        Layer { name: phrase!("engine.chart.on_cliff"), colour: CLIFF, values: samples.iter().map(|sample| sample.cliff).collect() };
    [
        Panel { title: phrase!("engine.chart.by_tier"), layers: tiers.collect(), shape: Shape::Areas },
        Panel { title: phrase!("engine.chart.by_zone"), layers: zones.collect(), shape: Shape::Areas },
        Panel { title: phrase!("engine.chart.cliff"), layers: vec![cliff], shape: Shape::Line },
    ]
}

impl Panel {
    fn draw(&self, svg: &mut String, place: &Place, days: &[i64]) {
        let language = place.language;
        let total = |at: usize| self.layers.iter().map(|layer| layer.values[at]).sum::<u64>();
        let most = rounded((0..days.len()).map(total).max().unwrap_or(0));
        put(svg, format_args!("<g>\n"));
        let title = escaped(&self.title.in_language(language));
        let above = place.top - 12.0;
        put(svg, format_args!("<text x=\"{LEFT}\" y=\"{above:.1}\" font-weight=\"600\">{title}</text>\n"));
        self.grid(svg, place, most);
        let mut below = vec![0; days.len()];
        let mut legend = Vec::new();
        for layer in &self.layers {
            let above: Vec<u64> = below.iter().zip(&layer.values).map(|(below, value)| below + value).collect();
            layer.draw(svg, place, &Course { days, below: &below, above: &above, most, shape: self.shape });
            let middle = (below.last().copied().unwrap_or(0) + above.last().copied().unwrap_or(0)) as f64 / 2.0;
            legend.push((layer, place.top + place.height * (1.0 - middle / most.max(1) as f64)));
            below = above;
        }
        self.legend(svg, place, legend);
        put(svg, format_args!("</g>\n"));
    }

    /// Draws horizontal lines at a few round values and the day labels.
    fn grid(&self, svg: &mut String, place: &Place, most: u64) {
        let language = place.language;
        let right = WIDTH - RIGHT;
        let parts = if place.height < 120.0 { 2 } else { 4 };
        for part in 0..=parts {
            let value = most * part / parts;
            let y = place.y(value, most);
            let colour = if part == 0 { "#9aa5af" } else { "#e7ebef" };
            put(svg, format_args!("<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"{colour}\"/>\n"));
            let (x, y) = (LEFT - 8.0, y + 4.0);
            put(svg, format_args!("<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#7b8791\">{value}</text>\n"));
        }
        let step = [1, 2, 5, 7, 14, 30, 60, 90, 180, 365, 730, 1825, 3650].into_iter().find(|step| place.last / step <= 9).unwrap_or(7300);
        let y = place.top + place.height + 16.0;
        for day in (0..=place.last).step_by(step as usize) {
            let x = place.x(day);
            let label = phrase!("engine.chart.day", day);
            let label = if day == 0 || language == Language::Korean { label.in_language(language) } else { day.to_string() };
            put(svg, format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"#7b8791\">{label}</text>\n"));
        }
    }

    /// Draws the layer names beside the ends of the layers, moved apart where they would overlap.
    fn legend(&self, svg: &mut String, place: &Place, mut legend: Vec<(&Layer, f64)>) {
        let language = place.language;
        const ROOM: f64 = 16.0;
        // The last layer is on top, so its name must be on top too, even among layers without height.
        legend.reverse();
        legend.sort_by(|a, b| a.1.total_cmp(&b.1));
        let lowest = place.top + place.height;
        let count = legend.len();
        let mut last = place.top - ROOM;
        for (number, (_, y)) in legend.iter_mut().enumerate() {
            *y = y.max(last + ROOM).min(lowest - ROOM * (count - 1 - number) as f64);
            last = *y;
        }
        let x = WIDTH - RIGHT + 12.0;
        for (layer, y) in legend {
            let name = escaped(&layer.name.in_language(language));
            let (square, text, line) = (y - 9.0, x + 15.0, y);
            put(svg, format_args!("<rect x=\"{x}\" y=\"{square:.1}\" width=\"10\" height=\"10\" rx=\"2\" fill=\"{}\"/>", layer.colour));
            put(svg, format_args!("<text x=\"{text}\" y=\"{line:.1}\">{name}</text>\n"));
        }
    }
}

/// Lower and upper edge of a layer over time.
struct Course<'a> {
    days: &'a [i64],
    below: &'a [u64],
    above: &'a [u64],
    most: u64,
    shape: Shape,
}

impl Layer {
    fn draw(&self, svg: &mut String, place: &Place, course: &Course<'_>) {
        let point = |day: i64, value: u64| format!("{:.1},{:.1}", place.x(day), place.y(value, course.most));
        let along = |values: &[u64]| course.days.iter().zip(values).map(|(day, value)| point(*day, *value)).collect::<Vec<_>>();
        let (up, colour) = (along(course.above), self.colour);
        if up.is_empty() || self.values.iter().all(|value| *value == 0) && course.shape == Shape::Areas {
            return;
        }
        match course.shape {
            Shape::Line => {
                put(svg, format_args!("<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>\n", up.join(" ")));
            }
            Shape::Areas => {
                let mut back = along(course.below);
                back.reverse();
                put(svg, format_args!("<polygon points=\"{} {}\" fill=\"{colour}\"/>\n", up.join(" "), back.join(" ")));
            }
        }
    }
}

fn put(svg: &mut String, words: std::fmt::Arguments<'_>) {
    svg.write_fmt(words).expect("a string takes every text");
}

/// Rounds up to the next number that makes a good axis maximum.
fn rounded(number: u64) -> u64 {
    let mut unit = 1;
    loop {
        if let Some(round) = [4, 8, 12, 16, 20, 24, 32].into_iter().map(|step| step * unit).find(|round| *round >= number) {
            return round;
        }
        unit *= 10;
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_at_a_round_number_and_few_points_stand_for_many() {
        assert_eq!([0, 4, 5, 13, 41, 130, 900].map(rounded), [4, 4, 8, 16, 80, 160, 1200]);
        let sample = |day| Sample { day, tiers: [1; 4], zones: [1; 5], cliff: 2 };
        let many: Vec<Sample> = (0..1095).map(sample).collect();
        let few = thinned(&many);
        assert!(few.len() <= POINTS && few.last() == many.last());
        assert_eq!(thinned(&many[..3]).len(), 3);
        assert!(thinned(&[]).is_empty());
    }
}
