import bet5000 from '@anniversary/shared/art/missions/bet-5000.svg'
import deposit10 from '@anniversary/shared/art/missions/deposit-10.svg'
import deposit300 from '@anniversary/shared/art/missions/deposit-300.svg'
import deposit15000 from '@anniversary/shared/art/missions/deposit-15000.svg'
import depositStreak from '@anniversary/shared/art/missions/deposit-streak.svg'
import share from '@anniversary/shared/art/missions/share.svg'

/** Pictures of the cards by their place in the list (specification, section 2: index 0-5, each with an image). */
export const missionArt: readonly string[] = [
  deposit300,
  bet5000,
  depositStreak,
  deposit15000,
  deposit10,
  share,
]
