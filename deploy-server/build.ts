import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { bundleForNode } from '@anniversary/build/node-bundle'

const root = import.meta.dirname
const packages = join(root, '..')
const dist = join(root, 'dist')

await bundleForNode(root, { deploy: 'src/main.ts' })
for (const file of [
  'deploy/src/checks/chromium-without-network',
  'deploy/src/serve/nginx.conf.template',
  'deploy/src/site/preview.css',
  'deploy-server/src/control/control.css',
])
  cpSync(join(packages, file), join(dist, basename(file)))

function copyPackage(from: string, name: string, filter: (path: string) => boolean): void {
  cpSync(join(packages, from), join(dist, 'node_modules', name), { recursive: true, filter })
}
// The control page reads the styles of `shared`, and Playwright its own files.
// Its viewer of traces is left out.
copyPackage('shared', '@anniversary/shared', (path) =>
  /\/(shared|src|campaign|ui|package\.json|[\w.]+\.css)$/.test(path),
)
copyPackage(
  'node_modules/playwright-core',
  'playwright-core',
  (path) => !/\/(vite|types)$/.test(path),
)
