use saegim_engine::MindHandle;

use super::{Times, now};

/// Measures a rebalance of a mind that is already balanced, with or without a context.
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
