import wordmarkDesktop from '@anniversary/shared/campaign/art/wordmark-desktop.svg'
import wordmarkMobile from '@anniversary/shared/campaign/art/wordmark-mobile.svg'
import { IDS } from '@anniversary/shared/contract/page-names'
import { type ReactNode, useEffect, useState } from 'react'
import { texts } from '../texts.ts'
import { whenIdle } from '../when-idle.ts'
import styles from './Layout.module.css'

interface LayoutProps {
  readonly children: ReactNode
  /** Screens that fill the window and bring their own logo: the landing page and the embedded registration. */
  readonly fullscreen?: boolean | undefined
  /** The layout follows a move: it shows its ornament immediately. */
  readonly isMove?: boolean
}

/** The shared layout of every screen (specification, section 2). The ornament comes when the browser is idle. */
export function Layout({ children, fullscreen = false, isMove = false }: LayoutProps) {
  const decorated = useIdle() || isMove
  if (fullscreen) {
    return (
      <main
        id={IDS.main}
        className={styles.fullscreen}
        tabIndex={-1}
        data-decorated={decorated ? '' : undefined}
      >
        {children}
      </main>
    )
  }
  return (
    <div className={styles.layout}>
      <a className={styles.skip} href={`#${IDS.main}`}>
        {texts.layout.skip}
      </a>
      <header className={styles.header}>
        <picture>
          <source media="(max-width: 1200px)" srcSet={wordmarkMobile} width="420" height="214" />
          <img
            className={styles.logo}
            src={wordmarkDesktop}
            alt={texts.layout.logo}
            width="760"
            height="124"
          />
        </picture>
      </header>
      <main id={IDS.main} className={styles.main} tabIndex={-1}>
        {children}
      </main>
      {decorated && <div className={styles.ornament} data-still={isMove ? '' : undefined} />}
    </div>
  )
}

function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    whenIdle(() => setIdle(true))
  }, [])
  return idle
}
