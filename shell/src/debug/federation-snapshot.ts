import type { Loader } from '../loader/loader.ts'

/**
 * Describes host and remotes as upstream's runtime does, for its DevTools
 * extension. It shows the graph of modules and the shared React; its overrides
 * have no effect here, because the page runs what its composition names.
 */
export function writeFederationSnapshot(
  { composition }: Pick<Loader, 'composition'>,
  react: string,
) {
  // Anew for each module, because the extension shows an object that it meets
  // again as "[circular]".
  const shared = () =>
    ['react', 'react-dom'].map((sharedName) => ({
      sharedName,
      version: react,
      assets: { js: { sync: [], async: [] }, css: { sync: [], async: [] } },
    }))
  const remotes = Object.entries(composition.remotes()).map(([name, { current }]) => ({
    name,
    version: current.version,
    buildVersion: current.version,
    globalName: current.container,
    remoteEntry: current.entry,
    remoteEntryType: 'global',
    publicPath: current.entry.slice(0, current.entry.lastIndexOf('/') + 1),
    remoteTypes: '',
    shared: shared(),
    modules: Object.entries(current.exposes).map(([modulePath, { js, css }]) => ({
      moduleName: modulePath.slice(2),
      modulePath,
      assets: {
        js: { sync: js.map(({ url }) => url), async: [] },
        css: { sync: css.map(({ url }) => url), async: [] },
      },
    })),
  }))
  const host = {
    version: composition.shell,
    buildVersion: composition.shell,
    remoteTypes: '',
    remotesInfo: Object.fromEntries(
      remotes.map(({ name, version }) => [
        name,
        { matchedVersion: version, buildVersion: version, type: 'global' },
      ]),
    ),
    shared: shared(),
  }
  Object.assign(globalThis, {
    __FEDERATION__: {
      __GLOBAL_PLUGIN__: [],
      __INSTANCES__: [],
      __SHARE__: { shell: { default: shareOf(react) } },
      __MANIFEST_LOADING__: {},
      __PRELOADED_MAP__: new Map(),
      moduleInfo: {
        shell: host,
        ...Object.fromEntries(
          remotes.map((remote) => [`${remote.name}:${remote.version}`, remote]),
        ),
      },
    },
  })
}

const shareOf = (version: string) =>
  Object.fromEntries(
    ['react', 'react-dom'].map((name) => [
      name,
      { [version]: { version, from: 'shell', scope: ['default'], loaded: true, useIn: [] } },
    ]),
  )
