import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  NODE_VERSIONS,
  nodeProgram,
  startUnit,
  unitFile,
} from '@anniversary/build/test/shipped-units'
import {
  namespaceRefusal,
  publishTo,
  remoteBuild,
  shellBuild,
  siteIn,
  temporaryFolder,
} from '@anniversary/deploy/test/fixture-builds'
import { addAccessToken } from '../src/server/access.ts'
import { run } from './run.ts'

const SHELL = `
const { remotes } = JSON.parse(document.getElementById('composition').textContent)
for (const name of Object.keys(remotes)) performance.mark('remote:' + name + ':shown')`
const refusal = namespaceRefusal()
const smokeTest = refusal
  ? {
      title: 'is refused, as this kernel makes no namespaces',
      code: 1,
      shown: `its browser cannot run without a network here (${refusal})`,
    }
  : { title: 'runs', code: 0, shown: /mf-auth.*\/login.*shows/s }
const NOBODY = '65534:65534'

const servers: ReturnType<typeof startUnit>[] = []
// Also after a failure, which would keep Jest running.
afterEach(() => {
  for (const server of servers.splice(0)) server.kill('SIGKILL')
})

test.each(NODE_VERSIONS)(
  `under the unit on Node %s, a publish with its smoke test ${smokeTest.title}`,
  async (version) => {
    const folder = await temporaryFolder()
    const root = join(import.meta.dirname, '../..')
    execFileSync('npm', ['run', 'build', '--silent', '-w', 'deploy-server'], { cwd: root })
    await cp(join(root, 'deploy-server/dist'), join(folder, 'deploy'), { recursive: true })
    const site = siteIn(join(folder, 'site'))
    await publishTo(site, shellBuild({ main: SHELL }))
    await mkdir(join(folder, 'access'))
    const access = join(folder, 'access/access.json')
    const token = await addAccessToken(access, 'ann', ['*'])
    await writeFile(
      join(folder, 'deploy.env'),
      `DEPLOY_SITE=${site.root}\nDEPLOY_ACCESS=${access}\n`,
    )
    await writeFile(join(folder, 'reports-key'), 'new-key,old-key\n')
    const unit = await readFile(unitFile('event-deploy.service'), 'utf8')
    const file = join(folder, 'event-deploy.service')
    await writeFile(file, unit.replace('deploy.mjs server', 'deploy.mjs server --port 0'))
    await chmod(folder, 0o755)
    // The unit's user is not root, so the test must own the folder.
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', NOBODY, folder])

    const server = startUnit(file, folder, nodeProgram(version, folder))
    servers.push(server)
    const ended = once(server, 'exit')
    const [ready] = await Promise.race([once(server.stdout, 'data'), ended])
    const [address = ''] = /http:\S+(?=\/control)/.exec(String(ready)) ?? []
    expect(address).not.toBe('')
    const variables = await readFile(`/proc/${server.pid}/environ`, 'utf8')
    expect(variables.split('\0')).toContain('DEPLOY_REPORTS_KEY=new-key')

    process.env.DEPLOY_TOKEN = token
    const { code, out, err } = await run('publish', await remoteBuild(), '--to', address)
    expect(out + err).toMatch(smokeTest.shown)
    expect(code).toBe(smokeTest.code)
    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)
