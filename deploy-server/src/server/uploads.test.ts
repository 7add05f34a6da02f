import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { CALL_LIMIT, PUBLISH_PATH } from '@anniversary/deploy/cli/call-server'
import { access, all, as, own, quiet, startServerProcess, url } from '../../test/deploy-server.ts'
import { addAccessToken } from './access.ts'

const BOUNDARY = 'x'
const HEAD = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="call"\r\n\r\n{"args":["status"],"builds":[]}\r\n`
const TAIL = `--${BOUNDARY}--\r\n`
/** Bytes. More than a call without builds has. */
const LARGE = 2 ** 20

/** Sends only the first of a call's bytes. */
function startUpload(token: string, bytes: number | undefined): ClientRequest {
  const sending = request(url + PUBLISH_PATH, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...(bytes === undefined ? {} : { 'content-length': bytes }),
    },
  })
  sending.on('error', () => undefined)
  sending.write(HEAD)
  return sending
}

async function answerTo(sending: ClientRequest) {
  const [response] = (await once(sending, 'response')) as [IncomingMessage] // the event's argument
  return { status: response.statusCode, headers: response.headers, body: await json(response) }
}

function finish(sending: ClientRequest): void {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="0/a.js"; filename="a"\r\n\r\n`
  const rest = LARGE - HEAD.length - TAIL.length - head.length - 2
  sending.end(`${head}${'a'.repeat(rest)}\r\n${TAIL}`)
}

test('a call that says it is too large, or not how large, is refused unread', async () => {
  const tooLarge = startUpload(own, CALL_LIMIT + 1)
  expect(await answerTo(tooLarge)).toMatchObject({
    status: 413,
    body: { exitCode: 1, text: 'A call has at most 16 MB. Publish fewer packages at once.' },
  })
  tooLarge.destroy()
  expect(await answerTo(startUpload(own, undefined))).toMatchObject({ status: 411 })
})

test('of one token, one upload runs and two wait; of all tokens five wait', async () => {
  const other = await addAccessToken(access, 'minh', ['mf-b'])
  const uploads = Array.from({ length: 4 }, () => startUpload(own, LARGE))
  const answers = uploads.map(answerTo)
  // Nobody has sent all of a call yet.
  expect(await Promise.race(answers)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '60' },
    body: {
      text: 'ann has three uploads here already, or all together six. Try again in a minute.',
    },
  })

  const ofOther = startUpload(other, LARGE)
  answers.push(answerTo(ofOther))
  const third = await addAccessToken(access, 'thu', ['mf-b'])
  const more = Array.from({ length: 3 }, () => startUpload(third, LARGE))
  const answersOfThird = more.map(answerTo)
  expect(await Promise.race(answersOfThird)).toMatchObject({ status: 503 })
  answers.push(...answersOfThird)
  // A call without builds waits for none of them.
  expect((await as(all, 'status')).code).toBe(0)
  for (const sending of [...uploads, ofOther, ...more]) finish(sending)
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 200, 503, 503])
  expect(await as(own, 'preview', await quiet('mf-a', 'after'))).toMatchObject({ code: 0 })
})

test('ten uploads of the largest size at once keep the server under 300 MB', async () => {
  const tokens = [own, all, await addAccessToken(access, 'minh', ['mf-b'])]
  const { child, address } = await startServerProcess()
  const send = async (token: string | undefined) => {
    const form = new FormData()
    form.set('call', '{"args":["status"],"builds":[]}')
    form.set('0/a.js', new Blob([new Uint8Array(CALL_LIMIT - 1000)]))
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(address + PUBLISH_PATH, { method: 'POST', headers, body: form })
    return answer.status
  }
  const statuses = Array.from({ length: 10 }, (_, n) => send(tokens[n % tokens.length]))
  for (const status of await Promise.all(statuses)) expect([200, 503]).toContain(status)
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(status) ?? []
  expect(Number(peak)).toBeLessThan(300_000)
  child.kill()
})

test('the command line says when builds are too large, before it sends them', async () => {
  const large = await quiet('mf-a', 'large', { entry: `/*${'x'.repeat(CALL_LIMIT)}*/` })
  expect(await as(own, 'publish', large)).toMatchObject({
    code: 2,
    err: expect.stringContaining('These builds have 17 MB'),
  })
})
