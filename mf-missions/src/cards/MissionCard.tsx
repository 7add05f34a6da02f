import type { ClaimedState, Mission } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { useId } from 'react'
import { texts } from '../texts.ts'
import bet5000 from './art/bet-5000.svg'
import deposit10 from './art/deposit-10.svg'
import deposit300 from './art/deposit-300.svg'
import deposit15000 from './art/deposit-15000.svg'
import depositStreak from './art/deposit-streak.svg'
import share from './art/share.svg'
import styles from './MissionCard.module.css'

/** Pictures of the cards by their place in the list (specification, section 2: index 0-5, each with an image). */
const missionArt: readonly string[] = [deposit300, bet5000, depositStreak, deposit15000, deposit10, share]

const labels: Record<ClaimedState, string> = {
  0: texts.notReached,
  1: texts.done,
  2: texts.claim,
  3: texts.check,
}

export interface MissionCardProps {
  mission: Mission
  /** Place in the list, which decides the picture. */
  index: number
  busy: boolean
  onPress(mission: Mission): void
}

/**
 * One mission as a ticket. Its button is one element in all states, so that the focus survives a claim. On a done card
 * it covers the card and does not look like a button (specification, section 4).
 */
export function MissionCard({ mission, index, busy, onPress }: MissionCardProps) {
  const { id, claimed, name, tickets } = mission
  const nameId = useId()
  return (
    <li className={styles.card} data-ground="paper" data-claimed={claimed}>
      <img src={missionArt[index]} alt="" width={96} height={96} />
      <div>
        <h2 id={nameId}>{name || id}</h2>
        <p>{texts.tickets(tickets)}</p>
      </div>
      <Button
        className={styles.action}
        variant={claimed === 3 ? 'secondary' : 'primary'}
        disabled={claimed === 0}
        busy={busy}
        aria-describedby={nameId}
        onClick={() => onPress(mission)}
      >
        {labels[claimed]}
      </Button>
    </li>
  )
}
