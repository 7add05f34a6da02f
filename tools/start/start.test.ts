import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// Only that `npm start` refuses before anything is built. That it starts is proved end to end.
test('bad variables: one line that names them all, exit code 1', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'main.ts')],
    {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: 'abc',
        EVENT_NOW: 'yesterday',
        DATABASE_URL: 'mysql://x',
      },
      encoding: 'utf8',
    },
  )
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr.trim().split('\n')).toHaveLength(1)
  for (const name of ['PORT', 'EVENT_NOW', 'DATABASE_URL']) expect(stderr.split(name)).toHaveLength(2)
})
