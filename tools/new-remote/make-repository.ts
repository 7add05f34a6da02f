import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Manifest } from '../packages.ts'

/** Packages of this repository that a remote in another one needs. */
const PUBLISHED = ['shared', 'build', 'deploy'] as const

/**
 * Makes a repository. Packs this one's packages into `packages/`, so that no
 * registry is needed.
 */
export function makeRepository(root: string, folder: string, name: string): void {
  const packages = join(folder, 'packages')
  mkdirSync(packages, { recursive: true })
  copyTemplate('remote', folder, name)
  copyTemplate('outside', folder, name)

  const workspaces = PUBLISHED.flatMap((workspace) => ['-w', workspace])
  const told = execFileSync(
    'npm',
    ['pack', '--json', '--pack-destination', packages, ...workspaces],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const packed = JSON.parse(told) as { name: string; filename: string }[] // npm's own format
  const files: Record<string, string> = {}
  for (const { name, filename } of packed) files[name] = `file:packages/${filename}`
  const file = join(folder, 'package.json')
  const manifest = JSON.parse(
    readFileSync(file, 'utf8'),
    (key, value) => files[key] ?? value,
  ) as Manifest // of our template
  const own = {
    ...manifest,
    engines: { node: '^20.19 || ^22.12 || >=24' },
    devDependencies: {
      ...manifest.devDependencies,
      '@anniversary/deploy': files['@anniversary/deploy'],
      // Testing Library's peer: npm would install the newest, which rejects an
      // older React.
      'react-dom': manifest.dependencies?.react,
    },
    // The packages ask for each other by version.
    overrides: { '@anniversary/shared': '$@anniversary/shared' },
  }
  writeFileSync(file, `${JSON.stringify(own, null, 2)}\n`)
}

const TEMPLATES = join(import.meta.dirname, 'templates')

/** Returns why a remote cannot have this name; undefined when it can. */
export function remoteNameProblem(name: string, root: string): string | undefined {
  if (!/^mf-[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return 'start with mf-, then lower-case words, like mf-winners'
  const bare = name.replace(/^mf-/, '')
  if (existsSync(join(root, bare))) return `${bare}/ is another package`
  return undefined
}

const pageName = (name: string): string =>
  `${name.replace(/^mf|-(.)/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '')}Page`

const routeOf = (name: string): string => name.replace(/^mf-/, '/')

export function copyTemplate(template: 'remote' | 'outside', folder: string, name: string): void {
  const source = join(TEMPLATES, template)
  const renamed = (text: string) =>
    text
      .replaceAll('mf-template', name)
      .replaceAll('TemplatePage', pageName(name))
      .replaceAll(/(['"])\/template\1/g, `$1${routeOf(name)}$1`)
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name)
    const path = relative(source, from)
    if (!entry.isFile() || /^(dist|node_modules)\b/.test(path)) continue
    const to = join(folder, renamed(path))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, renamed(readFileSync(from, 'utf8')))
  }
}
