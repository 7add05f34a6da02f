import { FAULTS } from './faults.ts'
import { expect, failedCard, test } from './lab.ts'
import { SUBJECTS } from './remotes.ts'

/** What reaches the team that has to mend it. */

const [login] = SUBJECTS
if (!login) throw new Error('no subject')

test('a report says what, where, in which composition and how long', async ({ page, lab }) => {
  lab.compose(login, (remote) => {
    lab.front.break(lab.urls(remote.current, login, 'script'), FAULTS['404'])
    return remote
  })
  await lab.open(page, '/login?private=1')
  await expect(failedCard(page)).toBeVisible()
  expect(lab.front.reports).toHaveLength(2)
  expect(lab.front.reports[0]).toEqual({
    'event.name': 'remote.failure',
    'remote.name': 'mf-auth',
    'remote.version': expect.stringMatching(/^1\.0\.0-[0-9a-f]{12}$/),
    'remote.expose': './LoginPage',
    'remote.phase': 'chunk',
    'remote.next': 'retry',
    'remote.duration': expect.any(Number),
    'composition.number': expect.any(Number),
    'exception.message': expect.stringMatching(/^HTTP 404: \/mf-auth\/[^ ]+\/LoginPage\.[^ ]+\.js$/),
    'url.path': '/login',
  })
})

test('the report of a hang names the file that does not come', async ({ page, lab }) => {
  lab.compose(login, (remote) => {
    const { source } = lab.urls(remote.current, login, 'style')
    lab.front.break(new RegExp(source.replace('(\\?|$)', '$')), FAULTS.hangs)
    return remote
  })
  await lab.open(page, '/login')
  await login.works(page)
  expect(lab.front.reports[0]?.['exception.message']).toMatch(
    /^no answer within \d{4,5} ms: \/mf-auth\/[^ ]+\.css$/,
  )
})

test('reports become metrics of the API, by remote, version and phase', async ({ page, lab, stack }) => {
  lab.compose(login, (remote) => {
    lab.front.break(lab.urls(remote.current, login, 'entry'), FAULTS['changed byte'])
    return remote
  })
  await lab.open(page, '/login')
  await expect(failedCard(page)).toBeVisible()
  const version = lab.front.reports[0]?.['remote.version']
  const counted = async () => {
    const text = await (await fetch(`${stack.url}/metrics`)).text()
    return text.split('\n').filter((line) => line.startsWith('remote_failures_total{remote="mf-auth"'))
  }
  await expect
    .poll(counted)
    .toContainEqual(expect.stringContaining(`version="${version}",phase="integrity",next="none"`))
})

test('what the page’s policy blocks is reported with the remote that tried it', async ({
  page,
  lab,
  expectedErrors,
}) => {
  expectedErrors.push(/Content Security Policy/)
  for (const subject of SUBJECTS) {
    lab.front.reset()
    lab.compose(subject, (remote) => ({ ...remote, current: lab.broken('BreaksPolicy', subject) }))
    await lab.open(page, subject.path)
    await expect(page.getByRole('heading', { name: 'Trang tò mò' })).toBeVisible()
    await expect
      .poll(() =>
        lab.front.reports.map((report) => `${report['remote.name']} ${report['exception.message']}`).sort(),
      )
      .toEqual([
        `${subject.remote} connect-src blocked http://elsewhere.example/collect`,
        `${subject.remote} img-src blocked http://elsewhere.example/pixel.gif`,
      ])
    await expect.poll(lab.told).toEqual([`${subject.remote} csp`])
  }
})
