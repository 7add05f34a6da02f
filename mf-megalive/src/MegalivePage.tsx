import type { PageProps } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { createElement } from 'react'
import { MegaLive } from './MegaLive.tsx'
import styles from './MegalivePage.module.css'
import { texts } from './texts.ts'

/** /megalive: the registration page of another site, over the whole screen, with the way back to the landing page. */
export default function MegalivePage({ host }: PageProps) {
  return createElement(
    'section',
    { className: styles.page },
    createElement('h1', { className: styles.title, tabIndex: -1 }, texts.pageTitle),
    createElement(MegaLive, {
      src: host.config.megaliveUrl,
      backHref: paths.landing,
      className: styles.embed ?? '',
      onBack: (event) => {
        event.preventDefault()
        host.navigate(paths.landing)
      },
    }),
  )
}
