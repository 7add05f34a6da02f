import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import bottom from './bottom.svg'
import styles from './Layout.module.css'
import frame from './side-frame.svg'
import wordmarkDesktop from './wordmark-desktop.svg'
import wordmarkMobile from './wordmark-mobile.svg'

export interface LayoutProps {
  readonly children: ReactNode
  /** Screens that fill the window and bring their own logo: the landing page and the embedded registration. */
  readonly fullscreen?: boolean
}

const MAIN_ID = 'main'

/**
 * The shared layout of every screen (specification, section 2): side frame, header with the logo, content area. At
 * 1200 px and narrower the mobile logo and an extra picture at the bottom take the frame's place.
 */
export function Layout({ children, fullscreen = false }: LayoutProps) {
  if (fullscreen) {
    return (
      <main id={MAIN_ID} className={styles.fullscreen} tabIndex={-1}>
        {children}
      </main>
    )
  }
  return (
    <div className={styles.layout}>
      <a className={styles.skip} href={`#${MAIN_ID}`}>
        {texts.layout.skip}
      </a>
      {/* Lazy: a picture that the other width hides is not loaded. */}
      <img className={styles.frame} src={frame} alt="" width="200" height="1080" loading="lazy" />
      <img
        className={`${styles.frame} ${styles.mirrored}`}
        src={frame}
        alt=""
        width="200"
        height="1080"
        loading="lazy"
      />
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
      <main id={MAIN_ID} className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <img className={styles.bottom} src={bottom} alt="" width="640" height="160" loading="lazy" />
    </div>
  )
}
