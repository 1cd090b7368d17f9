# A request to remember, made while the clock was behind, is promoted exactly once, even if the next check is late.
day 0: remember "Ordinary thing"
day 0: clock behind 20000 days
day 0: user "My dentist is Dr Krane. Remember this" as dentist
day 0: clock ahead 3650 days
day 0: tick
day 0: clock right
day 1: expect count M90 <= 1
day 12: expect essence of dentist in M90
day 12: expect count M90 = 1
