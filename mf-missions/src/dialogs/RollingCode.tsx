import { useEffect, useRef, useState } from 'react'
import { prefersMotion } from './motion.ts'
import styles from './Ticket.module.css'

/**
 * Milliseconds: the dark before the ticket, the roll, and how long a letter
 * stands.
 */
export const DARK_MS = 700
const ROLL_MS = 1400
const LETTER_MS = 60

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function rolled(code: string, settled: number): string {
  const random = () => LETTERS.charAt(Math.floor(Math.random() * LETTERS.length))
  return code.slice(0, settled) + code.slice(settled).replace(/[^-]/g, random)
}

/** The code itself is there from the start, for screen readers. */
export function RollingCode({ code }: { code: string }) {
  const drum = useRef<HTMLSpanElement>(null)
  const [isRolling, setRolling] = useState(prefersMotion)
  useEffect(() => {
    if (!isRolling) return
    const start = performance.now() + DARK_MS
    const timer = setInterval(() => {
      const share = Math.max(0, performance.now() - start) / ROLL_MS
      if (share >= 1) setRolling(false)
      else if (drum.current)
        drum.current.textContent = rolled(code, Math.floor(share * code.length))
    }, LETTER_MS)
    return () => clearInterval(timer)
  }, [code, isRolling])
  return (
    <>
      <span data-rolling={isRolling || undefined}>{code}</span>
      {isRolling && <span ref={drum} className={styles.drum} aria-hidden="true" />}
    </>
  )
}
