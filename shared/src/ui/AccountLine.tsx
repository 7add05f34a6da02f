import type { Host } from '../contract/host.ts'
import { uiTexts as texts } from '../texts.ts'
import styles from './AccountLine.module.css'
import { useHydrated } from './use-hydrated.ts'

/** Only the browser knows it: the page is prerendered for every member. */
export function AccountLine({ host }: { host: Host }) {
  const account = useHydrated() && host.session.current()?.username
  if (!account) return <p className={styles.account} />
  return (
    <p className={styles.account}>
      {texts.account} <b translate="no">{account}</b>
    </p>
  )
}
