import { createClient } from '../client/create-client.ts'
import { createEventClock } from '../client/event-clock.ts'
import type { Host, Session } from '../contract/host.ts'
import { createFakeHost, type HostCall } from '../testing/fake-host.ts'

const KEY = 'harness-session'

/** A host whose API is the real one behind the dev server's proxy; everything else is still the fake. */
export function createRealHost(onCall: (call: HostCall) => void): Host {
  // JSON that only this function has written.
  const saved = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Session | null
  const fake = createFakeHost({ session: saved, onCall })
  fake.session.subscribe(() => sessionStorage.setItem(KEY, JSON.stringify(fake.session.current())))
  const clock = createEventClock()
  return {
    ...fake,
    clock,
    api: createClient({
      config: fake.config,
      token: () => fake.session.current()?.token,
      onFailure: (_failure, message, status) =>
        (status === 400 ? fake.notify.warning : fake.notify.error)(message),
      onEventTime: clock.sync,
    }),
  }
}
