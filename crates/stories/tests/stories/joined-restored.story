# Merging and then restoring does not change the number of mentions.
day 0: remember "창고에서 낡은 라디오를 고쳤다"
day 0: remember "The ferry was full of schoolchildren"
day 0: remember "옥상에 상추 모종을 심었다"
day 0: remember "Bought stamps for the postcards"
day 0: remember "지하철에서 시집을 읽었다"
day 0: remember "Found a blue button under the sofa"
day 0: remember "동사무소에서 서류를 뗐다"
day 0: remember "The bakery ran out of rye"
day 0: remember "버스에서 옛 동창을 봤다"
day 0: remember "Swapped the winter tyres"
day 0: remember "민수가 노트북을 빌려갔어" as lent
day 1: remember "민수가 노트북 빌려갔어" as lent
day 9: chat 10
day 10: expect lent on cliff because displaced
day 10: restore lent
day 20: expect no essence of "라디오"
day 20: expect count M90 = 0
