use saegim_engine::MindHandle;

use super::{Times, now};

/// How long placing everything anew takes once everything is in its place, with or without something talked about.
pub(crate) async fn measure(mind: &MindHandle, context: Option<&str>) -> Result<Times, Box<dyn std::error::Error>> {
    mind.rebalance(context).await?;
    let mut times = Vec::new();
    for _ in 0..20 {
        let start = now();
        mind.rebalance(context).await?;
        times.push(start.elapsed());
    }
    Ok(Times(times))
}
