import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { fakeRelease, fakeRemote } from '@anniversary/shared/testing/fake-release'
import { visitorShare, withCanaries } from './canary.ts'

const remote = (percent?: number): ComposedRemote =>
  fakeRemote({
    current: fakeRelease('1'),
    ...(percent !== undefined && { canary: { percent, release: fakeRelease('2') } }),
  })
const SHARES = Array.from({ length: 1000 }, (_, index) => index / 10)
const versionsOf = (remotes: Record<string, ComposedRemote>, name: string) =>
  SHARES.map((share) => withCanaries(remotes, share)[name]?.current.version)

test.each([0, 5, 50, 100])('%d percent of the visitors get the canary', (percent) => {
  const canaries = versionsOf({ 'mf-x': remote(percent) }, 'mf-x').filter(
    (version) => version === '2',
  )
  expect(canaries).toHaveLength(percent * 10)
})

test('a canary falls back to the release of all others', () => {
  const { 'mf-x': chosen } = withCanaries({ 'mf-x': remote(100) }, 0)
  expect(chosen?.previous?.version).toBe('1')
})

test('different visitors get the canaries of different remotes', () => {
  const remotes = { 'mf-x': remote(50), 'mf-other': remote(50) }
  expect(versionsOf(remotes, 'mf-x')).not.toEqual(versionsOf(remotes, 'mf-other'))
})

test('each release of the shell gives a canary to the same visitors', () => {
  const first = (name: string) => SHARES[versionsOf({ [name]: remote(5) }, name).indexOf('2')]
  expect(['mf-auth', 'mf-missions'].map(first)).toEqual([1.9, 90.5])
})

test('a raised percentage keeps visitors and adds others', () => {
  const before = versionsOf({ 'mf-x': remote(10) }, 'mf-x')
  const after = versionsOf({ 'mf-x': remote(20) }, 'mf-x')
  before.forEach((version, index) => {
    if (version === '2') expect(after[index]).toBe('2')
  })
})

describe('the share of a visitor', () => {
  beforeEach(() => localStorage.clear())

  test("a visitor's share is drawn at random and stays the same", () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.42)
    expect(visitorShare({ 'mf-x': remote(), 'mf-y': remote(5) })).toBe(42)
    random.mockReturnValue(0.7)
    expect(visitorShare({ 'mf-x': remote(50) })).toBe(42)
  })

  test('a site without canaries stores no share', () => {
    visitorShare({ 'mf-x': remote() })
    expect(localStorage).toHaveLength(0)
  })

  test.each([
    ['', 42],
    ['x', 42],
    ['-1', 42],
    ['100', 42],
    ['1e9', 42],
    ['0', 0],
    ['99.9', 99.9],
  ])('of a stored share of %j, %d is left', (kept, share) => {
    jest.spyOn(Math, 'random').mockReturnValue(0.42)
    localStorage.setItem('canary-share', kept)
    expect(visitorShare({ 'mf-x': remote(5) })).toBe(share)
    expect(localStorage.getItem('canary-share')).toBe(String(share))
  })

  test('a visitor without storage gets no canary', () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    const share = visitorShare({ 'mf-x': remote(99) })
    expect(withCanaries({ 'mf-x': remote(99) }, share)['mf-x']?.current.version).toBe('1')
  })
})
