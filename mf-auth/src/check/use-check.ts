import { type CheckResult, type Host, isApiError } from '@anniversary/shared/contract/host'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../texts/check.ts'

export interface Query {
  readonly by: 'username' | 'code'
  readonly value: string
}

export type CheckState =
  | { readonly name: 'idle' }
  | { readonly name: 'asking' }
  | { readonly name: 'answered'; readonly query: Query; readonly result: CheckResult }
  | { readonly name: 'failed'; readonly text: string }

/** One question at a time. The answer carries its question, because the member may type on while it is under way. */
export function useCheck(host: Host) {
  const [state, setState] = useState<CheckState>({ name: 'idle' })
  const locked = useRef(false)
  const alive = useRef(false)
  useEffect(() => {
    alive.current = true
    return () => {
      alive.current = false
    }
  }, [])

  const ask = async (query: Query) => {
    if (locked.current) return
    locked.current = true
    setState({ name: 'asking' })
    const next = await host.api.check(query).then(
      (result): CheckState => ({ name: 'answered', query, result }),
      // The interceptor has shown the toast; its words stay on the page.
      (error): CheckState => ({
        name: 'failed',
        text: (isApiError(error) && error.message) || texts.unreachable,
      }),
    )
    locked.current = false
    if (alive.current) setState(next)
  }

  const forget = () => setState((old) => (old.name === 'asking' ? old : { name: 'idle' }))

  return { state, ask, forget }
}
