import { useEffect } from 'react'
import styles from './CodesDialog.module.css'

/** Pieces of gold paper and a short vibration. Neither with reduced motion. @param pulse milliseconds, or a pattern of them */
export function Burst({ pulse }: { pulse: number | number[] }) {
  useEffect(() => {
    // Safari has no vibration.
    if ('vibrate' in navigator && matchMedia('(prefers-reduced-motion: no-preference)').matches)
      navigator.vibrate(pulse)
  }, [pulse])
  return <span className={styles.burst} aria-hidden="true" />
}
