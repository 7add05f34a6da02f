import { exec } from 'node:child_process'
import { join } from 'node:path'
import { watch } from 'chokidar'
import { ROOT, workspaces } from '../packages.ts'

/** Prints type errors after each edit, since the bundler does not look at types. Nothing waits for it. */
export function checkTypes(): void {
  let state: 'idle' | 'runs' | 'runs again' = 'idle'
  let said = ''
  const run = () => {
    state = 'runs'
    exec('npm run --silent types', { cwd: ROOT }, (_error, found) => {
      // Two runs may say the same in another order.
      const says = found.split('\n').sort().join('\n')
      if (says !== said) console.log(found.trimEnd() || 'types are right again')
      said = says
      if (state === 'runs again') run()
      else state = 'idle'
    })
  }
  watch(
    workspaces.map((workspace) => join(ROOT, workspace, 'src')),
    { ignoreInitial: true },
  ).on('all', (_event, file) => {
    if (!/\.tsx?$/.test(file)) return
    if (state === 'idle') run()
    else state = 'runs again'
  })
  run()
}
