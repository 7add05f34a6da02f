import { nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { Host } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { useEventTime } from '@anniversary/shared/ui/use-event-time'
import styles from './OwnCodes.module.css'
import { texts } from './texts.ts'

/** The member's codes on a draw's evening, to compare with those of the show. */
export function OwnCodes({ host, codes }: { host: Host; codes: readonly string[] }) {
  const moment = nextMoment(useEventTime(host.clock))
  if (moment?.kind !== 'draw-end' || codes.length === 0) return null
  return (
    <section className={styles.own}>
      <h2>{texts.ownCodes(codes.length)}</h2>
      <Button variant="link" onClick={() => copyText(codes.join(', '), texts.codeCopied, host.notify)}>
        {texts.copyAll}
      </Button>
      <ul translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </section>
  )
}
