# M30 to M90: the same statement three times counts as three mentions, in both languages.
day 0: user "나는 빵집에서 일해" assistant "그렇구나" as bakery
day 1: user "우리 강아지 이름은 두부야" assistant "귀엽다" as dog
day 5: user "나 빵집에서 일하잖아" assistant "맞아"
day 10 23:59: expect no essence of bakery
day 11: user "나는 빵집에서 일해" assistant "응"
day 18: expect essence of bakery in M90 because repeated
day 18: expect no essence of dog
day 40: user "나는 빵집에서 일해" assistant "응, 알아"
day 45: expect "빵집" in M90
day 50: user "My sister's name is Julia" assistant "Nice" as sister
day 56: user "my sister is called Julia" assistant "Right"
day 62: user "My sister's name is Julia" assistant "I know"
day 67: expect essence of sister in M90 because repeated
# A mention within the essence's term starts a new term; without one it expires.
day 120: user "나는 빵집에서 일해" assistant "응, 알지"
day 200: expect "빵집" in M90
day 220: expect "빵집" gone
