import { base, buildManifest, htmlFiles, outputFilesOf, prerenderPage } from '@anniversary/build'
import event from '@anniversary/shared/campaign/texts.json' with { type: 'json' }
import { CopyRspackPlugin, SubresourceIntegrityPlugin } from '@rspack/core'
import { CAMPAIGN_FILES, pageOf, REMOTES, ROUTES } from './pages.js'

const config = base({ dir: import.meta.dirname, development: false, prefix: 'single' })
const htmlOf = (route) => `page${route.replaceAll('/', '-')}.html`
const forEachRoute = (make) =>
  Object.fromEntries(Object.keys(ROUTES).map((route) => [route, make(route)]))

/** The HTML of each route, as the builds of shell and remotes render it. */
const html = htmlFiles({
  config,
  entry: {
    skeletons: '../../shell/src/first-load/skeletons.tsx',
    ...Object.assign({}, ...Object.values(REMOTES)),
  },
  render: ({ skeletons, ...pages }) =>
    Object.fromEntries(
      Object.keys(ROUTES).map((route) => {
        const page = pages[pageOf(route)]
        const content = page && prerenderPage(import.meta.dirname, route, page.default)
        const { fullscreen, skeleton = 'form' } = ROUTES[route]
        const kind = fullscreen ? 'fullscreen' : skeleton
        const around = skeletons.renderSkeletons()[pageOf(route) ? kind : route]
        return [
          htmlOf(route),
          content ? around.replace(/<!--page-->.*<!--\/page-->/s, () => content) : around,
        ]
      }),
    ),
})

/**
 * The whole app as one bundle. It is the host of a site without remotes, so that `deploy` publishes it like any other, and
 * it is served and cached alike. Each route's page names the files of its chunk, as the federated site's pages do.
 */
export const single = (name, prerendered) => ({
  ...config,
  name,
  entry: { first: '../../shell/src/first-load/first-script.ts', main: './single.tsx' },
  // The site's policy allows this one policy for scripts.
  output: {
    ...config.output,
    path: `${import.meta.dirname}/dist/${name}`,
    publicPath: 'auto',
    trustedTypes: 'default',
  },
  plugins: [
    ...(prerendered ? [html] : []),
    new CopyRspackPlugin({ patterns: [CAMPAIGN_FILES] }),
    new SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }),
    buildManifest((compilation) => ({
      kind: 'host',
      name: 'shell',
      version: '1.0.0',
      contract: '1.0',
      firstScript: outputFilesOf(compilation, 'first').js[0],
      entry: outputFilesOf(compilation, 'main'),
      routes: forEachRoute((route) => ({
        title: ROUTES[route].title,
        description: ROUTES[route].description,
      })),
      routeAssets: forEachRoute((route) =>
        pageOf(route) ? outputFilesOf(compilation, pageOf(route)) : { js: [], css: [] },
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
