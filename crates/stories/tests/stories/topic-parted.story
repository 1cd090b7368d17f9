# A chain of pairwise similar memories is not a topic: an essence counts only memories about its subject.
day 0: remember "서준이 선물로 자전거 샀어" as bicycle
day 0: remember "서준이 선물로 스탠드 샀어" as present
day 1: remember "자전거 타이어가 터졌어" as bicycle
day 1: remember "선물 포장을 풀었어" as present
day 2: remember "자전거 타고 강변을 달렸어" as bicycle
day 2: remember "일어났어" as idle
day 2: remember "하루가 길었다" as idle
day 3: remember "힘이 쭉 빠졌어" as idle
day 3: remember "스탠드 전구가 나갔어" as present
day 5: expect essence of bicycle in M90 because repeated as cycling
day 5: expect "자전거 이야기가 3번" in M90
day 5: expect no essence of idle
day 5: expect count M90 = 1
# Coffee and cafés are one theme, named after both.
day 6: remember "카페에 들렀어" as coffee
day 6: remember "커피가 다 식었어" as coffee
day 7: remember "카페 의자가 딱딱했어" as coffee
day 8: remember "커피를 새로 내렸어" as coffee
day 12: expect "카페·커피 이야기가 4번" in M90
day 12: expect count M90 = 2
# The user and the character occur in every memory, so their names are not topics.
day 13: remember "Luna laughed first" as two
day 13: remember "Told Luna a secret" as two
day 14: remember "Watched the sunset with Luna" as two
day 19: expect no essence of two
