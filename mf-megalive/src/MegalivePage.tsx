import type { PageProps } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { visuallyHidden } from '@anniversary/shared/ui/visually-hidden'
import { createElement, useLayoutEffect, useState } from 'react'
import { MegaLive } from './MegaLive.tsx'
import styles from './MegalivePage.module.css'
import { texts } from './texts.ts'

/** /megalive: the registration page of another site, over the whole screen, with the way back to the landing page. */
export default function MegalivePage({ host }: PageProps) {
  // Absent in the first render: the build makes it into HTML, for any site.
  const [src, setSrc] = useState<string>()
  useLayoutEffect(() => setSrc(host.config.megaliveUrl), [host])
  return createElement(
    'section',
    { className: styles.page },
    // Names the page for those who cannot see it; those who can see the bar and the page itself.
    createElement('h1', { className: visuallyHidden, tabIndex: -1 }, texts.pageTitle),
    src === undefined
      ? createElement(Coming)
      : createElement(MegaLive, {
          src,
          backHref: paths.landing,
          className: styles.embed ?? '',
          onBack: (event) => {
            event.preventDefault()
            host.navigate(paths.landing)
          },
        }),
  )
}

/** What the embed shows while it loads, without its code: the way back works already. */
const Coming = () =>
  createElement(
    'div',
    { className: styles.coming },
    createElement('a', { className: styles.back, href: paths.landing }, texts.back),
    createElement('p', { className: styles.loading, role: 'status' }, texts.loading),
  )
