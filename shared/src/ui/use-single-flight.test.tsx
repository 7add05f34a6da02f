import { act, renderHook } from '@testing-library/react'
import { StrictMode } from 'react'
import { pending } from '../testing/pending.ts'
import { useSingleFlight } from './use-single-flight.ts'

function open() {
  const { result, unmount } = renderHook(() => useSingleFlight(), { wrapper: StrictMode })
  return { run: result.current, unmount, onResult: jest.fn(), onError: jest.fn() }
}

test('ignores a call while another one is under way, also in the same tick', async () => {
  const { run, onResult, onError } = open()
  const answer = pending<string>()
  const call = jest.fn(() => answer.promise)
  run(call, onResult, onError)
  run(call, onResult, onError)
  expect(call).toHaveBeenCalledTimes(1)
  await act(async () => answer.resolve('A'))
  expect(onResult.mock.calls).toEqual([['A']])
  await run(async () => 'B', onResult, onError)
  expect(onResult).toHaveBeenLastCalledWith('B')
})

test('a failed call is followed by the next', async () => {
  const { run, onResult, onError } = open()
  const error = new Error('x')
  await run(() => Promise.reject(error), onResult, onError)
  expect(onError.mock.calls).toEqual([[error]])
  await run(async () => 'A', onResult, onError)
  expect(onResult.mock.calls).toEqual([['A']])
})

test.each(['resolve', 'reject'] as const)('drops an answer after the component has gone: %s', async (end) => {
  const { run, unmount, onResult, onError } = open()
  const answer = pending<string>()
  run(() => answer.promise, onResult, onError)
  unmount()
  await act(async () => answer[end]('A'))
  expect(onResult).not.toHaveBeenCalled()
  expect(onError).not.toHaveBeenCalled()
})
