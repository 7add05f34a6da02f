import { texts } from '../texts.ts'
import { h } from './dom.ts'

/** Named in `trusted-types` by pages that require Trusted Types. */
export const POLICY = 'mega-live'

let policy: { createScriptURL(url: string): string } | undefined

/**
 * `object.data` and `embed.src` take only trusted URLs under `require-trusted-types-for 'script'`. The policy is created
 * on first use: a page that forbids it gets everything but the objects.
 */
function trusted(url: string): string {
  // Not in TypeScript's DOM library yet: https://www.w3.org/TR/trusted-types/
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): typeof policy }
  }
  // addresses.ts has validated the URL.
  policy ??= trustedTypes?.createPolicy(POLICY, { createScriptURL: (address: string) => address })
  return policy ? policy.createScriptURL(url) : url
}

/**
 * What the specification asks for after the time-out: embedded objects, and the message.
 * The browser shows `<embed>` where `<object>` fails.
 */
export function fallback(url: string, title: string, retry: () => void): HTMLElement {
  const again = h('button', { class: 'retry', type: 'button' }, texts.retry)
  again.onclick = retry
  const box = h(
    'div',
    { class: 'fallback' },
    h('div', { class: 'message', role: 'alert' }, h('p', {}, texts.unsupported), again),
  )
  try {
    const object = h('object', { class: 'object', type: 'text/html', title })
    const embed = h('embed', { class: 'embed', type: 'text/html', title })
    object.append(embed)
    object.data = trusted(url)
    embed.src = trusted(url)
    box.append(object)
  } catch {
    // The page forbids the policy: the message and the link to a new tab remain.
  }
  return box
}
