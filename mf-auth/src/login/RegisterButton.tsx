import artwork from '@anniversary/shared/campaign/art/register.svg'
import type { Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { useHydrated } from '@anniversary/shared/ui/use-hydrated'
import { texts } from '../texts/login.ts'
import styles from './RegisterButton.module.css'

/** Leads to the configured registration page, else to /megalive. */
export function RegisterButton({ host }: { host: Host }) {
  // Known only in the browser: this page is prerendered for every site.
  const path = useHydrated() && !host.config.registerUrl ? paths.megalive : undefined
  const onClick = () => {
    const { registerUrl } = host.config
    // Only the configured address: an address in this page's own URL would be an open redirect.
    if (registerUrl) location.assign(registerUrl)
    else host.navigate(paths.megalive)
  }
  return (
    <button type="button" className={styles.button} data-path={path} onClick={onClick}>
      <img src={artwork} alt={texts.register} width={320} height={76} decoding="async" />
    </button>
  )
}
