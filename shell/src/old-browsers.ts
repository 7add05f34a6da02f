/*
 * Runs before every other script. Chrome 80 to 98 lack some of these and
 * cascade layers: there the page works, without styles. No `??=`, which Chrome
 * 80 cannot parse.
 */

if (!('at' in Array.prototype))
  Object.assign(Array.prototype, {
    at(this: unknown[], place: number) {
      return this[place < 0 ? this.length + place : place]
    },
  })

const objects: { hasOwn?: unknown } = Object
if (!objects.hasOwn)
  Object.assign(objects, {
    // biome-ignore lint/suspicious/noPrototypeBuiltins: `Object.hasOwn` is what is missing
    hasOwn: (object: object, key: string) => ({}).hasOwnProperty.call(object, key),
  })

export {}
