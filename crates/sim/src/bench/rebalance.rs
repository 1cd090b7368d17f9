use saegim_engine::MindHandle;

use super::{Times, now};

/// How long placing everything anew takes once everything is in its place.
pub(crate) async fn measure(mind: &MindHandle) -> Result<Times, Box<dyn std::error::Error>> {
    mind.rebalance(None).await?;
    let mut times = Vec::new();
    for _ in 0..20 {
        let start = now();
        mind.rebalance(None).await?;
        times.push(start.elapsed());
    }
    Ok(Times(times))
}
