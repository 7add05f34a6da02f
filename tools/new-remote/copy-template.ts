import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const TEMPLATES = join(import.meta.dirname, 'templates')

/** Why a remote cannot be called so; undefined when it can. */
export function nameProblem(name: string, root: string): string | undefined {
  if (!/^mf-[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return 'start with mf-, then lower-case words, like mf-winners'
  const bare = name.replace(/^mf-/, '')
  return existsSync(join(root, bare)) ? `${bare}/ is another package` : undefined
}

/** `mf-lucky-winners` → `LuckyWinnersPage`. */
const pageName = (name: string): string =>
  `${name.replace(/^mf|-(.)/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '')}Page`

/** `mf-lucky-winners` → `/lucky-winners`. */
const routeOf = (name: string): string => name.replace(/^mf-/, '/')

/**
 * Copies a template into a folder, for a remote of that name.
 * @param template folder in templates/
 */
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
