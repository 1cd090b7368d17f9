# Erasure is immediate and includes the turn the memory was learned from: no waiting period, no restore, no bytes left.
day 0: user "내 사물함 비밀번호는 7731 이야, 꼭 기억해" assistant "기억할게." as code
day 0: remember "마당에 석류나무를 심었다" tier M0 as tree
day 1: expect code in M30
day 1: erase code
day 1: expect code gone
day 1: expect no bytes "7731"
day 1: expect refused restore code
day 2: erase tree
day 2: expect no bytes "석류나무"
day 2: expect count alive = 0
day 2: expect ledger whole
