# A visited place is a topic under every form of its name; a city that only says where a person lives or which office it is, is
# not.
time zone Asia/Seoul
start 2026-03-02T20:00:00+09:00
day 0: user "제주도 항공권을 끊었어"
day 0: user "Tried the pancakes in Osaka"
day 0: user "부산 지사에서 서류가 왔어"
day 0: user "My aunt in Oslo broke her wrist"
day 2: user "제주에서 갈치조림을 먹었어"
day 2: user "Took the night bus to Osaka"
day 2: user "부산 사는 이모가 김치를 보냈어"
day 2: user "The Oslo office lost our invoice"
day 4: user "제주 오름에 올라갔다 왔어" as jeju
day 4: user "Osaka was packed with students" as osaka
day 4: user "부산 사투리를 쓰는 신입이 왔어"
day 4: user "A parcel from Oslo got stuck at customs"
day 14: expect essence of jeju in M90 because repeated
day 14: expect essence of osaka in M90 because repeated
day 14: expect recall "제주" finds "3번"
day 14: expect count M90 = 2
