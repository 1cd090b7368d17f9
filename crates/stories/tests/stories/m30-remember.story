# M30 to M90: explicit requests to remember, in both languages.
day 0: user "치과 예약은 다음 달 둘째 주야. 꼭 기억해 줘" assistant "알겠어, 기억할게." as dentist
day 0: user "Please remember this: the spare laptop is in the blue cabinet" assistant "Got it." as laptop
day 1: remember "우산을 버스에 두고 내렸다" as umbrella
day 4: expect essence of dentist in M90 because remember
day 4: expect essence of laptop in M90 because remember
day 4: expect no essence of umbrella
# A requested memory keeps its time and date, which are its content.
day 5: user "두부 약은 6시에 먹여야 해, 기억해 줘"
day 5: user "엄마 생신은 5월 8일이야. 잊지 말고 기억해 줘"
day 5: expect "기억해 줘" gone
day 11: expect "약은 6시에" in M90 because remember
day 11: expect "생신은 5월 8일" in M90
day 38: expect umbrella gone
day 38: expect recall "치과" finds "치과"
