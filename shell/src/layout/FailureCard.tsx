import torn from '@anniversary/shared/campaign/art/torn.svg'
import { traceId } from '@anniversary/shared/client/trace'
import { Button } from '@anniversary/shared/ui/Button'
import { Panel } from '@anniversary/shared/ui/Panel'
import type { ReactNode } from 'react'
import { shellTexts as texts } from '../texts.ts'
import styles from './Notice.module.css'

interface FailureCardProps {
  readonly title: string
  readonly text?: string
  readonly children?: ReactNode
}

export const FailureCard = ({ title, text, children }: FailureCardProps) => (
  <Panel className={styles.card} role="alert">
    <img src={torn} alt="" width="168" height="100" />
    <h1>{title}</h1>
    {text && <p>{text}</p>}
    {children}
    <small>{texts.trace(traceId())}</small>
  </Panel>
)

/**
 * @param onRetry renders the view again without a page load; without it only a
 * reload is offered
 */
export const Crash = ({ onRetry }: { readonly onRetry?: (() => void) | undefined }) => (
  <FailureCard title={texts.crash.text}>
    <Button onClick={() => location.reload()}>{texts.crash.reload}</Button>
    {onRetry && (
      <Button variant="secondary" onClick={onRetry}>
        {texts.retry}
      </Button>
    )}
  </FailureCard>
)
