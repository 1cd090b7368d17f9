use super::*;

/// Returns the unambiguous subjects of a text.
fn said(text: &str) -> Vec<String> {
    let things = Subjects::of(text).things.clone();
    things.into_iter().filter(|thing| thing.sure && thing.clear).map(|thing| thing.said).collect()
}

#[test]
fn what_a_text_names_is_read_where_it_stands() {
    let mut wrong = Vec::new();
    for (text, names) in [
        // A name has a capital letter inside a sentence, or a verb of human action at its beginning.
        ("Played snooker with Ben", &["snooker", "Ben"][..]),
        ("Ben came over", &["Ben"]),
        ("Lent Will my ladder", &["Will", "ladder"]),
        ("Will you come", &[]),
        ("Mark cooked for us", &["Mark"]),
        ("Mark my words", &[]),
        ("Tea with Mr Patel", &["tea", "Mr Patel"]),
        ("Mr. Patel sold the van", &["Mr Patel", "van"]),
        ("We saw it on Tuesday in March", &[]),
        // A thing is in the position of a noun.
        ("The train was late", &["train"]),
        ("I train every day", &[]),
        ("Went to pottery class", &["pottery class", "pottery", "class"]),
        ("Walked to school", &["school"]),
        ("I want to train", &[]),
        ("Of course we danced", &[]),
        ("Had a flat white", &[]),
        ("Painted the flat", &["flat"]),
        ("Everyone went quiet", &[]),
        ("Meeting Kim on Sunday", &["Kim"]),
        ("The budget meeting dragged on", &["budget meeting", "meeting"]),
        ("Our D&D group", &["D&D"]),
        // The user's own, and another person's.
        ("Tom's mum made dinner", &["Tom's mum", "dinner"]),
        ("My mum made dinner", &["mum", "dinner"]),
        ("Her mum laughed", &[]),
        ("옆집 강아지가 짖어", &["옆집 강아지"]),
        ("우리 강아지가 짖어", &["강아지"]),
        ("김 과장님이 오셨어", &["김 과장님"]),
        ("박대리가 늦었어", &["박대리"]),
        ("수학 과외가 끝났어", &["수학 과외", "과외"]),
        ("바이올린 레슨을 미뤘어", &["바이올린 레슨", "레슨"]),
        ("발레 레슨이 재밌어졌어", &["발레 레슨", "레슨"]),
        // No verb, no number with a counter, no time of day.
        ("5키로 뛰었어", &[]),
        ("열시에 만나", &[]),
        ("만나서 얘기했어", &[]),
        ("가기 싫다", &[]),
        ("두 시간이나 줄을 섰어", &[]),
        ("다음엔 들을게", &[]),
        ("The kiosk near work", &["kiosk"]),
        ("젤다를 샀어", &["젤다"]),
        ("예능 보다가 잤어", &["예능"]),
        ("강아지랑 산책했어", &["강아지", "산책"]),
        ("장모님이랑은 아직 어색해", &["장모님"]),
        // Places the user goes to.
        ("제주에서 귤을 땄어", &["제주"]),
        ("We flew to Tokyo", &["Tokyo"]),
        // Two-word nouns.
        ("Had some ice cream", &["ice cream"]),
        ("Night shift at the mill", &["shift", "mill"]),
        ("이사갈 집 어때", &["이사갈 집"]),
        ("이사 갈 집을 봤어", &["이사 갈 집"]),
        ("Painted the new house", &["new house"]),
        ("Left the house early", &[]),
    ] {
        let found = said(text);
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        if !names.iter().all(|name| found.contains(name)) || names.is_empty() && !found.is_empty() {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn where_somebody_else_is_is_no_subject() {
    for (text, place) in [
        ("부산 지사로 보냈어", "부산"),
        ("서울 사는 사촌이 왔어", "서울"),
        ("부산에서 온 신입이야", "부산"),
        ("대전 이모가 전화하셨어", "대전"),
        ("The London office called", "London"),
        ("My aunt in Oslo fell", "Oslo"),
        ("A parcel from Tokyo", "Tokyo"),
    ] {
        assert!(!said(text).iter().any(|named| named == place), "{text}: {:?}", said(text));
    }
}

#[test]
fn one_thing_has_one_key_however_it_is_said() {
    let mut wrong = Vec::new();
    let key = |text: &str| Subjects::of(text).things.last().map(|thing| thing.key.clone());
    for (one, other, same) in [
        ("the neighbour", "our neighbors", true),
        ("the theatre", "a theater", true),
        ("my mum", "mother", true),
        ("엄마가", "어머니는", true),
        ("할머니가", "할무니를", true),
        ("할머니가", "외할머니를", false),
        ("my mum", "my mother in law", false),
        ("the boss", "my old boss", false),
        ("my dog", "a hot dog", false),
        ("my cat", "the neighbours' cat", false),
        ("하늘이 맑았어", "하늘이가", false),
        ("부장님이", "동아리 부장이", false),
        ("애기랑", "아기가", true),
        ("하늘이가", "하늘이랑", true),
        ("엄마가", "할머니가", false),
        ("with Bill", "the bill", false),
        ("김 과장님이", "박 과장님이", false),
        ("Tom's mum", "my mum", false),
        ("제주도에서", "제주는", true),
        ("부산에", "in Busan", true),
        ("부산에", "in Tokyo", false),
        ("이사갈 집", "our new house", true),
        ("our new house", "their new house", false),
        ("some ice cream", "some cream", false),
    ] {
        if (key(one) == key(other)) != same {
            wrong.push(format!("{one} {:?} | {other} {:?}", key(one), key(other)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_anothers_or_done_to_somebody_touches_no_theme() {
    for (text, touches) in [
        ("우리 강아지 산책", true),
        ("옆집 강아지가 짖어", false),
        ("Her dog barked", false),
        ("The meeting dragged on", true),
        ("Meeting Kim's parents", false),
        ("We rented bikes", true),
        ("We rented it", false),
    ] {
        assert_eq!(!Subjects::of(text).themes.is_empty(), touches, "{text}");
    }
}
