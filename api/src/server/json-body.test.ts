import { describe, expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'

const api = await startTestApi()

describe('a JSON body', () => {
  const share = async (path: string | Buffer) => {
    const { token } = await api.addSession()
    const links = [1, 2, 3].map((n) => `"https://facebook.com/${n}"`).join()
    const payload = Buffer.concat([
      Buffer.from(`{"event_code_detail":"CHIASE","share_links":[${links},"https://facebook.com/`),
      Buffer.from(path),
      Buffer.from('"]}'),
    ])
    return api.call({ url: '/api/client/take-code', token, payload })
  }

  test.each<[string, string | Buffer]>([
    ['the first half of a surrogate pair', '\\ud800'],
    ['the second half', 'a\\uDC00b'],
    ['both halves the wrong way round', '\\udc00\\ud800'],
    ['a first half before a pair', '\\ud83d\\ud83d\\ude00'],
    ['a half behind a backslash', '\\\\\\ud800'],
    ['NUL', 'a\\u0000'],
    ['bytes that are not UTF-8', Buffer.from([0xe1, 0x28])],
    ['a surrogate as bytes', Buffer.from([0xed, 0xa0, 0x80])],
  ])('with %s is malformed', async (_name, path) => {
    expect(await share(path)).toMatchObject({
      status: 400,
      body: { status_code: 400, message: 'Dữ liệu gửi lên không hợp lệ', data: null },
    })
  })

  test.each([
    ['a pair', '\\ud83d\\ude00'],
    ['what only looks like an escape', '\\\\ud800\\\\u0000'],
    ['letters of every length', 'Nguyễn😀'],
  ])('with %s is read', async (_name, path) => {
    expect((await share(path)).body.data).toHaveLength(1)
  })
})
