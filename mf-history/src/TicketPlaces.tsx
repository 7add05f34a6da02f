import { formatEventTime } from '@anniversary/shared/contract/event-time'
import type { Host, ListPlace, Win } from '@anniversary/shared/contract/host'
import styles from './TicketPlaces.module.css'
import { historyTexts as texts } from './texts.ts'

interface TicketPlacesProps {
  readonly host: Host
  readonly prizes: readonly Win[]
  readonly lists: readonly ListPlace[]
}

/** Whether a prize was handed over, and the numbers of codes in the frozen lists of the draws. */
export function TicketPlaces({ host, prizes, lists }: TicketPlacesProps) {
  const now = host.clock.now()
  const hasManyCodes = new Set(lists.map(({ code }) => code)).size > 1
  return (
    <>
      {prizes.map(
        ({ code, delivery }) =>
          delivery && (
            <small key={code} className={styles.line}>
              {deliveryText(delivery, now)}
            </small>
          ),
      )}
      {lists.map(({ code, draw, position }) => (
        <small key={`${code} ${draw}`} className={styles.line}>
          {hasManyCodes && <span translate="no">{code}: </span>}
          {texts.place(draw, position.toLocaleString('vi-VN'))}
        </small>
      ))}
    </>
  )
}

function deliveryText({ deliveredAt, until }: NonNullable<Win['delivery']>, now: Date): string {
  if (deliveredAt !== null) return texts.delivered(formatEventTime(deliveredAt))
  if (now > new Date(until)) return texts.lapsed
  return texts.claimUntil(formatEventTime(until))
}
