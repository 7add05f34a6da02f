import type { ClientApi } from '@anniversary/shared/contract/host'

/** Which claims run, so that nothing reloads the page under one. */
export function trackClaims<Api extends Pick<ClientApi, 'takeCode'>>(api: Api) {
  const running = new Set<Promise<unknown>>()
  let started = 0
  return {
    api: {
      ...api,
      takeCode: (claim: Parameters<ClientApi['takeCode']>[0]) => {
        started += 1
        const call = api.takeCode(claim)
        running.add(call)
        const done = () => void running.delete(call)
        call.then(done, done)
        return call
      },
    },
    /** How many are on their way. */
    running: () => running.size,
    /** Claims sent since the page was loaded. */
    started: () => started,
    /** Resolves when none is on its way. */
    settled: async () => {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

export type Claims = Pick<ReturnType<typeof trackClaims>, 'running' | 'started' | 'settled'>
