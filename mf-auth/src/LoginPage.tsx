import artwork from '@anniversary/shared/campaign/art/register.svg'
import type { PageProps } from '@anniversary/shared/contract/host'
import { ATTRIBUTES, LAST_ACCOUNT_KEY } from '@anniversary/shared/contract/page-names'
import { paths } from '@anniversary/shared/contract/paths'
import { accountName } from '@anniversary/shared/readers/visible-text'
import { afterPaint } from '@anniversary/shared/ui/after-paint'
import { Button } from '@anniversary/shared/ui/Button'
import { Panel } from '@anniversary/shared/ui/Panel'
import { SupportLink } from '@anniversary/shared/ui/SupportLink'
import { TextField } from '@anniversary/shared/ui/TextField'
import { attemptStorage } from '@anniversary/shared/ui/tab-storage'
import { useHydrated } from '@anniversary/shared/ui/use-hydrated'
import {
  type FormEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import styles from './LoginPage.module.css'
import { DigitBoxes, digitsIn } from './login/DigitBoxes.tsx'
import { useLogin } from './login/use-login.ts'
import { type Problem, validateLogin } from './login/validate-login.ts'
import { loginTexts as texts } from './texts/login.ts'

export default function LoginPage({ host }: PageProps) {
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const { step, addressForm, submit, enter, backToForm } = useLogin(host)
  // The page is prerendered for every site, so only the browser knows the
  // configuration.
  const hydrated = useHydrated()
  const isBusy = ['sending', 'address'].includes(step.name)
  const { problem: failure } = step.name === 'form' ? step : {}
  // Not the session that a login begins: the way to /home changes no more than
  // the button.
  const known = useMemo(() => (hydrated ? host.session.current() : undefined), [hydrated, host])
  // Another tab may log out, also while the back-forward cache keeps this page.
  const session = useSyncExternalStore(host.session.subscribe, host.session.current, () => null)
  const greeted = known && session

  // After the message is in the page, so that screen readers read it with the
  // field.
  useLayoutEffect(() => {
    if (!problem) return
    const field = form.current?.querySelector<HTMLInputElement>('[aria-invalid]')
    // A field that has the focus already is not read again.
    host.notify.error(problem.text, { silent: field !== document.activeElement })
    field?.focus()
  }, [problem, host])

  // The member may have filled the field before the code ran.
  useEffect(() => {
    const field = form.current?.querySelector<HTMLInputElement>('#username')
    const last = attemptStorage(() => localStorage.getItem(LAST_ACCOUNT_KEY))
    if (last && field?.value === '') field.value = last
  }, [])

  const register = () => {
    const { registerUrl } = host.config
    // An address in this page's own URL would be an open redirect.
    if (registerUrl) location.assign(registerUrl)
    else host.navigate(paths.megalive)
  }

  const edited = () => {
    setProblem(null)
    if (failure || step.name === 'entering') backToForm()
  }

  const onDigits = (refused?: number) => {
    edited()
    if (refused !== undefined) setProblem({ field: 'digits', text: texts.digitsOnly, box: refused })
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const username = accountName(String(new FormData(event.currentTarget).get('username')))
    const digits = digitsIn(event.currentTarget)
    const found = validateLogin(username, digits)
    if (found) return afterPaint(() => setProblem(found))
    setProblem(null)
    submit({ username, lastBankNumber: digits.join('') })
  }

  return (
    <div className={styles.login}>
      <Panel className={styles.panel}>
        <h1 tabIndex={-1}>{texts.title}</h1>
        {/* In everybody's HTML: the first script knows before the first paint whether there is a session. */}
        <div className={styles.known} data-shown={hydrated ? Boolean(greeted) : undefined}>
          <p>
            {texts.known} <b translate="no">{greeted?.username}</b>
          </p>
          <Button variant="secondary" href={paths.home}>
            {texts.enter}
          </Button>
        </div>
        <form ref={form} className={styles.form} onSubmit={onSubmit} noValidate>
          <TextField
            label={texts.account}
            id="username"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={64}
            error={problem?.field === 'account' ? problem.text : undefined}
            onInput={edited}
          />
          <DigitBoxes onEdit={onDigits} error={problem?.field === 'digits' ? problem : undefined} />
          {/* A toast has announced it. */}
          {failure && <p className={styles.message}>{failure.text}</p>}
          {hydrated && (
            <div className={styles.advice} role="status">
              {failure?.advice && <p>{failure.advice}</p>}
              {failure?.isForSupport && <SupportLink url={host.config.supportUrl} />}
            </div>
          )}
          <Button type="submit" className={styles.submit} busy={isBusy}>
            {step.name === 'entering' ? texts.hello(step.username) : texts.submit}
          </Button>
        </form>
        <div className={styles.register}>
          <button
            type="button"
            className={styles.button}
            {...{
              [ATTRIBUTES.routePath]:
                hydrated && !host.config.registerUrl ? paths.megalive : undefined,
            }}
            onClick={register}
          >
            <img src={artwork} alt={texts.register} width={320} height={76} decoding="async" />
          </button>
        </div>
      </Panel>
      <div className={styles.links}>
        <Button variant="link" onClick={host.rules.open}>
          {texts.rules}
        </Button>
        <Button variant="link" href={paths.check}>
          {texts.check}
        </Button>
        <Button variant="link" href={paths.landing}>
          {texts.back}
        </Button>
      </div>
      {addressForm && step.name === 'address' && (
        <addressForm.AddressDialog
          host={host}
          login={step.login}
          onSaved={() => enter(step.login)}
          onClose={() => backToForm()}
        />
      )}
    </div>
  )
}
