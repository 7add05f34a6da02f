import type { ClaimedState, Mission } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { visuallyHidden } from '@anniversary/shared/ui/VisuallyHidden'
import { useId } from 'react'
import styles from './MissionCard.module.css'
import { missionArt } from './mission-art.ts'
import { texts } from './texts.ts'

const labels: Record<ClaimedState, string> = {
  0: texts.notReached,
  1: texts.done,
  2: texts.claim,
  3: texts.check,
}

export interface MissionCardProps {
  mission: Mission
  /** Place in the list: it chooses the picture. */
  index: number
  /** This card's claim is under way. */
  busy: boolean
  /** Another card's claim is under way. */
  locked: boolean
  onPress(mission: Mission): void
}

/** One mission as a ticket. It has one button in every state, so that the keyboard focus survives a claim. */
export const MissionCard = ({ mission, index, busy, locked, onPress }: MissionCardProps) => {
  const { claimed, name, tickets } = mission
  const nameId = useId()
  const done = claimed === 1
  return (
    <li className={styles.card} data-ground="paper" data-claimed={claimed} aria-busy={busy || undefined}>
      <img className={styles.art} src={missionArt[index]} alt="" width={96} height={96} />
      <div className={styles.words}>
        <h2 id={nameId} className={styles.name}>
          {name}
        </h2>
        <p className={styles.reward}>{texts.ticketCount(tickets)}</p>
      </div>
      <Button
        className={done ? styles.done : styles.action}
        variant={claimed === 3 ? 'secondary' : 'primary'}
        disabled={claimed === 0}
        busy={busy}
        aria-describedby={nameId}
        aria-disabled={busy || (locked && !done) || undefined}
        onClick={() => onPress(mission)}
      >
        {labels[claimed]}
        {done && <span className={visuallyHidden}>, {texts.showCodes}</span>}
      </Button>
    </li>
  )
}
