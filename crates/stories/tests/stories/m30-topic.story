# M30 to M90: the same topic three times; twice is not enough.
day 0: remember "동네 카페에서 라떼를 마셨어" as cafe
day 1: remember "퇴근하고 동네 카페에 들렀어" as cafe
day 1: remember "할머니께 편지를 썼어" as letter
day 2: remember "할머니께 편지가 왔어" as letter
day 4: expect no essence of cafe
day 6: remember "카페에서 라떼 마시면서 책을 읽었어" as cafe
day 10 23:59: expect no essence of cafe
day 11: expect essence of cafe in M90 because repeated
day 11: expect count M90 = 1
day 11: expect no essence of letter
# The originals keep their own terms; the essence stays.
day 44: expect cafe gone
day 44: expect "카페" in M90
day 100: expect "카페" in M90
day 101: expect "카페" on cliff because expired
