# Two habits with similar wording stay separate, in M90 and in M365.
day 0..24 every 2: remember "합창 연습을 했어" or "합창단에서 노래했어" or "합창 선생님이 칭찬했어" as choir
day 1..25 every 2: remember "도자기를 빚었어" or "도자기 공방에 갔어" or "도자기 선생님이 칭찬했어" as clay
day 35: expect count M90 = 2
day 35: expect essence of choir in M90 because repeated as choirs
day 35: expect essence of clay in M90 because repeated as clays
day 36: use choirs 5 times
day 36: use clays 5 times
day 70: expect count M365 = 2
day 70: expect "합창 이야기가 13번" in M365
day 70: expect "도자기 이야기가 13번" in M365
