# Similar is not equal: a different person, day, side or direction is a different event, and an essence is not merged with its
# original.
policy thinning.budget_share = 1.0
day 0: remember "아빠가 병원에 입원했어" kind episodic as father
day 0: remember "엄마가 병원에 입원했어" kind episodic as mother
day 0: remember "I borrowed 5,000 won from Jiho" kind episodic as borrowed
day 0: remember "Jiho borrowed 5,000 won from me" kind episodic as lent
day 0: remember "My flight is on Monday" kind episodic as monday
day 0: remember "My flight is on Tuesday" kind episodic as tuesday
day 0: remember "Went hiking on Bukhansan with Mina" kind episodic as mina
day 0: remember "Went hiking on Bukhansan with Jisoo" kind episodic as jisoo
day 0: remember "친구한테 자전거를 빌려줬어" kind episodic as gave
day 0: remember "친구한테 자전거를 빌렸어" kind episodic as took
day 0: remember "왼쪽 무릎이 아파" kind episodic as left
day 0: remember "오른쪽 무릎이 아파" kind episodic as right
day 0: remember "첫 월급 받아서 부모님께 내복을 사 드렸어" kind episodic as pay
day 1: use pay 3 times
day 5: expect essence of pay in M90 because recalled as essence
day 12: chat 12
day 12: tick
day 12: expect count cliff = 0
day 12: expect pay in M30
day 12: expect essence in M90
day 12: expect recall "아빠 입원" finds "아빠가 병원에"
