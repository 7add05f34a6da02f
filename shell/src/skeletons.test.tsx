import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { PAGE_MARKS, PLACE_MARKS, PRERENDERED } from '@anniversary/shared/contract/prerendered'
import { act } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { pageComposition } from './loader/page-composition.ts'
import { createRemoteLoader } from './loader/remote-loader.ts'
import { fakeRelease, fakeRemote } from './loader/testing/release.ts'
import { AppRoutes } from './routing/AppRoutes.tsx'
import { renderSkeletons } from './skeletons.tsx'

/** Unmounts the app, which else hears of the sessions of other tests. */
let end = (): void => undefined
afterEach(() => act(async () => end()))

const entry = '/mf-auth/1/entry.js'
const PAGE = <h1>Trang đăng nhập</h1>

/** The app takes over a route's HTML, with a remote's page in its place. @returns what React could not hydrate */
async function hydrate(path: string): Promise<unknown[]> {
  history.replaceState(null, '', path)
  const ownRoutes = { '/login': { title: 'Đăng nhập', expose: './LoginPage' } }
  const remote = fakeRemote({ current: fakeRelease('1', { entry, routes: ownRoutes }) })
  const { routes } = pageComposition(
    { number: 1, createdAt: '', shell: { version: '1', contract: '1.0' }, remotes: { 'mf-auth': remote } },
    () => undefined,
  )
  const loader = createRemoteLoader({
    remote: () => remote,
    loadExpose: async () => () => PAGE,
    onFailure: () => undefined,
  })
  await loader.settled('mf-auth', './LoginPage')
  document.body.innerHTML = `<div id="root" ${PRERENDERED}="${entry}">${renderSkeletons()[
    path === '/' ? '/' : 'form'
  ]?.replace(
    new RegExp(`${PLACE_MARKS.start}.*${PLACE_MARKS.end}`),
    `${PAGE_MARKS.start}<h1>Trang đăng nhập</h1>${PAGE_MARKS.end}`,
  )}</div>`
  const root = document.getElementById('root')
  const errors: unknown[] = []
  await act(async () => {
    const app = hydrateRoot(
      root as HTMLElement, // written above
      <App
        config={publicConfigSchema.parse({})}
        compositionNumber={1}
        routes={routes}
        prefetch={() => undefined}
        onLeavingCrash={() => undefined}
      >
        {(host) => <AppRoutes host={host} loader={loader} routes={routes} />}
      </App>,
      { onRecoverableError: (error) => errors.push(error) },
    )
    end = () => app.unmount()
  })
  return errors
}

test.each(['/', '/login'])('the app hydrates the HTML of %s', async (path) => {
  expect(await hydrate(path)).toEqual([])
  expect(document.querySelector('h1')).toBeVisible()
})
