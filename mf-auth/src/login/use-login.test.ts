import { createApiError } from '@anniversary/shared/client/api-error'
import type { ClientApi, LoginResult } from '@anniversary/shared/contract/host'
import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { pending } from '@anniversary/shared/testing/pending'
import { act, renderHook } from '@testing-library/react'
import { texts } from '../texts/login.ts'
import { useLogin } from './use-login.ts'

function open(login: ClientApi['login']) {
  const host = createFakeHost({ session: null, api: { login } })
  const { result, unmount } = renderHook(() => useLogin(host))
  const submit = () => act(async () => result.current.submit({ username: 'demo01', lastBankNumber: '0042' }))
  return { host, submit, unmount, step: () => result.current.step }
}

const accepted: LoginResult = { ok: true, sign: 'token-1', username: 'demo01', needsAddress: false }
const LIMIT = 'Bạn thao tác quá nhanh. Vui lòng thử lại sau.'

// spec: login-rejected
test('a rejected login says so in a toast and beside the button', async () => {
  const { host, submit, step } = open(async () => ({ ok: false }))
  await submit()
  const message = 'Tài khoản hoặc mật khẩu không chính xác!'
  expect(host.calls).toEqual([{ kind: 'toast', tone: 'error', text: message }])
  expect(step()).toEqual({ name: 'form', message })
})

test.each([
  ["keeps the words of the interceptor's toast and adds none", createApiError('refused', LIMIT, 429), LIMIT],
  ['says without a word that the server is out of reach', new TypeError(), texts.unreachable],
])('a failed login %s', async (_, error, message) => {
  const { host, submit, step } = open(() => Promise.reject(error))
  await submit()
  expect(host.calls).toEqual([])
  expect(step()).toEqual({ name: 'form', message })
})

test('an answer after the member went back starts no session', async () => {
  const answer = pending<LoginResult>()
  const { host, submit, unmount } = open(() => answer.promise)
  await submit()
  unmount()
  await act(async () => answer.resolve(accepted))
  expect(host.calls).toEqual([])
})

test('a session that the browser will not keep: the message says how to allow it', async () => {
  const { host, submit, step } = open(async () => accepted)
  jest.spyOn(host.session, 'start').mockImplementation(() => {
    throw Object.assign(new Error('blocked'), { name: 'StorageBlockedError' })
  })
  await submit()
  expect(step()).toEqual({ name: 'form', message: texts.storageBlocked })
  expect(host.calls).toEqual([])
})
