import wordmarkDesktop from '@anniversary/shared/campaign/art/wordmark-desktop.svg'
import wordmarkMobile from '@anniversary/shared/campaign/art/wordmark-mobile.svg'
import type { Route } from '@anniversary/shared/contract/composition'
import { IDS, VIEW_MARK } from '@anniversary/shared/contract/page-names'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { shellTexts as texts } from '../texts.ts'
import { whenIdle } from '../when-idle.ts'
import { focusPageHeading } from './focus-page-heading.ts'
import styles from './Layout.module.css'

interface PageFrameProps {
  readonly path: string
  readonly route: Pick<Route, 'title' | 'fullscreen'> | undefined
  /** Unset for the loaded page, whose focus and scroll position stay. */
  onMove?(): void
  readonly children: ReactNode
}

/**
 * Title and layout of a page. A layout unmounts together with its page when the
 * next page has another one.
 */
export function PageFrame({ path, route, onMove, children }: PageFrameProps) {
  usePageChange(path, route?.title, onMove)
  return (
    <Layout fullscreen={route?.fullscreen} isMove={onMove !== undefined}>
      {children}
    </Layout>
  )
}

interface LayoutProps {
  readonly children: ReactNode
  readonly fullscreen?: boolean | undefined
  readonly isMove?: boolean
}

/** Specification, section 2. The ornament comes when the browser is idle. */
export function Layout({ children, fullscreen = false, isMove = false }: LayoutProps) {
  const decorated = useIdle() || isMove
  if (fullscreen) {
    return (
      <main
        id={IDS.mainContent}
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
      <a className={styles.skip} href={`#${IDS.mainContent}`}>
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
      <main id={IDS.mainContent} className={styles.main} tabIndex={-1}>
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

/**
 * Does for a move what a page load does: sets the title, scrolls to the top and
 * focuses the content.
 */
function usePageChange(path: string, title: string | undefined, onMove?: () => void): void {
  const shown = useRef(onMove ? undefined : path)
  // Before the page's own mark. jsdom has no marks.
  useLayoutEffect(() => void performance.mark?.(VIEW_MARK, { detail: path }), [path])
  useEffect(() => {
    document.title = title ? `${title} · ${texts.siteName}` : texts.siteName
  }, [title])
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    onMove?.()
    // A remote's scroll lock would affect all later pages.
    document.body.removeAttribute('style')
    window.scrollTo(0, 0)
    focusPageHeading()
  }, [path, onMove])
}
