/** A class is its own name, if its file has it. */
module.exports = {
  /** @type {(css: string, file: string) => { code: string }} */
  process(css, file) {
    const names = [...css.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name]) => name)
    return {
      code: `const names = new Set(${JSON.stringify(names)})
module.exports = new Proxy({}, {
  get(_, name) {
    if (names.has(name)) return name
    if (typeof name === 'symbol' || name === '__esModule') return undefined
    throw new Error(${JSON.stringify(file)} + ' has no class ' + name)
  },
})`,
    }
  },
}
