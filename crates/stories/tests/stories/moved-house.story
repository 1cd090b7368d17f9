# A changed value replaces the old one and is never skipped as expected.
day 0: user "나는 서울에 살아" assistant "서울 어디?"
day 0: expect fact residence = "서울"
day 20: user "나 부산으로 이사했어" assistant "바다 가깝겠다!"
day 20: expect fact residence = "부산"
day 21: restart
day 21: expect fact residence = "부산"
day 21: expect context "주말에 뭐 할까?" holds "부산"
