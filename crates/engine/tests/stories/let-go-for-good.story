# What was known by nothing but what the owner let go is not told while it waits, nor once it is gone.
day 0: user "I live in Thessaloniki" assistant "A lovely city!" as home
day 0: user "My cat is called Pixel" as cat
day 0: expect fact residence = "Thessaloniki"
day 1: forget home
day 1: expect context "where do I live?" lacks "residence: Thessaloniki"
day 9: expect home gone
day 9: expect no fact residence
day 9: expect context "where do I live?" lacks "residence: Thessaloniki"
day 9: expect fact pet = "cat Pixel"
day 9: expect ledger whole
