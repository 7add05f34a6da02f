import { createApiError } from '@anniversary/shared/client/api-error'
import type { ClientApi, LoginResult } from '@anniversary/shared/contract/host'
import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { pending } from '@anniversary/shared/testing/pending'
import { clientTexts } from '@anniversary/shared/texts'
import { act, renderHook } from '@testing-library/react'
import { texts } from '../texts/login.ts'
import { AddressDialog } from './AddressDialog.tsx'
import { useLogin } from './use-login.ts'

function open(login: ClientApi['login'], loadAddressDialog?: () => Promise<typeof AddressDialog>) {
  const host = createFakeHost({ session: null, api: { login } })
  const { result, unmount } = renderHook(() => useLogin(host, loadAddressDialog))
  const submit = (username = 'demo01') =>
    act(async () => result.current.submit({ username, lastBankNumber: '0042' }))
  return { host, submit, unmount, result, step: () => result.current.step }
}

const accepted = { ok: true, sign: 'token-1', username: 'demo01', needsAddress: false } as const
const LIMIT = 'Bạn thao tác quá nhanh. Vui lòng thử lại sau.'

test.each([
  ["keeps the words of the interceptor's toast and adds none", createApiError('refused', LIMIT, 429), LIMIT],
  ['says without a word that the server is out of reach', new TypeError(), clientTexts.unreachable],
])('a failed login %s', async (_, error, message) => {
  const { host, submit, step } = open(() => Promise.reject(error))
  await submit()
  expect(host.calls).toEqual([])
  expect(step()).toEqual({ name: 'form', message })
})

test('a login is sent once, before and after its answer', async () => {
  const answer = pending<LoginResult>()
  const login = jest.fn(() => answer.promise)
  const { host, submit, step } = open(login)
  await submit()
  await submit()
  await act(async () => answer.resolve(accepted))
  await submit()
  expect(login).toHaveBeenCalledTimes(1)
  expect(host.visited()).toEqual(['/home'])
  expect(step()).toEqual({ name: 'leaving' })
})

test('a login whose address form does not load says so, and can be sent again', async () => {
  const load = jest.fn(async () => AddressDialog).mockRejectedValueOnce(new Error('ChunkLoadError'))
  const { host, submit, step } = open(async () => ({ ...accepted, needsAddress: true }), load)
  await submit()
  expect(step()).toEqual({ name: 'form', message: texts.addressNotLoaded })
  expect(host.toasts()).toEqual([texts.addressNotLoaded])
  await submit()
  expect(step()).toMatchObject({ name: 'address', login: { username: 'demo01' }, AddressDialog })
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
  expect(host.toasts()).toEqual([texts.storageBlocked])
})
