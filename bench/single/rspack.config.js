import { base, buildManifest, filesOf, htmlFiles, prerenderPage } from '@anniversary/build'
import shell from '@anniversary/shared/campaign/routes.json' with { type: 'json' }
import event from '@anniversary/shared/campaign/texts.json' with { type: 'json' }
import { CopyRspackPlugin, SubresourceIntegrityPlugin } from '@rspack/core'
import auth from '../../mf-auth/routes.json' with { type: 'json' }
import history from '../../mf-history/routes.json' with { type: 'json' }
import megalive from '../../mf-megalive/routes.json' with { type: 'json' }
import missions from '../../mf-missions/routes.json' with { type: 'json' }

/*
 * The whole app as one bundle, from the sources of shell and remotes, to compare the federated site with. Each is the
 * host of a site without remotes, so `deploy` publishes it like any other, and it is served and cached alike.
 */

const PAGES = {
  MegalivePage: '../../mf-megalive/src/MegalivePage.tsx',
  LoginPage: '../../mf-auth/src/LoginPage.tsx',
  CheckPage: '../../mf-auth/src/CheckPage.tsx',
  HomePage: '../../mf-missions/src/HomePage.tsx',
  HistoryPage: '../../mf-history/src/HistoryPage.tsx',
}
const config = base({ dir: import.meta.dirname, development: false, prefix: 'single' })
const routes = { ...shell, ...megalive, ...auth, ...missions, ...history }
/** `/login` → `LoginPage`. */
const pageOf = (route) => routes[route].expose?.slice(2)
const htmlOf = (route) => `page${route.replaceAll('/', '-')}.html`
const forEachRoute = (make) => Object.fromEntries(Object.keys(routes).map((route) => [route, make(route)]))

/** What the federated site's builds render, as one text. */
const html = htmlFiles({
  config,
  entry: { skeletons: '../../shell/src/skeletons.tsx', ...PAGES },
  render: ({ skeletons, ...pages }) =>
    Object.fromEntries(
      Object.keys(routes).map((route) => {
        const page = pages[pageOf(route)]
        const content = page && prerenderPage(import.meta.dirname, route, page.default)
        const { fullscreen, skeleton = 'form' } = routes[route]
        const kind = fullscreen ? 'fullscreen' : skeleton
        const around = skeletons.renderSkeletons()[pageOf(route) ? kind : route]
        return [
          htmlOf(route),
          content ? around.replace(/<!--page-->.*<!--\/page-->/s, () => content) : around,
        ]
      }),
    ),
})

/** Each route's page names the files of its chunk, as the federated site's pages do. */
const single = (name, prerendered) => ({
  ...config,
  name,
  entry: { first: '../../shell/src/first-script.ts', main: './tuned.tsx' },
  // The site's policy allows this one policy for scripts.
  output: {
    ...config.output,
    path: `${import.meta.dirname}/dist/${name}`,
    publicPath: 'auto',
    trustedTypes: 'default',
  },
  plugins: [
    ...(prerendered ? [html] : []),
    new CopyRspackPlugin({ patterns: ['../../shared/campaign/public'] }),
    new SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }),
    buildManifest((compilation) => ({
      kind: 'host',
      name: 'shell',
      version: '1.0.0',
      contract: '1.0',
      firstScript: filesOf(compilation, 'first').js[0],
      entry: filesOf(compilation, 'main'),
      routes: forEachRoute((route) => ({
        title: routes[route].title,
        description: routes[route].description,
      })),
      routeAssets: forEachRoute((route) =>
        pageOf(route) ? filesOf(compilation, pageOf(route)) : { js: [], css: [] },
      ),
      client: { js: [], css: [] },
      page: {
        ...event,
        card: 'link-card.jpg',
        icon: 'icon.svg',
        touchIcon: 'touch-icon.png',
        ...(prerendered && { skeletons: forEachRoute(htmlOf) }),
      },
      shared: {},
    })),
  ],
})

export default [single('tuned', false), single('prerendered', true)]
