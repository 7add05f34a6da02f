import path from 'node:path'
import { remote } from '@anniversary/build'

/** Real builds of remotes whose code misbehaves, one for each way; each stands for any remote. */
const WAYS = [
  'ThrowsWhileImporting',
  'ThrowsInRender',
  'ThrowsInEffect',
  'ThrowsWhenLeft',
  'NeverResolves',
  'NeverRenders',
  'NoComponent',
  'BreaksPolicy',
]
const EXPOSES = ['./LoginPage', './HistoryPage']

const dir = import.meta.dirname
const out = path.resolve(dir, '../../../.cache/isolation/broken')

const build = (name, exposes) => (env) => {
  const config = remote({ dir, exposes })(env)
  return { ...config, name, output: { ...config.output, path: path.join(out, name) } }
}

export default (env) =>
  [
    ...WAYS.map((way) => build(way, Object.fromEntries(EXPOSES.map((expose) => [expose, `./${way}.tsx`])))),
    build('LacksTheExpose', { './Another': './NoComponent.tsx' }),
  ].map((each) => each(env))
