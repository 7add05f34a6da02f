import { formatEventTime, shortDay } from '@anniversary/shared/contract/event-time'
import type { Host, ListPlace, Win } from '@anniversary/shared/contract/host'
import { RetryButton } from '@anniversary/shared/ui/RetryButton'
import styles from './TicketPlaces.module.css'
import { historyTexts as texts } from './texts.ts'
import type { Exchange } from './use-history.ts'

interface TicketPlacesProps {
  readonly host: Host
  readonly prizes: readonly Win[]
  readonly lists: readonly ListPlace[] | undefined
  readonly voided: readonly string[] | undefined
  readonly exchange: Exchange
}

/**
 * Whether a prize was handed over, the button that exchanges gift codes, void
 * codes, and the codes' numbers in the frozen lists.
 */
export function TicketPlaces({
  host,
  prizes,
  lists = [],
  voided = [],
  exchange,
}: TicketPlacesProps) {
  const now = host.clock.now()
  const codes = [...new Set(lists.map(({ code }) => code))]
  return (
    <>
      {prizes.map((win) => (
        <small key={win.code} className={styles.line}>
          {deliveryText(win, now)}
        </small>
      ))}
      {prizes.some((win) => canExchange(win, now)) && (
        <RetryButton onClick={exchange.run} busy={exchange.busy}>
          {texts.exchange}
        </RetryButton>
      )}
      {voided.map((code) => (
        <small key={code} className={styles.line}>
          <span translate="no">{code}</span>: {texts.voided}
        </small>
      ))}
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

const canExchange = ({ isGiftcode, delivery }: Win, now: Date) =>
  isGiftcode && delivery?.deliveredAt === null && now <= new Date(delivery.until)

function deliveryText({ isGiftcode, delivery }: Win, now: Date): string {
  if (!delivery) return ''
  const { deliveredAt, until } = delivery
  const [done, open] = isGiftcode
    ? [texts.exchanged, texts.exchangeUntil]
    : [texts.delivered, texts.claimUntil]
  if (deliveredAt !== null) return done(formatEventTime(deliveredAt))
  if (now > new Date(until)) return texts.lapsed
  return open(shortDay(until))
}
