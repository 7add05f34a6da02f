import bet5000 from './art/bet-5000.svg'
import deposit10 from './art/deposit-10.svg'
import deposit300 from './art/deposit-300.svg'
import deposit15000 from './art/deposit-15000.svg'
import depositStreak from './art/deposit-streak.svg'
import share from './art/share.svg'

/** Pictures of the cards by their place in the list (specification, section 2: index 0-5, each with an image). */
export const missionArt: readonly string[] = [
  deposit300,
  bet5000,
  depositStreak,
  deposit15000,
  deposit10,
  share,
]
