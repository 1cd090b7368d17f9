# 이사했다는 기억을 놓아주어도 옛집으로 되돌아가지는 않는다.
time zone Asia/Seoul
start 2026-03-02T08:00:00+09:00
day 0: user "나는 서울에 살아"
day 3: user "나 지난주에 부산으로 이사했어. 이제 부산에 살아" as move
day 3: expect fact residence = "부산"
day 4: forget move
day 13: expect move gone
day 13: expect no fact residence
day 14: user "나 이제 제주에 살아"
day 14: expect fact residence = "제주"
