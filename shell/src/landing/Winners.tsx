import type { DrawResult } from '@anniversary/shared/contract/host'
import styles from './Live.module.css'
import { landingTexts as texts } from './texts.ts'

/** The first winner of the last draw: a text that changes by itself distracts. */
export function Winners({ results }: { results: readonly DrawResult[] }) {
  const last = Math.max(0, ...results.map(({ draw }) => draw))
  const result = results.find(({ draw, owners }) => draw === last && owners?.length)
  const owner = result?.owners?.[0]
  if (!owner) return null
  return (
    <p className={styles.winners} data-news="">
      <b translate="no">{owner}</b> {texts.won} <b>{result.prize}</b>
    </p>
  )
}
