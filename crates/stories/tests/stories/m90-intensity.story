# M90 to M365: an intensity above 0.8 with several emotions; one of the two conditions is not enough.
day 0: remember "아버지가 수술실에서 웃으며 나오셨다" tier M90 emotions joy,fear intensity 0.81 as father
day 0: remember "바다에서 일출을 보며 울었다" tier M90 emotions joy intensity 0.95 as sunrise
day 0: remember "이사하던 날 빈 방을 오래 바라봤다" tier M90 emotions sadness,anxiety intensity 0.8 as room
day 31: expect essence of father in M365 because moved
day 31: expect no essence of sunrise
day 31: expect no essence of room
