//! Permissions of every route, one line each: for the owner, an agent, an admin and the owner of another mind.

use std::collections::BTreeSet;

use saegim_engine::Draft;

use super::Place;

/// Request, body and the expected status for owner, agent, admin and stranger. Without a key or with a revoked one, the
/// status is 401 except where the line says `open`.
const TABLE: &str = include_str!("table.txt");

struct Row<'a> {
    method: &'a str,
    path: &'a str,
    body: &'a str,
    told: Vec<u16>,
    open: bool,
}

fn rows() -> Vec<Row<'static>> {
    let row = |line: &'static str| {
        let mut fields = line.split('|').map(str::trim);
        let (asked, told, body) = (fields.next().unwrap(), fields.next().unwrap(), fields.next().unwrap_or(""));
        let (method, path) = asked.split_once(' ').unwrap();
        let open = told.ends_with("open");
        let told = told.trim_end_matches("open").split_whitespace().map(|status| status.parse().unwrap()).collect();
        Row { method, path: path.trim(), body, told, open }
    };
    TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(row).collect()
}

#[tokio::test]
async fn every_route_keeps_to_the_table() {
    let place = Place::new().await;
    let mind = place.mind("minsu", "luna").await;
    mind.remember(Draft::text("바닷가에서 조개를 주웠다")).await.unwrap();
    let mut wrong = Vec::new();
    for row in rows() {
        // Callers with the fewest rights first.
        for (who, column) in
            [("none", None), ("ended", None), ("stranger", Some(3)), ("admin", Some(2)), ("agent", Some(1)), ("owner", Some(0))]
        {
            let text = place.filled(&format!("{}|{}", row.path, row.body), &mind).await;
            let (path, body) = text.split_once('|').unwrap();
            let wanted = match column {
                Some(column) => row.told[column],
                None if row.open => row.told[0],
                None => 401,
            };
            let answered = place.ask(who, (row.method, path, body)).await;
            if answered.status.as_u16() != wanted {
                wrong
                    .push(format!("{} {} as {who}: {} instead of {wanted}: {:.160}", row.method, row.path, answered.status, answered.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_route_is_in_the_table() {
    let listed: BTreeSet<(String, String)> = rows().iter().map(|row| (row.method.to_lowercase(), plain(row.path))).collect();
    let (_, document) = super::super::routes::documented();
    let document = serde_json::to_value(document).unwrap();
    let mut missing = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys().filter(|key| ["get", "put", "post", "patch", "delete"].contains(&key.as_str()))
        {
            if !listed.contains(&(method.clone(), plain(path))) {
                missing.push(format!("{method} {path}"));
            }
        }
    }
    assert!(missing.is_empty(), "not in the table: {missing:?}");
}

/// Replaces the variable parts of a path with `{}`.
fn plain(path: &str) -> String {
    let path = path.split('?').next().unwrap();
    let piece = |piece: &str| {
        if piece.starts_with('{') || piece.starts_with("minsu%2F") || piece.starts_with("01900000") {
            "{}".to_owned()
        } else {
            piece.to_owned()
        }
    };
    path.split('/').map(piece).collect::<Vec<_>>().join("/")
}
