# Different words each time, always about the same person: the third mention is stored, and every later one counts for it.
time zone Asia/Seoul
start 2026-03-02T20:00:00+09:00
day 0: user "외할머니 모시고 안과에 다녀왔어" assistant "고생했네."
day 2: user "외할머니 드리려고 전복죽 끓였어" assistant "좋아하셨겠다."
day 3: user "주말에 베란다 창틀을 닦았어" assistant "깨끗해졌겠네."
day 4: user "외할머니 방에 커튼을 새로 달았어" assistant "환해졌겠다." as grandmother
day 4: expect grandmother in M30
day 6: user "저녁 먹고 외할머니랑 화투를 쳤어" assistant "누가 이겼어?"
day 6: expect count M30 = 1
day 8: user "외할머니 약봉지를 정리했어" assistant "잘했어."
day 15: expect essence of grandmother in M90 because repeated as essence
day 15: expect count M90 = 1
day 15: expect recall "외할머니" finds "5번"
day 15: expect recall "창틀" misses grandmother
