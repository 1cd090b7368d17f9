# Every kind of message about a subject counts as a mention: events, plans, feelings, preferences, and messages without findings.
time zone Asia/Seoul
start 2026-03-02T20:00:00+09:00
# The third mention is a feeling, a message without findings, a preference, a contradiction of another mention, a trait of a pet,
# and the house the user moves to.
day 0: user "We booked a cabin in Lapland"
day 0: user "Wrote the outline of my dissertation"
day 0: user "호떡을 세 개나 먹었어"
day 0: user "첼로 현을 새로 갈았어"
day 0: user "토리가 소파를 긁어 놨어"
day 0: user "이사갈 집 도면을 받았어"
day 2: user "Read about the sledges in Lapland"
day 2: user "My dissertation tutor moved the deadline"
day 2: user "호떡 굽다가 손을 데었어"
day 2: user "첼로 소리가 영 안 나"
day 2: user "토리 데리고 미용하고 왔어"
day 2: user "이사 갈 집 벽지를 골랐어"
day 4: user "Lapland has the prettiest snow I've ever seen" as lapland
day 4: user "Only three weeks left for the dissertation" as dissertation
day 4: user "겨울엔 호떡 먹는 게 낙이야" as hotteok
day 4: user "첼로 선생님이 활을 빌려줬어" as cello
day 4: user "토리는 청소기를 무서워해" as tori
day 4: user "새집에 냉장고가 안 들어간대" as house
day 14: expect essence of lapland in M90 because repeated
day 14: expect essence of dissertation in M90 because repeated
day 14: expect essence of hotteok in M90 because repeated
day 14: expect essence of cello in M90 because repeated
day 14: expect essence of tori in M90 because repeated
day 14: expect essence of house in M90 because repeated
