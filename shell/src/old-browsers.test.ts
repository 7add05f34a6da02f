test('browsers without at and hasOwn get both', async () => {
  Reflect.deleteProperty(Array.prototype, 'at')
  Reflect.deleteProperty(Object, 'hasOwn')
  await import('./old-browsers.ts')
  expect([1, 2].at(-1)).toBe(2)
  expect([1, 2].at(0)).toBe(1)
  expect([Object.hasOwn({ own: 1 }, 'own'), Object.hasOwn({}, 'toString')]).toEqual([true, false])
})
