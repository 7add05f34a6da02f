import type { PageProps } from '@anniversary/shared/contract/host'
import { LoginForm } from './login/LoginForm.tsx'

const loadAddressDialog = () =>
  import(/* webpackChunkName: "AddressDialog" */ './address/AddressDialog.tsx').then(
    (module) => module.AddressDialog,
  )

/** /login. It renders whole at once; the address dialog comes only when the login's answer asks for it. */
export default function LoginPage({ host }: PageProps) {
  return <LoginForm host={host} loadAddressDialog={loadAddressDialog} />
}
