import type { ClaimedState, Mission, Progress } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { useKeptFocus } from '@anniversary/shared/ui/use-kept-focus'
import { memo, useId, useLayoutEffect, useRef } from 'react'
import { missionTexts as texts } from '../texts.ts'
import styles from './MissionCard.module.css'
import { missionArtOf } from './mission-art.ts'

/**
 * Whole numbers, rounded down: what is not reached never looks reached. The
 * first `toLocaleString` would take a slow phone 20 ms before the first mission
 * shows.
 */
const amount = (value: number) => String(Math.floor(value)).replace(/\B(?=(\d{3})+$)/g, '.')

const unitOf = ({ kind }: Progress) => texts.units[kind] ?? ''
const progressText = (progress: Progress) =>
  `${amount(progress.value)} / ${amount(progress.goal)} ${unitOf(progress)}`
const spokenProgress = (progress: Progress) =>
  texts.reached(amount(progress.value), amount(progress.goal), unitOf(progress))

const labels: Record<ClaimedState, string> = {
  0: texts.notReached,
  1: texts.done,
  2: texts.claim,
  3: texts.check,
}

interface MissionCardProps {
  mission: Mission
  index: number
  busy: boolean
  /** Its new ticket is on the way: the stamp is not there yet. */
  isLanding: boolean
  notice?: string | undefined
  onPress(mission: Mission): void
}

/**
 * One button element in all states, so that the focus survives a claim. The
 * list renders each second.
 */
export const MissionCard = memo(function MissionCard({
  mission,
  index,
  busy,
  isLanding,
  notice,
  onPress,
}: MissionCardProps) {
  const { id, claimed, name, tickets, progress } = mission
  // What is reached needs no count.
  const counted = [0, 3].includes(claimed) ? progress : undefined
  const item = useKeptFocus<HTMLLIElement>()
  const nameId = useId()
  const labelId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    // A disabled button loses the focus.
    if (claimed === 0 && document.activeElement?.id === labelId) heading.current?.focus()
  }, [claimed, labelId])
  return (
    <li
      ref={item}
      id={id}
      className={styles.card}
      data-ground="paper"
      data-claimed={claimed}
      data-landing={isLanding || undefined}
    >
      <img src={missionArtOf(id, index)} alt="" width={96} height={96} />
      <div>
        <h2 id={nameId} ref={heading} tabIndex={-1}>
          {name || id}
        </h2>
        <div className={styles.about}>
          <p>
            {texts.tickets(tickets)}
            {counted && ` · ${progressText(counted)}`}
          </p>
          {counted && (
            <progress
              max={counted.goal}
              value={counted.value}
              aria-labelledby={nameId}
              aria-valuetext={spokenProgress(counted)}
            />
          )}
          {/* Over the text, so that no card grows and moves another. */}
          <p className={styles.notice} role="status">
            {notice}
          </p>
        </div>
      </div>
      <Button
        id={labelId}
        className={styles.action}
        variant={claimed === 3 ? 'secondary' : 'primary'}
        disabled={claimed === 0}
        busy={busy}
        aria-labelledby={`${labelId} ${nameId}`}
        onClick={() => onPress(mission)}
      >
        {labels[claimed]}
      </Button>
    </li>
  )
})
