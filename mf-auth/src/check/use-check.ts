import { type CheckResult, type ClientApi, type Host, isApiError } from '@anniversary/shared/contract/host'
import { useSingleFlight } from '@anniversary/shared/ui/use-single-flight'
import { useState } from 'react'
import { texts } from '../texts/check.ts'

export type Query = Parameters<ClientApi['check']>[0]

export type CheckState =
  | { readonly name: 'idle' }
  | { readonly name: 'asking' }
  /** With its question, since the member may have typed on meanwhile. */
  | { readonly name: 'answered'; readonly query: Query; readonly result: CheckResult }
  | { readonly name: 'failed'; readonly text: string }

export function useCheck(host: Host) {
  const [state, setState] = useState<CheckState>({ name: 'idle' })
  const run = useSingleFlight()

  const ask = (query: Query) => {
    setState({ name: 'asking' })
    run(
      () => host.api.check(query),
      (result) => setState({ name: 'answered', query, result }),
      // The interceptor has shown the toast; the same words stay on the page.
      (error) =>
        setState({ name: 'failed', text: (isApiError(error) && error.message) || texts.unreachable }),
    )
  }

  const forget = () => setState((old) => (old.name === 'asking' ? old : { name: 'idle' }))

  return { state, ask, forget }
}
