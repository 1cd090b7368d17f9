//! Embeds lines from standard input: one text gives its vector as a JSON array, two texts with a tab between
//! them give their raw cosine, a tab, and their calibrated similarity.
//!
//! ```text
//! printf '나는 커피를 좋아해\t커피를 즐겨 마신다\n' | cargo run --release -p saegim-provider --example embed
//! ```

use std::error::Error;
use std::io::{BufWriter, Write, read_to_string, stdin, stdout};

use saegim_provider::{Embedder, LocalEmbedder};

fn main() -> Result<(), Box<dyn Error>> {
    let embedder = LocalEmbedder::built_in()?;
    let input = read_to_string(stdin())?;
    let mut output = BufWriter::new(stdout().lock());
    for line in input.lines() {
        let texts: Vec<&str> = line.split('\t').collect();
        match embedder.embed_now(&texts)?.as_slice() {
            [one] => writeln!(output, "{:?}", one.components())?,
            [one, other] => {
                let cosine = one.cosine(other);
                writeln!(output, "{cosine:.4}\t{:.4}", embedder.calibration().similarity(cosine).get())?;
            }
            _ => return Err("a line has more than two columns".into()),
        }
    }
    Ok(())
}
