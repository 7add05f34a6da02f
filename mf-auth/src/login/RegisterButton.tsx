import type { Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { texts } from '../texts/login.ts'
import styles from './RegisterButton.module.css'
import artwork from './register.svg'

/** Leads to the configured registration page, else to /megalive. */
export function RegisterButton({ host }: { host: Host }) {
  const { registerUrl } = host.config
  return (
    <button
      type="button"
      className={styles.button}
      data-path={registerUrl ? undefined : paths.megalive}
      // Only the configured address: an address in this page's own URL would be an open redirect.
      onClick={() => (registerUrl ? location.assign(registerUrl) : host.navigate(paths.megalive))}
    >
      <img src={artwork} alt={texts.register} width={320} height={76} decoding="async" />
    </button>
  )
}
