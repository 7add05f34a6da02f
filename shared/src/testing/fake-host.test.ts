import { publicConfigSchema } from '../contract/config.ts'
import { createFakeHost } from './fake-host.ts'

test('a fake host has the configuration of a site that says nothing', () => {
  expect(createFakeHost().config).toEqual(publicConfigSchema.parse({}))
})
