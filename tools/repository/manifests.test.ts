import { manifestOf, workspaceFolders } from '../packages.ts'

/** Returns the dependencies of a package, for product and tests. */
function declared(folder: string): [name: string, range: string][] {
  const { dependencies = {}, devDependencies = {} } = manifestOf(folder)
  return [...Object.entries(dependencies), ...Object.entries(devDependencies)]
}
const everything = ['.', 'tools/new-remote/templates/remote', ...workspaceFolders].flatMap(
  (folder) => declared(folder).map(([name, range]) => ({ folder, name, range })),
)

test('packages that share a dependency declare the same range', () => {
  const ranges = new Map(everything.map(({ name, range }) => [name, range]))
  expect(everything.filter(({ name, range }) => ranges.get(name) !== range)).toEqual([])
})

const remotes = workspaceFolders.filter((folder) => folder.startsWith('mf-'))

const products = ['shared', 'shell', 'api', 'deploy', 'deploy-server', ...remotes]
const servers = ['api', 'deploy', 'deploy-server']

test.each(workspaceFolders)(
  '%s depends on no package of the repository that its kind may not use',
  (folder) => {
    const allowed = ['shared', 'build']
    if (folder === 'deploy-server') allowed.push('deploy')
    if (!products.includes(folder)) allowed.push(...servers, 'e2e')
    const names = declared(folder).map(([name]) => name)
    const dependencies = names.filter((name) => name.startsWith('@anniversary/'))
    expect(allowed.map((name) => `@anniversary/${name}`)).toEqual(
      expect.arrayContaining(dependencies),
    )
  },
)

const OF_SHELL = ['react-dom', 'react-router-dom', 'axios']
test.each(remotes)("%s brings no library of the shell's", (remote) => {
  const names = Object.keys(manifestOf(remote).dependencies ?? {})
  expect(names.filter((name) => OF_SHELL.includes(name))).toEqual([])
})
