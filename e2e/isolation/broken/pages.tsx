import { use, useEffect, useLayoutEffect, useReducer } from 'react'

/** The query of this module's import, which names the failure (rspack.config.js). */
declare const __resourceQuery: string
const way = __resourceQuery.slice(1)

const never = new Promise<string>(() => undefined)
const next = (times: number) => times + 1
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
  UpdatesInRender() {
    const [, again] = useReducer(next, 0)
    again()
    return null
  },
  UpdatesInLayoutEffect() {
    const [, again] = useReducer(next, 0)
    useLayoutEffect(again)
    return null
  },
  /** React draws between two of these updates, and handles input. */
  UpdatesInEffect() {
    const [times, again] = useReducer(next, 0)
    useEffect(again)
    return <h1>Lặp {times} lần</h1>
  },
  ThrowsWhenLeft() {
    useEffect(() => () => fail('when left'), [])
    return <h1>Hỏng khi rời đi</h1>
  },
  /** Makes requests that the page's policy forbids. Each is blocked, and the page still shows. */
  BreaksPolicy() {
    useEffect(() => {
      new Image().src = 'http://elsewhere.example/pixel.gif'
      void fetch('http://elsewhere.example/collect').catch(() => undefined)
    }, [])
    return <h1>Trang tò mò</h1>
  },
}
export default PAGES[way]
