# Café visits are one topic in any words; running and sleeplessness are topics although no two sentences share a word.
day 0: remember "Grabbed a flat white at the café round the corner before work" as cafe
day 0: remember "Sat in the cafe for an hour reading, it was pouring outside" as cafe
day 1: remember "met Dan at the coffee shop, we talked about his new job" as cafe
day 1: remember "got an oat latte to go from the usual place" as cafe
day 1: remember "어젯밤에도 한숨도 못 잤어" as night
day 2: remember "새벽까지 뒤척이다가 겨우 잠들었어" as night
day 2: remember "불면증 때문에 머리가 멍해" as night
day 2: remember "오늘도 수면제를 먹어야 했어" as night
day 3: remember "러닝화를 새로 장만했어" as run
day 3: remember "강변을 따라 조깅했어" as run
day 3: remember "하프 마라톤 대회를 신청했어" as run
day 11: expect essence of cafe in M90 because repeated
day 11: expect essence of night in M90
day 11: expect essence of run in M90 because repeated
day 11: expect count M90 = 3
