import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../packages.ts'

/** `mf-auth`, `mf-auth/login`, … of the committed files; `src` is no level of its own. */
function folders(): string[] {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n')
  const levels = files.map((file) => file.replace('/src/', '/').split('/').slice(0, -1))
  return [...new Set(levels.flatMap(([top, room]) => [top, ...(room ? [`${top}/${room}`] : [])]))]
    .filter((folder) => folder !== undefined)
    .filter((folder) => !folder.startsWith('.'))
}

/** The same of the README's map, whose second level is indented. */
function mapped(): string[] {
  const tree =
    /## Map[\s\S]*?```\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? ''
  let top = ''
  return tree.split('\n').flatMap((line) => {
    const [, indent, name = ''] = /^( *)([\w-]+)\/ +\S/.exec(line) ?? []
    if (name === '') return []
    if (indent) return [`${top}/${name}`]
    top = name
    return [top]
  })
}

test('the map of the README shows the folders of the first two levels, each with a remark', () => {
  expect(mapped().sort()).toEqual(folders().sort())
})
