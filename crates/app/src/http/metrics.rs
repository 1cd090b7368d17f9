//! Request counts and durations for Prometheus. Labels have a bounded number of values: method, route pattern, status.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Media type of the metrics text.
pub(crate) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the duration histogram in seconds.
const BOUNDS: [f64; 8] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0];

/// What a request is counted under.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct RequestKind {
    pub(crate) method: &'static str,
    pub(crate) route: String,
    pub(crate) status: u16,
}

/// What durations are grouped by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabel {
    route: String,
}

/// All metrics of a server.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestKind, Counter>,
    durations: Family<RouteLabel, Histogram, fn() -> Histogram>,
    minds: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let new_histogram: fn() -> Histogram = || Histogram::new(BOUNDS);
        let mut registry = Registry::with_prefix("saegim");
        let (requests, minds) = (Family::default(), Gauge::default());
        let durations = Family::new_with_constructor(new_histogram);
        registry.register("minds", "Number of minds in the database", minds.clone());
        registry.register("requests", "Requests by method, route and status", requests.clone());
        registry.register("request_seconds", "Time to answer a request, by route", durations.clone());
        Self { registry, requests, durations, minds }
    }
}

impl Metrics {
    /// Counts an answered request.
    pub(crate) fn count(&self, kind: RequestKind, took: Duration) {
        self.durations.get_or_create(&RouteLabel { route: kind.route.clone() }).observe(took.as_secs_f64());
        self.requests.get_or_create(&kind).inc();
    }

    /// Returns all metrics as text for `GET /metrics`.
    pub(crate) fn text(&self, minds: usize) -> String {
        self.minds.set(i64::try_from(minds).unwrap_or(i64::MAX));
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a string cannot fail");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_method_route_and_status() {
        let metrics = Metrics::default();
        let kind = |status| RequestKind { method: "GET", route: "/health".into(), status };
        (0..100).for_each(|_| metrics.count(kind(200), Duration::from_millis(3)));
        metrics.count(kind(503), Duration::ZERO);
        let text = metrics.text(2);
        for line in [
            "saegim_minds 2",
            "saegim_requests_total{method=\"GET\",route=\"/health\",status=\"200\"} 100",
            "saegim_requests_total{method=\"GET\",route=\"/health\",status=\"503\"} 1",
            "saegim_request_seconds_count{route=\"/health\"} 101",
            "saegim_request_seconds_bucket{le=\"0.005\",route=\"/health\"} 101",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is missing:\n{text}");
        }
    }
}
