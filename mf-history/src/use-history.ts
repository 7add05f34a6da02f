import { isDrawMoment } from '@anniversary/shared/contract/event-timeline'
import type { DrawResult, HistoryResult, Host } from '@anniversary/shared/contract/host'
import { failureText, isForbidden } from '@anniversary/shared/error-message'
import { useEventMoments } from '@anniversary/shared/ui/use-event-time'
import { useNetworkRetry } from '@anniversary/shared/ui/use-network-retry'
import { useResultNews } from '@anniversary/shared/ui/use-result-news'
import { useSingleFlight } from '@anniversary/shared/ui/use-single-flight'
import { useCallback, useEffect, useState } from 'react'
import { historyTexts as texts } from './texts.ts'

export type HistoryState =
  | { readonly name: 'loading' }
  | ({ readonly name: 'loaded' } & Omit<Extract<HistoryResult, { ok: true }>, 'ok'>)
  | {
      readonly name: 'failed'
      readonly text: string
      /** Refused to this member, who may be banned. */
      readonly isForSupport: boolean
      readonly retrying?: boolean
    }

export interface Exchange {
  run(): void
  readonly busy: boolean
}

/**
 * Reloads after a draw begins or ends, and when the back-forward cache restores
 * the page. Toasts: specification, section 8.
 */
export function useHistory(host: Host) {
  const [state, setState] = useState<HistoryState>({ name: 'loading' })
  const [run, drop] = useSingleFlight()
  const [isExchanging, setExchanging] = useState(false)
  // The page shows no results, so the first published ones count as news.
  const [news, setNews] = useState<readonly DrawResult[]>([])

  /** Resolves with whether the page shows the history as it is now. */
  const load = useCallback(async () => {
    let isLoaded = false
    const failed = (text: string, { isForSupport = false } = {}) => {
      host.notify.error(text)
      setState((old) => {
        if (old.name === 'loaded' && !isForSupport) return old
        return { name: 'failed', text, isForSupport }
      })
    }
    await run(
      () => host.api.history(),
      (answer) => {
        if (!answer.ok) return failed(answer.message || texts.failed)
        isLoaded = true
        setState({ ...answer, name: 'loaded' })
      },
      (error) => {
        if (isForbidden(error)) failed(failureText(error), { isForSupport: true })
        else failed(texts.failed)
      },
    )
    return isLoaded
  }, [host, run])

  useEffect(() => {
    void load()
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      // The call that was cancelled on leaving says nothing.
      drop()
      void load()
    }
    addEventListener('pageshow', onPageShow)
    return () => removeEventListener('pageshow', onPageShow)
  }, [load, drop])
  useResultNews(host, state.name === 'loaded' ? news : undefined, async (found) => {
    if (await load()) setNews(found)
  })
  useEventMoments(host.clock, state.name === 'loaded', (moments) => {
    // A stage does not change the history.
    if (moments.some(isDrawMoment)) void load()
  })

  const retry = useCallback(() => {
    setState((old) => (old.name === 'failed' ? { ...old, retrying: true } : old))
    void load()
  }, [load])

  const exchange = async () => {
    setExchanging(true)
    try {
      const found = await host.api.tradeGiftcode()
      // One that is under way may have been asked for before the exchange.
      drop()
      if ((await load()) && found.length > 0) host.notify.success(texts.exchangeDone)
    } catch {
      host.notify.error(texts.exchangeFailed)
    }
    setExchanging(false)
  }

  useNetworkRetry(state.name === 'failed', retry)

  return { state, retry, exchange: { run: exchange, busy: isExchanging } }
}
