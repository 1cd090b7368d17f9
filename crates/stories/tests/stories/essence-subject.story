# The essence names the subject that nearly all mentions share; a single mention is never reported as the repeated topic.
day 0..27: remember "Played tennis with Jo" or "Lost at tennis" or "Hurt my head at tennis" or "New strings for my tennis racket" or "Tennis was rained off" as tennis
day 35: expect "Tennis came up 28 times" in M90
day 35: expect count M90 = 1
