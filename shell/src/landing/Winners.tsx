import type { DrawResult } from '@anniversary/shared/contract/host'
import { useEffect, useState } from 'react'
import styles from './Live.module.css'
import { landingTexts as texts } from './texts.ts'

const EVERY_MS = 6000
/** So that the page comes to rest. */
const MOST = 10

function winnersOfDraw(results: readonly DrawResult[]) {
  const last = Math.max(0, ...results.map(({ draw }) => draw))
  return results
    .filter(({ draw }) => draw === last)
    .flatMap(({ prize, owners = [] }) => owners.map((owner) => ({ owner, prize })))
    .slice(0, MOST)
}

export function Winners({ results }: { results: readonly DrawResult[] }) {
  const winners = winnersOfDraw(results)
  const [place, setPlace] = useState(0)
  const isLast = place >= winners.length - 1
  useEffect(() => {
    if (isLast) return
    const timer = setTimeout(() => setPlace(place + 1), EVERY_MS)
    return () => clearTimeout(timer)
  }, [place, isLast])
  const winner = winners[place]
  if (!winner) return null
  return (
    <p className={styles.winners} data-news="">
      {/* A new element each time, so that it fades in. */}
      <span key={place}>
        <b translate="no">{winner.owner}</b> {texts.won} <b>{winner.prize}</b>
      </span>
    </p>
  )
}
