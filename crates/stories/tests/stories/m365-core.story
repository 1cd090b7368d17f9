# M365 to M0: never automatic, however many conditions are met.
day 0: remember "나는 바닷가에서 자랐다" tier M365 as sea
day 1: use sea 12 times
day 80..320 every 80: use sea
day 364: expect sea in M365
day 364: expect count M0 = 0
day 365: expect sea on cliff because expired
day 366: restore sea
day 366: expect sea in M365
day 400: expect count M0 = 0
# A memory that the owner made core stays.
day 400: remember "처음 이름을 불러 준 날" tier M0 as name
day 400: remember "할머니의 편지" pin as letter
day 800: expect name in M0
day 800: expect letter alive
day 800: expect count cliff = 0
