import { use, useEffect, useLayoutEffect, useReducer } from 'react'

/**
 * The query of this module's import, which names the failure
 * (rspack.config.js).
 */
declare const __resourceQuery: string
const way = __resourceQuery.slice(1)

const never = new Promise<string>(() => undefined)
/** A page that sets state without end. */
const updating = (effect: (again: () => void) => void) => () => {
  const [times, again] = useReducer((before: number) => before + 1, 0)
  effect(again)
  return <h1>Lặp {times} lần</h1>
}
function fail(when: string): never {
  throw new Error(`broken ${when}`)
}
if (way === 'ThrowsWhileImporting') fail('while importing')

const PAGES: Readonly<Record<string, unknown>> = {
  NoComponent: 'not a component',
  NeverRenders: () => <h1>{use(never)}</h1>,
  ThrowsInRender: () => fail('in render'),
  ThrowsInEffect() {
    useEffect(() => fail('in an effect'), [])
    return <h1>Sắp hỏng</h1>
  },
  UpdatesInRender: updating((again) => again()),
  UpdatesInLayoutEffect: updating(useLayoutEffect),
  // React draws between two of these updates, and handles input.
  UpdatesInEffect: updating(useEffect),
  ThrowsWhenLeft() {
    useEffect(() => () => fail('when left'), [])
    return <h1>Hỏng khi rời đi</h1>
  },
  /**
   * Makes requests that the page's policy forbids. Each is blocked, and the
   * page still shows.
   */
  BreaksPolicy() {
    useEffect(() => {
      new Image().src = 'http://elsewhere.example/pixel.gif'
      void fetch('http://elsewhere.example/collect').catch(() => undefined)
    }, [])
    return <h1>Trang tò mò</h1>
  },
}
export default PAGES[way]
