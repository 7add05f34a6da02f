import { nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { Host } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { useState } from 'react'
import styles from './OwnCodes.module.css'
import { texts } from './texts.ts'

/** The member's codes from a stage's end to the end of its draw, to compare with those of the show. */
export function OwnCodes({ host, codes }: { host: Host; codes: readonly string[] }) {
  // As when the page was opened: a draw that begins or ends moves nothing.
  const [isDrawNext] = useState(() => nextMoment(host.clock.now())?.kind.startsWith('draw'))
  if (!isDrawNext || codes.length === 0) return null
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
