# A shared day, friend, tone or ambiguous word does not make a topic.
day 0: remember "오늘 프린터가 고장 났어"
day 0: remember "오늘 할머니 제사야"
day 0: remember "오늘 중고차를 계약했어"
day 0: remember "배가 더부룩해"
day 0: remember "배를 타고 섬에 들어갔어"
day 0: remember "나주 배가 달았어"
day 1: remember "It was raining in the morning"
day 1: remember "I missed the bus in the morning"
day 1: remember "The plumber came in the morning"
day 1: remember "A friend is moving to Spain"
day 1: remember "My friend collects stamps"
day 1: remember "Watched the parade with a friend"
day 11: expect count M90 = 0
