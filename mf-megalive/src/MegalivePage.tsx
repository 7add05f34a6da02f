/// <reference path="./jsx.d.ts" />
import type { PageProps } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { useHydrated } from '@anniversary/shared/ui/use-hydrated'
import { visuallyHidden } from '@anniversary/shared/ui/visually-hidden'
import './mega-live.ts'
import styles from './MegalivePage.module.css'
import { embedTexts } from './texts.ts'

export default function MegalivePage({ host }: PageProps) {
  const hydrated = useHydrated()
  return (
    <section className={styles.page}>
      <h1 className={visuallyHidden} tabIndex={-1}>
        {embedTexts.pageTitle}
      </h1>
      {hydrated ? (
        <mega-live
          src={host.config.megaliveUrl}
          back-href={paths.landing}
          className={styles.embed}
          onmega-live-back={(event) => {
            event.preventDefault()
            host.navigate(paths.landing)
          }}
        />
      ) : (
        // Prerendered HTML is for any site, so it has no address.
        <div className={styles.coming}>
          <a className={styles.back} href={paths.landing}>
            {embedTexts.back}
          </a>
          <p className={styles.loading} role="status">
            {embedTexts.loading}
          </p>
        </div>
      )}
    </section>
  )
}
