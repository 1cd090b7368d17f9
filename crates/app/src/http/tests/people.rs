//! Statements and people over HTTP.

use saegim_core::Principal;
use saegim_engine::{Exchange, ExportChunk, Format, ImportData, MindHandle, NewMessage};
use serde_json::{Value, json};

use super::Place;

const UNSURE: &str = "01900000-0000-7000-8000-00000000abcd";

/// Imports a conversation with a statement that is not sure into a new mind.
async fn import(place: &Place, into: &MindHandle) {
    let first = place.mind("minsu", "first").await;
    let said = vec![NewMessage::user("음, 오늘은 그냥 쉬었어")];
    let turn = first.observe(Exchange { said, ..Exchange::default() }).await.unwrap().turns[0].clone();
    let mut bundle = String::new();
    first
        .export(Format::Bundle, |piece: ExportChunk| {
            bundle.push_str(&piece.text);
            Ok::<(), saegim_engine::EngineError>(())
        })
        .await
        .unwrap();
    let said = json!({
        "type": "statement", "id": UNSURE, "turn": turn.id, "at": turn.at, "group": "work", "text": "Mia runs a bakery", "holder": "Mia",
        "status": "now", "probability": 0.5, "sure": false, "valid_until": null, "confirmed": null, "withdrawn_at": null,
        "repeated_by": null, "ended_by": null, "ended_at": null,
    });
    bundle.push_str(&said.to_string());
    let parcel = ImportData::read_text(Format::Bundle, &bundle, into.key()).unwrap();
    assert_eq!(into.import_conversation(parcel.conversation).await.unwrap().left_out, None);
    assert_eq!(into.principal(), Principal::Owner);
}

async fn ask(place: &Place, method: &str, path: &str) -> Value {
    let answered = place.ask("owner", (method, path, "")).await;
    assert_eq!(answered.status.as_u16(), 200, "{method} {path}: {}", answered.text);
    serde_json::from_str(&answered.text).unwrap()
}

#[tokio::test]
async fn a_statement_is_listed_confirmed_and_removed() {
    let place = Place::new().await;
    import(&place, &place.mind("minsu", "second").await).await;
    let mind = "/v1/minds/minsu%2Fsecond";
    let known = ask(&place, "GET", &format!("{mind}/facts")).await;
    assert_eq!((&known["statements"][0]["holder"], &known["statements"][0]["confirmed"]), (&json!("Mia"), &json!(false)));
    assert_eq!(ask(&place, "GET", &format!("{mind}/people")).await["people"][0]["id"], "mia");
    assert_eq!(ask(&place, "GET", &format!("{mind}/people/Mia")).await["statements"][0]["current"], false);
    let confirmed = ask(&place, "POST", &format!("{mind}/statements/{UNSURE}/confirm")).await;
    assert_eq!((&confirmed["confirmed"], &confirmed["current"]), (&json!(true), &json!(true)));
    assert_eq!(ask(&place, "DELETE", &format!("{mind}/statements/{UNSURE}")).await["text"], "Mia runs a bakery");
    let gone = place.ask("owner", ("GET", &format!("{mind}/people/Mia"), "")).await;
    assert_eq!(gone.status.as_u16(), 404);
    assert_eq!(ask(&place, "GET", &format!("{mind}/facts?history=true")).await["statements"], json!([]));
}
