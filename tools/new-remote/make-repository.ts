import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyTemplate } from './copy-template.ts'

/** The packages that a remote in a repository of its own needs of this one. */
export const PUBLISHED = ['shared', 'build', 'deploy'] as const

/** As far as it is changed here. */
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/**
 * Makes a repository with one remote from both templates, with this repository's packages packed
 * into `packages/`, so that it needs no registry that has them.
 * @param root of this repository
 * @param folder is made
 */
export function makeRepository(root: string, folder: string, name: string): void {
  const packages = join(folder, 'packages')
  mkdirSync(packages, { recursive: true })
  copyTemplate('remote', folder, name)
  copyTemplate('outside', folder, name)

  const workspaces = PUBLISHED.flatMap((workspace) => ['-w', workspace])
  const told = execFileSync('npm', ['pack', '--json', '--pack-destination', packages, ...workspaces], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const packed = JSON.parse(told) as { name: string; filename: string }[] // npm's own format
  const files = Object.fromEntries(
    packed.map(({ name, filename }) => [name, `file:packages/${filename}`] as const),
  )
  const file = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest // of our template
  const own = {
    ...manifest,
    engines: { node: '>=20.19' },
    dependencies: replaced(manifest.dependencies, files),
    devDependencies: {
      ...replaced(manifest.devDependencies, files),
      '@anniversary/deploy': files['@anniversary/deploy'],
      // Testing Library's peer: npm would install the newest, which refuses an older React.
      'react-dom': manifest.dependencies.react,
    },
    // The packages ask for each other by version.
    overrides: { '@anniversary/shared': '$@anniversary/shared' },
  }
  writeFileSync(file, `${JSON.stringify(own, null, 2)}\n`)
}

const replaced = (asked: Readonly<Record<string, string>>, by: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(asked).map(([name, range]) => [name, by[name] ?? range]))
