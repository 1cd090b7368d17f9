# Into M30: which messages of a conversation are admitted, and which are not.
day 0: user "나는 땅콩 알레르기가 있어" assistant "조심할게." as nuts
day 0: user "다음 주 금요일에 면접 보기로 했어, 너무 떨려!" as interview
day 0: expect nuts in M30
day 0: expect interview in M30
day 0: expect fact allergy = "땅콩"
day 1: user "안녕" assistant "안녕!"
day 1: user "ㅋㅋㅋㅋ"
day 1: expect count M30 = 2
# A repetition creates nothing new, and being shown is not a recall.
day 2: user "나 땅콩 알레르기 있잖아"
day 2: expect count M30 = 2
day 2: expect recall "견과류 알레르기" finds nuts
day 2: expect context "간식 뭐 먹지?" holds "땅콩"
day 2: expect nuts recalled = 0
day 2: recall "땅콩 알레르기"
day 2: expect nuts recalled = 1
