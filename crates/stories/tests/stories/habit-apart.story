# A similar tone does not make a habit: messages about different subjects stay separate, and unusual days are kept individually.
time zone Asia/Seoul
start 2026-03-02T08:00:00+09:00
day 0: user "빨래 돌렸어"
day 1: user "심심해"
day 2: user "장 봐 왔어"
day 3: user "일어났어"
day 4: user "화분에 물 줬어"
day 5: user "커튼 고장 났어"
day 6: expect count alive = 0
day 7: user "엄마랑 도서관에서 연을 날렸는데, 너무 행복해서 눈물이 났어!" as kite
day 8: user "은지랑 바닷가에서 조개를 주웠는데, 너무 행복해서 눈물이 났어!" as shells
day 9: user "동생이랑 뒷산에서 별을 봤는데, 너무 행복해서 눈물이 났어!" as stars
day 10: user "지아랑 시장에서 붕어빵을 먹었는데, 너무 행복해서 눈물이 났어!" as bread
day 11: expect count alive = 4
# A question about it does not count as another mention.
day 20: user "퇴근하고 동네 카페에 들렀어"
day 21: user "내가 자주 가는 카페가 어디였지?"
day 22: user "지난번에 말한 카페 이름 기억나?"
day 23: user "카페에서 라떼 마시고 왔어"
day 24: expect count M30 = 4
day 25: user "점심 먹고 카페 갔다 왔어" as cafe
day 25: expect count M30 = 5
