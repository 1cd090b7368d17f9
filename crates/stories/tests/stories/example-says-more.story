# An example that adds nothing to its subject is left out; another one is used if there is one.
day 0: remember "야근" as late
day 0: remember "Pilates!" as pilates
day 1: remember "오늘도 야근" as late
day 1: remember "pilates again" as pilates
day 2: remember "또 야근!" as late
day 2: remember "Pilates made my legs shake" as pilates
day 9: expect "야근 이야기가 3번 나왔다." in M90
day 9: expect "Pilates came up 3 times. Pilates made my legs shake" in M90
day 9: expect no bytes "나왔다. 야근"
