import { paths } from '@anniversary/shared/contract/paths'
import wordmark from '../layout/wordmark-mobile.svg'
import { AppLink } from '../routing/router.tsx'
import { texts } from '../texts.ts'
import gateLogin from './gate-login.svg'
import gateMegalive from './gate-megalive.svg'
import gift from './gift.svg'
import styles from './Landing.module.css'

/** The landing page (specification, section 2): background, logo, two image buttons; on mobile a gift. */
export const Landing = () => (
  <div className={styles.landing}>
    <h1>
      <img
        className={styles.logo}
        src={wordmark}
        alt={texts.layout.logo}
        width="420"
        height="214"
        fetchPriority="high"
      />
    </h1>
    <p className={styles.lead}>{texts.landing.lead}</p>
    <nav className={styles.gates} aria-label={texts.landing.choices}>
      <AppLink to={paths.megalive} className={styles.gate}>
        <img src={gateMegalive} alt={texts.landing.megalive} width="280" height="372" />
      </AppLink>
      <AppLink to={paths.login} className={styles.gate}>
        <img src={gateLogin} alt={texts.landing.login} width="280" height="372" />
      </AppLink>
    </nav>
    <img className={styles.gift} src={gift} alt="" width="240" height="180" loading="lazy" />
  </div>
)
