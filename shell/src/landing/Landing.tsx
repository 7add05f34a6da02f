import gateLogin from '@anniversary/shared/campaign/art/gate-login.svg'
import gateMegalive from '@anniversary/shared/campaign/art/gate-megalive.svg'
import wordmark from '@anniversary/shared/campaign/art/wordmark-mobile.svg'
import type { Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { useChunk } from '@anniversary/shared/ui/use-chunk'
import { useState, useSyncExternalStore } from 'react'
import styles from './Landing.module.css'
import { Stage } from './Stage.tsx'
import { landingTexts as texts } from './texts.ts'

const loadLive = () => import(/* webpackChunkName: "live" */ './Live.tsx')

/** In the HTML of everybody nobody is known. */
const NO_SESSION = { subscribe: () => () => undefined, current: () => null }

/**
 * The landing page (specification, section 2). What depends on the time comes
 * after the first paint, as does all motion.
 * @param host absent in the HTML of build time
 */
export function Landing({ host }: { host?: Host }) {
  const [clock, setClock] = useState<HTMLElement | null>(null)
  const { subscribe, current } = host?.session ?? NO_SESSION
  const member = useSyncExternalStore(subscribe, current, NO_SESSION.current)
  // Without this chunk the page is complete but static.
  const live = useChunk(loadLive, true)
  return (
    <div className={styles.landing} data-live={live ? '' : undefined}>
      <div className={styles.hero}>
        <div className={styles.lantern} />
        <div className={styles.lantern} />
        <h1 className={styles.title} tabIndex={-1}>
          <img src={wordmark} alt={texts.logo} width="420" height="214" />
        </h1>
        <Stage member={member?.username} clockRef={setClock} />
        <nav className={styles.gates} aria-label={texts.choices}>
          <a href={paths.megalive} className={styles.gate}>
            <img src={gateMegalive} alt={texts.megalive} width="280" height="372" />
            <div className={styles.balls} />
          </a>
          <a href={paths.login} className={styles.gate}>
            <img src={gateLogin} alt={texts.login} width="280" height="372" />
          </a>
        </nav>
        <div className={styles.gift} />
      </div>
      {live && host && <live.Live host={host} clock={clock} />}
    </div>
  )
}
