# Weather is small talk every day, repeated mentions in one session count once, and unrelated messages are not a habit.
day 0..9: user "오늘 날씨 좋다"
day 0..9: user "안녕, 잘 잤어?"
day 0: user "버스를 놓쳤어"
day 0: user "버스를 또 놓쳤어"
day 0: user "오늘 버스를 놓쳤어"
day 0: user "버스 놓쳤어"
day 1: user "마트에서 장 봤어"
day 2: user "엄마랑 통화했어"
day 3: user "택시 타고 집에 왔어"
day 4: user "새 신발 샀어"
day 9: expect count alive = 0
# A habit stated explicitly is kept the first time.
day 10: user "나 매주 토요일마다 등산 가" as hike
day 10: expect hike in M30
day 11: user "I go hiking every Saturday" as hikes
day 11: expect count alive = 2
