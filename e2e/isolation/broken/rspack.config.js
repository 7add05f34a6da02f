import path from 'node:path'
import { remote } from '@anniversary/build'

/** Builds of remotes whose code fails, one for each way of failing. */
const PAGES = [
  'ThrowsWhileImporting',
  'ThrowsInRender',
  'ThrowsInEffect',
  'UpdatesInRender',
  'UpdatesInLayoutEffect',
  'UpdatesInEffect',
  'ThrowsWhenLeft',
  'NeverRenders',
  'NoComponent',
  'BreaksPolicy',
]

const dir = import.meta.dirname
const out = path.resolve(dir, '../../../.cache/isolation/broken')

const build = (name, exposes) => (env) => {
  const config = remote({ dir, exposes })(env)
  return { ...config, name, output: { ...config.output, path: path.join(out, name) } }
}
const page = (name, file) => build(name, { './LoginPage': file, './HistoryPage': file })

export default (env) =>
  [
    ...PAGES.map((name) => page(name, `./pages.tsx?${name}`)),
    page('NeverResolves', './NeverResolves.tsx'),
    build('LacksTheExpose', { './Another': './NeverResolves.tsx' }),
  ].map((each) => each(env))
