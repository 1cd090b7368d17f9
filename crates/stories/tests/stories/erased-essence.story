# Erasing a memory also erases it from its essences: no byte of it remains.
day 0: remember "지하실 금고 번호는 4417이고 너무 무서웠다" emotions fear intensity 0.9 as safe
day 0: remember "The spare key hangs behind the lilac picture" emotions joy,fear intensity 0.95 as key
day 11: expect essence of safe in M90 because moved
day 32: expect essence of key in M365 because moved
day 32: restore safe
day 32: erase safe
day 32: expect no bytes "4417"
day 32: expect no bytes "금고"
day 33: restore key
day 33: erase key
day 33: expect no bytes "lilac"
day 33: expect count alive = 0
# All three originals are erased.
day 40: remember "동네 카페에서 라떼를 마셨어" as cafe
day 41: remember "퇴근하고 동네 카페에 들렀어" as cafe
day 42: remember "카페에서 라떼 마시면서 책을 읽었어" as cafe
day 46: expect essence of cafe in M90 because repeated
day 46: erase cafe
day 46: expect no bytes "카페"
# One of three originals is erased: the essence is rewritten from the others.
day 50: remember "강아지 두부랑 호숫가를 산책했어" as first
day 51: remember "강아지 두부가 호숫가에서 헤엄을 쳤어" as second
day 52: remember "강아지 두부랑 산책하다가 은목걸이를 주웠어" as third
day 53: expect essence of first second third in M90 because repeated as walks
day 53: erase first
day 53: expect no bytes "호숫가를 산책"
day 53: expect walks in M90
day 53: erase third
day 53: expect no bytes "은목걸이"
day 53: expect walks in M90
day 53: erase second
day 53: expect no bytes "두부"
day 53: expect count alive = 0
day 53: expect ledger whole
