# 카페에 가는 사람이 그때그때 다른 말로 이야기한다: 세 번째에 하나의 기억이 되고, 그 뒤로는 그 기억이 또렷해진다.
day 0: user "오늘도 카페 들렀다 왔어"
day 2: user "퇴근하고 동네 카페에 들렀어"
day 2: expect count alive = 0
day 4: user "카페에서 라떼 마시고 왔어" as cafe
day 4: expect count alive = 1
day 6: user "점심 먹고 카페 갔다 왔어"
day 8: user "오늘은 카페에서 책 읽었어"
day 9: user "아까 단골 카페에 다녀왔어"
day 10: expect count alive = 1
day 10: expect recall "카페에서 뭐 해?" finds "카페"
