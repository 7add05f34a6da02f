/** A member for one test, which may claim tickets and save an address. */
export interface Guest {
  readonly account: string
  readonly digits: string
  readonly needsAddress: boolean
}

const guests = (name: string, digits: string, needsAddress: boolean, count: number): readonly Guest[] =>
  Array.from({ length: count }, (_, index) => ({ account: `${name}${index + 1}`, digits, needsAddress }))

/** In every stack, with the activity of demo01. The login asks newcomers for an address. */
export const GUESTS = [...guests('guest', '2468', false, 20), ...guests('newcomer', '1357', true, 10)]

const taken = new Set<string>()

/** A guest of this worker's stack that no other test uses. */
export function takeGuest(needsAddress: boolean): Guest {
  const free = GUESTS.find((guest) => guest.needsAddress === needsAddress && !taken.has(guest.account))
  if (!free) throw new Error('All guests are taken: make more')
  taken.add(free.account)
  return free
}
