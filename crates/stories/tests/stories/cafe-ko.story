# 매일 카페에 가는 사람: 하나의 M90, 그리고 하나의 M365.
day 0..24: remember "동네 카페에서 라떼를 마셨어" or "퇴근하고 동네 카페에 들렀어" or "카페에서 라떼 마시면서 책을 읽었어" or "동네 카페 라떼가 오늘도 맛있었어" or "점심 먹고 카페에서 라떼 한 잔 했어" or "카페 사장님이 라떼를 그냥 주셨어" or "주말에도 동네 카페에 갔어" or "카페 창가 자리에서 라떼를 마셨어" as cafe
day 25: expect count M90 = 1
day 25: expect essence of cafe in M90 because repeated as habit
day 25: expect habit in M90
# The originals keep their own terms.
day 25: expect count M30 = 25
day 26: use habit 5 times
day 31: expect count M365 = 1
day 31: expect essence of habit in M365 because recalled
day 31: expect essence of cafe in M365
day 70: expect count M30 = 0
day 70: expect recall "카페에서 뭐 마셔?" finds "카페"
day 80: recall "동네 카페 라떼"
day 130: expect count M90 = 0
day 150: recall "카페"
day 220: recall "카페 라떼"
day 300: expect count M365 = 1
day 300: expect "카페" in M365
day 300: expect count M0 = 0
