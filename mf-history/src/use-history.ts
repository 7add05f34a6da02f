import { type HistoryResult, type Host, isApiError } from '@anniversary/shared/contract/host'
import { useCallback, useEffect, useRef, useState } from 'react'
import { texts } from './texts.ts'

export type HistoryState =
  | { readonly name: 'loading' }
  | ({ readonly name: 'loaded' } & Pick<Extract<HistoryResult, { ok: true }>, 'tickets' | 'giftcodes'>)
  | { readonly name: 'failed'; readonly text: string; readonly retrying?: boolean }
  /** No session, or a dead one: the host is on its way to /login. */
  | { readonly name: 'ended'; readonly text?: string }

/** Loads the history once, and again on `retry`; says on the way what the specification's section 8 asks for. */
export function useHistory(host: Host) {
  const [state, setState] = useState<HistoryState>({ name: 'loading' })
  const running = useRef(false)
  const alive = useRef(false)

  const load = useCallback(async () => {
    if (running.current) return
    running.current = true
    let next: HistoryState
    try {
      const answer = await host.api.history()
      next = answer.ok
        ? { name: 'loaded', tickets: answer.tickets, giftcodes: answer.giftcodes }
        : { name: 'failed', text: answer.message || texts.failed }
    } catch (error) {
      const failure = isApiError(error) && error.failure
      if (failure === 'no-token') next = { name: 'ended' }
      else if (failure === 'unauthorized') next = { name: 'ended', text: texts.expired }
      else next = { name: 'failed', text: texts.failed }
    }
    running.current = false
    if (!alive.current) return
    if (next.name === 'failed') host.notify.error(next.text)
    else if (next.name === 'ended' && next.text) host.notify.warning(next.text)
    setState(next)
  }, [host])

  useEffect(() => {
    alive.current = true
    // StrictMode's second run finds the first one's call under way and asks nothing twice.
    load()
    return () => {
      alive.current = false
    }
  }, [load])

  const retry = useCallback(() => {
    setState((old) => (old.name === 'failed' ? { ...old, retrying: true } : old))
    load()
  }, [load])

  // What failed for want of a network is asked for again as soon as there is one.
  const failed = state.name === 'failed'
  useEffect(() => {
    if (!failed) return
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [failed, retry])

  return { state, retry }
}
