import { exec } from 'node:child_process'
import { join } from 'node:path'
import { watch } from 'chokidar'
import { ROOT, workspaceFolders } from '../packages.ts'

/**
 * Prints type errors after each edit, since the bundler does not check types.
 */
export function checkAllTypes(): void {
  let state: 'idle' | 'runs' | 'runs again' = 'idle'
  let printed = ''
  const run = () => {
    state = 'runs'
    exec('npm run --silent types', { cwd: ROOT }, (error, stdout) => {
      const found = stdout.trimEnd() || (error?.message ?? '')
      // Two runs may print the same lines in another order.
      const lines = found.split('\n').sort().join('\n')
      if (lines !== printed) console.log(found || 'No type errors.')
      printed = lines
      if (state === 'runs again') run()
      else state = 'idle'
    })
  }
  watch(
    workspaceFolders.map((workspace) => join(ROOT, workspace, 'src')),
    { ignoreInitial: true },
  ).on('all', (_event, file) => {
    if (!/\.tsx?$/.test(file)) return
    if (state === 'idle') run()
    else state = 'runs again'
  })
  run()
}
