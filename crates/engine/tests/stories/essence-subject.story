# What nearly all of them hold is named, and no single telling is said to have come up again and again.
day 0..27: remember "Played tennis with Jo" or "Lost at tennis" or "Hurt my head at tennis" or "New strings for my tennis racket" or "Tennis was rained off" as tennis
day 35: expect "Tennis came up 28 times" in M90
day 35: expect count M90 = 1
