import { Button } from '@anniversary/shared/ui/Button'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './Notice.module.css'

/**
 * Holds the banners. The live region exists before their texts, or screen
 * readers would miss them.
 */
export function Banners({ children }: { readonly children?: ReactNode }) {
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => keepClear(region.current), [])
  return (
    <div ref={region} className={styles.region} role="status">
      {children}
    </div>
  )
}

/**
 * Lets members scroll the end of the page, and what has the focus, above the
 * banners. Returns a function that ends it.
 */
function keepClear(region: HTMLElement | null): (() => void) | undefined {
  if (!region) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    const height = region.offsetHeight > 0 ? `${region.offsetHeight}px` : ''
    style.paddingBottom = height
    style.scrollPaddingBottom = height
  })
  observer.observe(region)
  return () => observer.disconnect()
}

interface BannerProps {
  readonly text: string
  readonly label: string
  readonly busy?: boolean
  onPress(): void
}

export const Banner = ({ text, label, busy, onPress }: BannerProps) => (
  <div className={styles.banner}>
    <span>{text}</span>
    <Button variant="secondary" busy={busy} onClick={onPress}>
      {label}
    </Button>
  </div>
)
