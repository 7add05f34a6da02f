import { text } from 'node:stream/consumers'
import {
  newSite,
  publishTo,
  remoteBuild,
  serve,
  shellBuild,
  type TestSite,
} from '../../test/fixture-builds.ts'
import { run } from '../../test/run.ts'
import { changeCanary, startCanary } from './canary.ts'
import { switchRemote } from './configure.ts'

let target: TestSite
beforeEach(async () => {
  target = await newSite(shellBuild(), remoteBuild())
})

test('the webhook hears of canaries and rollbacks; its failure warns', async () => {
  const told: string[] = []
  process.env.DEPLOY_WEBHOOK = await serve(async (request, response) => {
    told.push(JSON.parse(await text(request)).text)
    response.statusCode = told.length === 1 ? 500 : 200
    response.end()
  })
  const { warnings } = await switchRemote(target, 'mf-auth', 'off')
  expect(warnings).toEqual(['DEPLOY_WEBHOOK answered 500'])
  await switchRemote(target, 'mf-auth', 'on')
  await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
  await changeCanary(target, 'mf-auth', 'nobody')
  await run('rollback', '--dry-run', '--site', target.root)
  expect(told).toEqual([
    expect.stringMatching(/^file:\S+ 2: mf-auth off \(disable by \S+\)$/),
    expect.stringMatching(/mf-auth on/),
    expect.stringMatching(/mf-auth canary \S+ for 5 % \(canary by/),
    expect.stringMatching(/mf-auth canary \S+ stopped \(canary stop by/),
  ])
})

test('the webhook hears of failed pages, and of a publish that ends a canary', async () => {
  const told: string[] = []
  process.env.DEPLOY_WEBHOOK = await serve(async (request, response) => {
    told.push(JSON.parse(await text(request)).text)
    response.end()
  })
  const write = target.write.bind(target)
  target.write = async () => {
    target.write = write
    throw new Error('ENOSPC')
  }
  await expect(switchRemote(target, 'mf-auth', 'off')).rejects.toThrow(/is recorded .*ENOSPC/)
  await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
  for (const name of ['fixed', 'next']) await publishTo(target, remoteBuild({ text: name }))
  expect(told).toEqual([
    expect.stringMatching(/ mf-auth off \(disable by/),
    expect.stringMatching(/ for 5 % \(canary by/),
    expect.stringMatching(/mf-auth canary \S+ stopped \(publish by/),
  ])
})

test.each(['hooks.example/services/SECRET', 'http://127.0.0.1:1/services/SECRET'])(
  'a webhook at %s that fails is warned of without its address',
  async (address) => {
    process.env.DEPLOY_WEBHOOK = address
    const { warnings } = await switchRemote(target, 'mf-auth', 'off')
    expect(warnings).toEqual([expect.stringMatching(/^DEPLOY_WEBHOOK does not answer \([\w ]+\)$/)])
  },
)
