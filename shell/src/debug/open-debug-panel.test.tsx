import { fakeComposition, fakeRelease, fakeRemote } from '@anniversary/shared/testing/fake-release'
import { act, screen } from '@testing-library/react'
import { version } from 'react'
import type { Loader } from '../loader/loader.ts'
import { pageComposition } from '../loader/page-composition.ts'
import { ownerOfFile } from '../loader/published-files.ts'
import { createRemoteLoader } from '../loader/remote-loader.ts'
import { createReports } from '../loader/report.ts'
import { openDebugPanel } from './open-debug-panel.tsx'

const composition = fakeComposition({
  remotes: {
    'mf-x': fakeRemote({
      current: fakeRelease('2', {
        integrity: 'sha384-abcdefghijkl',
        routes: { '/x': { title: 'X', expose: './Page' } },
      }),
      previous: fakeRelease('1'),
    }),
  },
})
const request = (path: string, startTime: number, responseEnd: number) => ({
  name: `${location.origin}${path}`,
  startTime,
  responseEnd,
})

function setUp(): Loader {
  const timings = [
    request('/mf-x/2/entry.js', 100, 180),
    request('/mf-x/2/Page.js', 101, 150),
    request('/mf-x/2/Page.js?r=a-1', 160, 400),
  ]
  Object.assign(performance, { getEntriesByType: () => timings })
  Object.assign(performance, { getEntriesByName: () => [{ startTime: 412 }] })
  const { send, sent } = createReports('/reports', 7)
  Object.assign(navigator, { sendBeacon: () => true })
  const pages = createRemoteLoader({
    remote: () => composition.remotes['mf-x'],
    placeOf: async () => undefined,
    loadExpose: async () => {
      throw new Error('HTTP 404: /mf-x/2/Page.js')
    },
    onFailure: send,
  })
  // What the panel uses of a loader.
  return {
    pages,
    composition: {
      ...pageComposition(composition, () => undefined),
      ownerOf: (url: string) =>
        ownerOfFile(url, { version: '1', url: '/shell/1/main.js' }, composition.remotes),
    },
    reports: { send, sent },
  } as unknown as Loader
}

test('the panel prints releases, times, retries and the owners of failures', async () => {
  const loader = setUp()
  await loader.pages.load('mf-x', './Page')
  await act(() => openDebugPanel(loader))
  const { failures, ...facts } = JSON.parse(screen.getByText(/^{/).textContent)
  expect(facts).toMatchObject({
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
        requests: [
          { url: `${location.origin}/mf-x/2/entry.js`, from: 100, to: 180 },
          { url: `${location.origin}/mf-x/2/Page.js`, from: 101, to: 150 },
          { url: `${location.origin}/mf-x/2/Page.js?r=a-1`, from: 160, to: 400 },
        ],
      },
    ],
  })
  const message = 'HTTP 404: /mf-x/2/Page.js'
  expect(failures[0]).toEqual({ owner: 'mf-x 2', phase: 'expose', next: 'retry', message })
})
