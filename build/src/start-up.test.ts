/** The first version is in use. */
const scopeOf = (versions: readonly string[]) => ({
  react: Object.fromEntries(
    versions.map((version, index) => [
      version,
      { loaded: index === 0, get: async () => () => ({ version }) },
    ]),
  ),
})

/** An entry as the bundler writes it. */
const entry = {
  m: {} as Record<string, (module: { exports?: unknown }) => void>,
  f: {} as { consumes(chunk: string, promises: Promise<unknown>[]): void },
  initializeExposesData: { moduleMap: {} },
  consumesLoadingData: {
    chunkMapping: { page: ['react'] },
    moduleIdToConsumeDataMapping: { react: { shareKey: 'react', requiredVersion: '^19.2.0' } },
  },
  initContainer(_scope: object): void {},
}

beforeAll(async () => {
  Object.assign(globalThis, { __webpack_require__: entry })
  // The compiler takes the file for a script.
  const file: string = './start-up.ts'
  await import(file)
})

async function versionFrom(offered: readonly string[]): Promise<unknown> {
  entry.initContainer(scopeOf(offered))
  const promises: Promise<unknown>[] = []
  entry.f.consumes('page', promises)
  await Promise.all(promises)
  const module = { exports: {} }
  entry.m.react?.(module)
  return module.exports
}

test.each([
  ['of its minor', ['19.2.9'], '19.2.9'],
  ['in use, although a newer one is offered', ['19.3.1', '19.9.0'], '19.3.1'],
])("a remote runs on its host's React %s", async (_, offered, version) => {
  expect(await versionFrom(offered)).toEqual({ version })
})

test.each(['19.1.4', '18.3.1', 'none'])(
  'a remote fails alone on a host with React %s',
  async (version) => {
    await expect(versionFrom(version === 'none' ? [] : [version])).rejects.toThrow(
      `Unsatisfied version ${version} of shared singleton module react (required ^19.2.0)`,
    )
  },
)
