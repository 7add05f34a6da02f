import { Button } from '@anniversary/shared/ui/Button'
import { texts } from '../texts.ts'
import { FailureCard } from './FailureCard.tsx'

interface CrashProps {
  /** Renders the view again without a page load; absent: only a page load helps. */
  readonly onRetry?: (() => void) | undefined
}

export const Crash = ({ onRetry }: CrashProps) => (
  <FailureCard title={texts.crash.text}>
    <Button onClick={() => location.reload()}>{texts.crash.reload}</Button>
    {onRetry && (
      <Button variant="secondary" onClick={onRetry}>
        {texts.retry}
      </Button>
    )}
  </FailureCard>
)
