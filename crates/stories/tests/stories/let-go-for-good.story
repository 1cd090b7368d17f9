# A fact that rests only on a forgotten memory is not shown while the memory is on the cliff, nor after it is purged.
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
