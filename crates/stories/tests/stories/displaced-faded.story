# Faded memories that are never recalled: pruning takes the weakest ones, one per cycle in a mind this small.
day 1..12: remember "벽에 걸린 그림 하나" or "서랍 속 나침반" or "창가의 화분 셋" or "오래된 라디오" or "빈 새장" or "낡은 지도" or "은색 호루라기" or "깨진 거울" or "나무 의자" or "파란 양동이" or "짧은 밧줄" or "녹슨 열쇠" pin
day 15: remember "복도 끝 자판기에서 율무차를 뽑았다" importance 0.1 as vending
day 15: remember "골목 어귀에 고장 난 시계탑이 있다" importance 0.12 as tower
day 15: remember "첫 월급으로 산 만년필" tier M365 importance 0.1 as pen
day 29: expect vending alive
day 30: chat 260
day 30: expect vending on cliff because displaced
day 30: expect tower on cliff because displaced
day 30: expect count cliff = 2
# A longer tier is never pruned before its term, however weak the memory is.
day 30: expect pen in M365
day 36: restore vending
day 36: expect vending in M30
# A memory that the owner has just restored is not pruned in the next cycle.
day 36: chat 30
day 36: expect vending alive
day 38: expect tower gone
day 38: expect no bytes "시계탑"
day 38: expect vending alive
day 38: expect ledger whole
