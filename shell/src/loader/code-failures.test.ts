import { type CodeFailure, keepCodeFailures } from './code-failures.ts'

test('failures before the telemetry loads are kept in order', () => {
  const failures = keepCodeFailures()
  const [thrown, rejected] = [new Error('thrown'), new Error('rejected')]
  dispatchEvent(
    new ErrorEvent('error', { error: thrown, message: 'Uncaught', filename: '/mf-x/1/Page.js' }),
  )
  dispatchEvent(new ErrorEvent('error', { message: 'Script error.' }))
  dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: rejected }))
  document.dispatchEvent(
    Object.assign(new Event('securitypolicyviolation'), {
      effectiveDirective: 'img-src',
      blockedURI: 'https://elsewhere.example/a.gif',
      sourceFile: '',
    }),
  )
  const taken: CodeFailure[] = []
  failures.listen((failure) => taken.push(failure))
  failures.add({ phase: 'render', error: thrown })
  expect(taken.map(({ phase, error, source }) => [phase, error, source])).toEqual([
    ['error', thrown, '/mf-x/1/Page.js'],
    ['error', 'Script error.', ''],
    ['rejection', rejected, undefined],
    ['csp', 'img-src blocked https://elsewhere.example/a.gif', ''],
    ['render', thrown, undefined],
  ])
})
