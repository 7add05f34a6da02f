/* Imported first. Chrome 80 to 98 lack some of these and cascade layers: there the page works, without styles. */

/** @returns the element at a place, counted from the end if it is negative */
Array.prototype.at ??= function at(this: unknown[], place: number) {
  return this[place < 0 ? this.length + place : place]
}

// biome-ignore lint/suspicious/noPrototypeBuiltins: `Object.hasOwn` is what is missing
Object.hasOwn ??= (object, key) => ({}).hasOwnProperty.call(object, key)

export {}
