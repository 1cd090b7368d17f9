# M90 to M365: five recalls within ninety days; four are not enough.
day 0: remember "큰언니 전화번호는 끝이 8842다" tier M90 as sister
day 0: remember "작은형은 수요일마다 야근한다" tier M90 as brother
day 10: use sister 5 times
day 10: use brother 4 times
day 30 23:59: expect no essence of sister
day 31: expect essence of sister in M365 because recalled
day 31: expect no essence of brother
day 59: expect count M365 = 1
day 97: expect brother gone
