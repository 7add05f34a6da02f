import type { ComposedRemote, RemoteRoutes } from '@anniversary/shared/contract/composition'
import auth from '../../mf-auth/routes.json'
import history from '../../mf-history/routes.json'
import megalive from '../../mf-megalive/routes.json'
import missions from '../../mf-missions/routes.json'
import { pageComposition } from '../../shell/src/loader/page-composition.ts'

const bundled = (routes: object): ComposedRemote => ({
  status: 'on',
  current: {
    version: 'bundled',
    // Of no release: its HTML is the host's.
    entry: '',
    integrity: '',
    container: '',
    contract: '',
    exposes: {},
    routes: routes as RemoteRoutes, // JSON has no literal types
  },
})
/** The site's routes, all of which one bundle knows. */
export const { remotes, routes } = pageComposition(
  {
    number: 1,
    createdAt: '',
    shell: { version: 'bundled', contract: '' },
    remotes: {
      'mf-megalive': bundled(megalive),
      'mf-auth': bundled(auth),
      'mf-missions': bundled(missions),
      'mf-history': bundled(history),
    },
  },
  console.error,
)

/** What a bundle does without: it prefetches nothing, and no remote is switched off. */
export const unused = {
  prefetch: () => undefined,
  switchOff: () => undefined,
  leavingCrashed: console.error,
}
