import { publicConfigSchema } from '../contract/config.ts'
import { createFakeHost } from './fake-host.ts'

test('a fake host has the default configuration', () => {
  expect(createFakeHost().config).toEqual(publicConfigSchema.parse({}))
})
