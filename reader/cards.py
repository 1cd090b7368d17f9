"""Draws author cards. `python reader/cards.py ko 1 60` prints the cards of Korean authors 1 to 60; the same number gives the same card."""
import random, sys

KINDS = dict(plain=24, multi=32, trap=26, nothing=20, answer=16, contrast=8, moment=8, fix=6)
GROUPS = "name place work people pet health food like dislike hobby thing trait love plan goal loss win limit promise".split()
TALKS_TO = [
    "a companion character it has known for a year", "a new companion app on the first days", "a game character on a long campaign",
    "a work assistant that also hears private things", "a study coach", "a fitness and health coach", "a late-night confidant",
    "a travel and cooking assistant", "a fan-made character it flirts with", "a journal that answers back", "a language tutor",
    "a household assistant shared with the family",
]
STYLES = [
    "short lower-case fragments, several thoughts per line", "long dictated run-ons without punctuation", "careful full sentences",
    "many typos, corrected never", "slang of its age group, abbreviations", "emoji in every other message", "dry and ironic",
    "rambling, changes subject midway", "telegram style, drops subjects and particles", "polite, apologises a lot", "excited, many exclamation marks",
    "tells everything as small anecdotes", "answers questions with the fact hidden in the second half", "swears mildly", "bullet-like lists in one line",
]
MOODS = ["content", "worn out", "grieving", "in love", "anxious about money", "restless and bored", "hopeful after a bad year", "irritable", "lonely", "proud", "homesick", "calm and wry"]
FAMILY = [
    "single, lives alone", "lives with parents and a younger sibling", "newly married", "married with two small children", "divorced, shared custody",
    "widowed", "in a long-distance relationship", "single parent of a teenager", "lives with flatmates", "cares for an ill parent", "engaged",
    "separated, dating again", "grandparent", "raised by grandparents", "partner of the same sex", "large family with many cousins", "estranged from a parent",
    "expecting a first child", "empty nest", "has a twin",
]
STORIES = [
    "changes jobs", "moves to another city", "loses a grandparent", "breaks up", "adopts an animal", "gets a diagnosis", "fails an exam and tries again",
    "passes an exam after years", "a friendship ends", "a pet dies", "gets engaged", "a parent falls ill", "starts a small business", "is laid off",
    "stops drinking or smoking", "learns an instrument", "trains for a race", "emigrates", "comes home after years away", "has a child", "wins a prize",
    "is cheated by a landlord", "recovers from surgery", "reconciles with a sibling", "retires", "begins therapy", "buys a first flat", "goes back to university",
    "military service", "a secret crush", "writes a novel", "loses money", "burns out", "takes up a new faith or leaves one", "a car accident", "plans a wedding",
]
INTERESTS = [
    "climbing", "baking", "trot and old ballads", "K-pop", "metal", "chess", "fishing", "gardening", "photography", "knitting", "board games", "running",
    "swimming", "cycling", "cars", "astronomy", "birdwatching", "webtoons", "crime novels", "football", "baseball", "boxing", "yoga", "camping", "coffee",
    "wine", "sewing", "pottery", "speedcubing", "e-sports", "mobile games", "house plants", "history podcasts", "stand-up comedy", "theatre", "choir",
    "tarot", "investing", "thrifting", "fountain pens", "aquariums", "surfing", "hiking", "calligraphy", "drums", "cello", "mechanical keyboards", "drama series",
]
WORK = {
    "ko": "간호사,배달 기사,초등 교사,웹 개발자,미용사,공무원 준비생,고등학생,대학원생,카페 사장,용접공,물류센터 직원,변호사,농부,사회복지사,보험 설계사,취업 준비생,주부,은행원,요양보호사,게임 기획자,택시 기사,약사,유치원 교사,편의점 알바,퇴직한 교장,조선소 직원,승무원,번역가,소방관,디자이너,군인,치위생사,헬스 트레이너,학원 강사,어부,방송 작가,스타트업 마케터,경비원,피아노 조율사,제과제빵사,중학생,연구원,콜센터 상담원,목수,부동산 중개인".split(","),
    "en": "nurse,delivery driver,primary school teacher,web developer,hairdresser,law student,high-school student,PhD student,café owner,welder,warehouse picker,solicitor,farmer,social worker,insurance clerk,job seeker,stay-at-home parent,bank teller,care worker,game designer,bus driver,pharmacist,nursery teacher,bar tender,retired headmaster,shipyard worker,flight attendant,translator,firefighter,graphic designer,soldier,dental hygienist,personal trainer,math tutor,fisherman,screenwriter,startup marketer,security guard,piano tuner,pastry chef,middle-school student,lab technician,call-centre agent,carpenter,real-estate agent".split(","),
}
REGION = {
    "ko": "서울 강북,서울 강남,인천,수원,성남,의정부,춘천,강릉,원주,대전,청주,천안,전주(전라도 말투),광주(전라도 말투),목포(전라도 말투),여수,대구(경상도 말투),부산(경상도 말투),울산(경상도 말투),창원,포항(경상도 말투),제주(제주 말 조금),세종,해외 거주 한국인(토론토),해외 거주 한국인(베를린),해외 거주 한국인(LA),시골 읍내(충청도 말투),파주,평택,김해".split(","),
    "en": "London,Leeds,Glasgow (Scots words),Belfast,Dublin,Cardiff,rural Devon,New York,Texas,Ohio,Georgia (Southern),California,Minnesota,Toronto,Halifax,Melbourne,Perth,Auckland,Cape Town,Lagos (Nigerian English),Nairobi,Mumbai (Indian English),Manila (Filipino English),Singapore (Singlish touches),Jamaica,Alaska,Chicago,New Orleans,Hong Kong,Berlin (English as a second language)".split(","),
}
PUPILS = ("고등학생", "중학생", "편의점 알바", "high-school student", "middle-school student")
HOMES = ("lives with parents and a younger sibling", "raised by grandparents", "large family with many cousins", "estranged from a parent", "has a twin")
REGISTER = {
    "ko": ["반말", "반말", "해요체", "해요체와 반말을 섞음", "음슴체", "격식 있는 합니다체", "해요체, 짧게"],
    "en": ["casual", "casual", "neutral", "formal", "very informal", "non-native but fluent"],
}


def card(language, number):
    """Returns the text of one card."""
    draw = random.Random(f"{language}-{number}")
    stories = draw.sample(STORIES, draw.randint(1, 3))
    mixed = draw.choice([5, 10, 10, 15]) if language == "ko" else draw.choice([2, 5, 10, 20])
    contrast = draw.sample(["residence", "job", "status", "pet", "hobby", "food", "illness", "school", "smoking or drinking", "car", "friend"], 2)
    counts = ", ".join(f"{kind} {count}" for kind, count in KINDS.items())
    age = draw.choice([14, 16, 18, 20, 22, 24, 26, 28, 30, 33, 36, 39, 43, 47, 52, 58, 64, 71])
    gender = draw.choice(["woman", "man", "woman", "man", "non-binary"])
    region, work, family = draw.choice(REGION[language]), draw.choice(WORK[language]), draw.choice(FAMILY)
    interests, styles = draw.sample(INTERESTS, 4), draw.sample(STYLES, 2)
    register, talks_to, mood = draw.choice(REGISTER[language]), draw.choice(TALKS_TO), draw.choice(MOODS)
    # A minor is at school, lives with family and flirts with nobody; other draws make an adult.
    if age < 20 and not (work in PUPILS and family in HOMES and "flirts" not in talks_to):
        age += 20
    return "\n".join([
        f"# Card {language}-{number:03d}",
        f"Write in: {'Korean' if language == 'ko' else 'English'}; about {mixed} % of the messages mix in the other language",
        f"Age: {age}; {gender}",
        f"Region: {region}",
        f"Work: {work}",
        f"Family: {family}",
        f"Interests: {', '.join(interests)}",
        f"Types like this: {'; '.join(styles)}; register: {register}",
        f"Talks to: {talks_to}",
        f"Mood in these weeks: {mood}",
        f"Life stories that run through the messages: {'; '.join(stories)}",
        f"Write more about these groups than others: {', '.join(draw.sample(GROUPS, 5))}",
        f"Contrast sets (four messages each): {' and '.join(contrast)}",
        f"Messages: {sum(KINDS.values())} in all: {counts}",
    ])


if __name__ == "__main__":
    language, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print("\n\n".join(card(language, number) for number in range(first, last + 1)))
