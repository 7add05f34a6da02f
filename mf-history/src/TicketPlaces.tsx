import { formatEventTime, shortDay } from '@anniversary/shared/contract/event-time'
import type { Host, ListPlace, Win } from '@anniversary/shared/contract/host'
import styles from './TicketPlaces.module.css'
import { historyTexts as texts } from './texts.ts'

interface TicketPlacesProps {
  readonly host: Host
  readonly prizes: readonly Win[]
  readonly lists: readonly ListPlace[] | undefined
}

/**
 * Whether a prize was handed over, and the codes' numbers in the frozen lists.
 */
export function TicketPlaces({ host, prizes, lists = [] }: TicketPlacesProps) {
  const now = host.clock.now()
  const codes = [...new Set(lists.map(({ code }) => code))]
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
      {codes.map((code) => (
        <small key={code} className={styles.line}>
          {codes.length > 1 && <span translate="no">{code}: </span>}
          {placesText(lists.filter((place) => place.code === code))}
        </small>
      ))}
    </>
  )
}

/** On one line, since a table of history is not high. */
function placesText(places: readonly ListPlace[]): string {
  const [first, ...later] = places.map(({ draw, position }) => ({
    draw,
    position: position.toLocaleString('vi-VN'),
  }))
  if (!first) return ''
  return [texts.place(first), ...later.map(texts.laterPlace)].join(' · ')
}

function deliveryText({ deliveredAt, until }: NonNullable<Win['delivery']>, now: Date): string {
  if (deliveredAt !== null) return texts.delivered(formatEventTime(deliveredAt))
  if (now > new Date(until)) return texts.lapsed
  return texts.claimUntil(shortDay(until))
}
