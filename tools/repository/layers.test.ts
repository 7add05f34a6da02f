import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { ROOT } from '../packages.ts'

/**
 * Folders of a package, the highest layer first: each imports only layers below
 * its own, and files that lie beside them.
 */
const LAYERS = {
  api: 'demo reports desk operator backoffice draws address check history claim missions login server database',
  deploy: 'cli verbs checks serve browser site builds target',
  'deploy-server': 'server cli control reports',
}

test.each(Object.entries(LAYERS))(
  'each layer of %s imports only layers below it',
  (folder, list) => {
    const layers = list.split(' ')
    const source = join(ROOT, folder, 'src')
    const layerOf = (file: string) => layers.indexOf(file.split('/')[0] ?? '')
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file.includes(sep))
      .map((file) => file.replaceAll(sep, '/'))
    const upward = files.flatMap((file) =>
      [...readFileSync(join(source, file), 'utf8').matchAll(/from '(\.[^']+)'/g)]
        .map(([, imported = '']) => normalize(join(dirname(file), imported)).replaceAll(sep, '/'))
        .filter((imported) => imported.includes('/') && layerOf(imported) < layerOf(file))
        .map((imported) => `${file} → ${imported}`),
    )
    expect(upward).toEqual([])
    expect(new Set(files.map(layerOf))).toEqual(new Set(layers.keys()))
  },
)
