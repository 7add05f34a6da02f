import type {
  ComposedRemote,
  PageComposition,
  Release,
} from '@anniversary/shared/contract/composition'

export const fakeRelease = (version: string, more: Partial<Release> = {}): Release => ({
  version,
  entry: `/mf-x/${version}/entry.js`,
  integrity: 'sha384-x',
  container: 'mf_x',
  contract: '1.0',
  exposes: {},
  ...more,
})

/** mf-x in a composition, with release 2 by default. */
export const fakeRemote = (more: Partial<ComposedRemote> = {}): ComposedRemote => ({
  status: 'on',
  current: fakeRelease('2'),
  ...more,
})

export const fakeComposition = (more: Partial<PageComposition> = {}): PageComposition => ({
  number: 1,
  createdAt: '',
  shell: { version: '1', contract: '1.0' },
  remotes: {},
  ...more,
})
