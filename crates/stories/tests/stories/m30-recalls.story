# M30 to M90: three recalls; two are not enough.
day 0: remember "지하실 열쇠는 신발장 위에 있다" as key
day 0: remember "우산은 현관 옆 통에 있다" as umbrella
day 1: use key 3 times
day 1: use umbrella 2 times
day 4: expect essence of key in M90 because recalled
day 4: expect key in M30
day 4: expect no essence of umbrella
# Nothing is promoted twice.
day 11: expect count M90 = 1
