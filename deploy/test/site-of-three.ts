import { readAllRecords } from '../src/site/record.ts'
import { rollBackSite } from '../src/verbs/rollback.ts'
import {
  copyOf,
  newSite,
  publishTo,
  recordOf,
  remoteBuild,
  shellBuild,
  type TestSite,
} from './fixture-builds.ts'

/*
 * Each test has a copy of one site. Composition 1 has mf-auth "one", 2 and 3
 * have "two" and "three".
 */

let template: TestSite
export let target: TestSite
export let versions: string[]
beforeAll(async () => {
  template = await newSite(shellBuild(), remoteBuild())
  for (const text of ['two', 'three']) await publishTo(template, remoteBuild({ text }))
  const records = await readAllRecords(template)
  versions = records.map(({ remotes }) => remotes['mf-auth']?.current.version ?? '')
})
beforeEach(async () => {
  target = await copyOf(template)
})

export const newest = () => recordOf(target)
export async function auth() {
  const remote = (await newest()).remotes['mf-auth']
  if (!remote) throw new Error('no mf-auth')
  return remote
}
export const page = async () => (await target.read('login/index.html'))?.toString() ?? ''
export const goBack = (more: Omit<Parameters<typeof rollBackSite>[1], 'name'> = {}) =>
  rollBackSite(target, { name: 'mf-auth', ...more })
