import { fakeComposition, fakeRelease, fakeRemote } from '@anniversary/shared/testing/fake-release'
import { version } from 'react'
import type { Loader } from '../loader/loader.ts'
import { pageComposition } from '../loader/page-composition.ts'
import { readPageFacts } from './page-facts.ts'

const current = fakeRelease('2', { routes: { '/x': { title: 'X', expose: './Page' } } })
const remotes = { 'mf-x': fakeRemote({ current, previous: fakeRelease('1') }) }

// What the facts are read from.
const loader = {
  pages: { state: () => ({ status: 'failed', reason: 'failed' }) },
  composition: {
    ...pageComposition(fakeComposition({ remotes }), () => undefined),
    ownerOf: (url: string) => ({ name: url.split('/')[1] }),
  },
  reports: {
    sent: [
      {
        owner: { name: 'mf-x', version: '2' },
        phase: 'expose',
        error: new Error('HTTP 404'),
        next: 'retry',
      },
    ],
  },
} as unknown as Loader

test('a page tells its releases, times, retries and the owners of failures', () => {
  const timings = [
    { name: '/mf-x/2/Page.js?r=a-1', startTime: 160.4, responseEnd: 399.6 },
    { name: '/mf-y/1/entry.js', startTime: 1, responseEnd: 2 },
  ]
  Object.assign(performance, {
    getEntriesByType: () => timings,
    getEntriesByName: () => [{ startTime: 412 }],
  })
  expect(readPageFacts(loader)).toMatchObject({
    composition: 1,
    shell: '1',
    shared: { react: version },
    remotes: [
      {
        name: 'mf-x',
        version: '2',
        contract: '1.0',
        previous: '1',
        shown: 412,
        pages: [{ path: '/x', state: 'failed' }],
        requests: [{ url: '/mf-x/2/Page.js?r=a-1', from: 160, to: 400 }],
      },
    ],
    failures: [{ owner: 'mf-x 2', phase: 'expose', next: 'retry', message: 'HTTP 404' }],
  })
})
