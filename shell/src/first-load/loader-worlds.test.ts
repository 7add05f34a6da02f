import { IDS } from '@anniversary/shared/contract/page-names'
import { PRERENDERED } from '@anniversary/shared/contract/prerendered'
import { fakeRelease, fakeRemote } from '@anniversary/shared/testing/fake-release'
import { randomFrom } from '@anniversary/shared/testing/random'
import { createRemoteLoader, type PageComponent } from '../loader/remote-loader.ts'
import { DEADLINE, GAP, GAP_WAIT, LATE, MIN_RENDER_TIME } from '../loader/retry.ts'
import { firstPageTakeover } from './replace-html.ts'

/*
 * Worlds made from a seed: releases, a network, a clock and a member, in
 * virtual time. `npm run prove -- loader` runs 10,000;
 * `SEED=17 npm run prove -- loader` runs one again.
 */

const WORLDS = Number(process.env.WORLDS ?? 150)
const Page: PageComponent = () => null

/**
 * A clock that stands still until `pass` moves it from timer to timer: Jest's
 * own takes a real millisecond for each.
 */
function virtualClock() {
  let time = 0
  let timers: { at: number; run(): void }[] = []
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms = 0) => timers[timers.push({ at: time + ms, run }) - 1],
    clearTimeout: (timer: object) => {
      timers = timers.filter((other) => other !== timer)
    },
  })
  jest.spyOn(performance, 'now').mockImplementation(() => time)
  /**
   * @param isFrozen the tab runs no timer meanwhile, and afterwards all that
   * are due
   */
  return async (ms: number, isFrozen = false) => {
    const end = time + ms
    await settle()
    if (isFrozen) time = end
    for (;;) {
      await settle()
      const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      timers = timers.filter((other) => other !== next)
      time = Math.max(time, next.at)
      next.run()
    }
    time = end
  }
}

async function settle(): Promise<void> {
  // No chain of promises between two timers is longer.
  for (let turn = 0; turn < 25; turn += 1) await undefined
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Runs a world.
 * @returns its end, for the test that worlds differ
 * @throws when an invariant does not hold
 */
async function runWorld(seed: number): Promise<string> {
  const pass = virtualClock()
  const random = randomFrom(seed)
  const chance = (share: number) => random() < share
  const oneOf = <T>(...all: readonly T[]) => all[Math.floor(random() * all.length)] as T // there is one
  /**
   * Kept, because the loader takes what a request throws for a failure of the
   * request.
   */
  let broken: string | undefined
  const check = (holds: boolean, what: string) => {
    if (!holds) broken ??= `${what}, at ${now()} ms`
  }
  const now = () => performance.now()
  /**
   * Milliseconds until an answer: mostly quick, at times about a limit of the
   * policy, at times never.
   */
  const delay = () =>
    oneOf(
      random() * 300,
      random() * 3000,
      LATE + oneOf(-1, 0, 1),
      random() * 14_000,
      DEADLINE + 1,
      Infinity,
    )

  const isOffFromStart = chance(0.05)
  const remote = fakeRemote({
    status: isOffFromStart ? 'off' : 'on',
    ...(chance(0.6) && { previous: fakeRelease('1') }),
  })
  const isDown = chance(0.15)
  const hostReady = after(chance(0.3) ? random() * 12_000 : 0).then(now)
  let hostReadyAt = Infinity
  void hostReady.then((at) => {
    hostReadyAt = at
  })
  /**
   * Of the load that runs or ran last: when it began, its requests, and when
   * the first of them was answered.
   */
  let load = { at: 0, requests: 0, lateRequests: 0, answeredAt: Infinity }
  let reports = 0
  const behindHtml = chance(0.5)
  let isFirstOver = false
  const loader = createRemoteLoader({
    remote: () => remote,
    placeOf: async () => undefined,
    hostReady,
    onFailure: () => {
      reports += 1
    },
    async loadExpose({ version }) {
      const mine = load
      mine.requests += 1
      if (now() >= deadlineOf(mine)) mine.lateRequests += 1
      check(!isOffFromStart, 'a release that is switched off is requested')
      // Behind its HTML a page is loaded several times.
      const isRepeated = behindHtml && !isFirstOver
      const most = remote.previous ? 3 : 2
      check(isRepeated || mine.requests <= most, 'a load requests too often')
      // After a freeze the timer of a late request runs before that of the
      // deadline.
      check(isRepeated || mine.lateRequests <= 1, 'a load requests after its deadline')
      check(version === '2' || remote.previous !== undefined, 'an unknown release is requested')
      const ms = delay()
      await (ms === Infinity ? new Promise(() => undefined) : after(ms))
      if (isDown || chance(0.45)) throw new Error('no file')
      mine.answeredAt = Math.min(mine.answeredAt, now())
      return Page
    },
  })
  const state = () => loader.state('mf-x', './Page')
  const begin = () => {
    load = { at: now(), requests: 0, lateRequests: 0, answeredAt: Infinity }
  }
  const deadlineOf = ({ at }: typeof load) => Math.max(at, hostReadyAt) + DEADLINE

  // The page's HTML, in which the member types and presses before the code is
  // there.
  const html = oneOf(remote.current.entry, '/mf-x/0/entry.js')
  const form = '<main><input id="a"><input id="b"><button></button></main>'
  document.body.innerHTML = `<div id="${IDS.appRoot}" ${PRERENDERED}="${html}">${form}</div>`
  const root = document.body.firstElementChild as HTMLElement // just written
  const controls = () => [...root.querySelectorAll('input')]
  const typed = ['', '']
  const type = () => {
    const field = Math.floor(random() * 2)
    typed[field] += oneOf('a', 'ễ', '4')
    const input = controls()[field]
    if (input) input.value = typed[field] ?? ''
  }
  let presses = 0
  let kept = false
  root.addEventListener('click', () => {
    presses += 1
  })

  let isOff = false
  let taken = false
  const render = () => {
    const current = state()
    if (taken || current.status !== 'ready') return
    taken = true
    firstPageTakeover.begin()
    const isSame = current.release.entry === firstPageTakeover.renderedBy()
    // React hydrates the HTML of the same release, and puts its own elements in
    // the place of another's.
    if (!isSame || chance(0.2)) root.innerHTML = form
    firstPageTakeover.finish()
    firstPageTakeover.finish()
    check(
      controls().every(({ value }, n) => value === typed[n]),
      'typed text is lost',
    )
    check(presses === (kept ? 1 : 0), `${presses} presses happen`)
    check(
      current.timeLeft >= MIN_RENDER_TIME && current.timeLeft <= DEADLINE,
      'a wrong time for rendering',
    )
  }

  begin()
  const first = behindHtml ? loader.loadBehindHtml('mf-x', './Page') : loader.load('mf-x', './Page')
  void first.then(() => {
    isFirstOver = true
  })
  for (let step = 0; step < 12; step += 1) {
    if (!taken && chance(0.4)) type()
    if (!taken && chance(0.1)) {
      root.querySelector('button')?.setAttribute('data-pressed', '')
      kept = true
    }
    const event = random()
    if (event < 0.08) {
      isOff = !isOff
      loader.switchOff(new Set(isOff ? ['mf-x'] : []))
    } else if (event < 0.2 && isFirstOver && state().status === 'failed' && !isOff) {
      begin()
      oneOf(loader.retryAll, () => loader.retry('mf-x', './Page'))()
    } else if (event < 0.25 && isFirstOver && state().status === 'ready' && taken) {
      loader.markFailed('mf-x', './Page', 'render', new Error('thrown'))
      check(state().status === 'failed', 'a page that threw goes on')
    }
    if (chance(0.1)) await pass(random() * 20_000, true)
    else await pass(random() * 4000)
    if (behindHtml && !isFirstOver) continue
    const { status } = state()
    if (isOff || isOffFromStart) check(status === 'failed', 'a page that is switched off shows')
    else {
      const isLate = now() > deadlineOf(load) + 1
      check(status !== 'loading' || !isLate, 'neither page nor card after the deadline')
      const isAnswered = load.answeredAt < now()
      check(status !== 'loading' || !isAnswered, 'an answer is not used')
      const lateAt = Math.max(load.at, hostReadyAt) + LATE + 1
      const waits = status === 'loading' && now() > lateAt
      check(!waits || load.requests > 1, 'a late request is not repeated')
      render()
    }
  }
  await pass(GAP + GAP_WAIT + 2 * DEADLINE)
  check(isFirstOver, 'the first load does not end')
  check(state().status !== 'loading', 'neither page nor card at the end')
  check(reports <= 400, 'a flood of reports')
  if (broken) throw new Error(broken)
  return `${state().status} ${load.requests} ${reports} ${typed}`
}

test('every world shows a page or card in time and keeps input', async () => {
  const seeds = process.env.SEED
    ? [Number(process.env.SEED)]
    : Array.from({ length: WORLDS }, (_, n) => n + 1)
  const ends = new Set<string>()
  for (const seed of seeds)
    try {
      ends.add(await runWorld(seed))
    } catch (error) {
      throw new Error(`World ${seed} fails; SEED=${seed} npm run prove -- loader runs it again`, {
        cause: error,
      })
    }
  // Worlds that all end alike would prove nothing.
  expect(ends.size).toBeGreaterThan(seeds.length / 3)
})
