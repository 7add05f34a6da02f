import { FILE_LOADER } from '@anniversary/shared/contract/file-loader'
import type { Compiler, RspackPluginInstance } from '@rspack/core'

/**
 * The bundler's modules also serve pages without hashes, workers and foreign
 * elements.
 */
const OWN_RUNTIME: Readonly<Record<string, string>> = {
  auto_public_path: `__webpack_require__.p = document.currentScript.src.replace(/[^/]*$/, '')`,
  global: '__webpack_require__.g = globalThis',
  // The router's `import * as React`: React is no ES module.
  create_fake_namespace_object: `__webpack_require__.t = (value, mode) => {
    const found = mode & 1 ? __webpack_require__(value) : value
    return found.__esModule ? found : { ...found, default: found }
  }`,
  // One entry, which starts once its chunks have loaded.
  on_chunk_loaded: `let entry
  __webpack_require__.O = (result, chunks, start) => {
    if (chunks) entry = { chunks, start }
    if (!entry?.chunks.every(__webpack_require__.O.j)) return result
    const run = entry.start
    entry = undefined
    return run()
  }`,
  load_script: `__webpack_require__.l = (url, done, key, chunk) => {
    const end = (type) => done({ type, target: { src: url } })
    __webpack_require__.file('script', url, __webpack_require__.sriHashes[chunk]).then(() => end('load'), () => end('error'))
  }`,
  css_loading: `__webpack_require__.f.css = (chunk, promises) => {
    const integrity = __webpack_require__.sriCssHashes[chunk]
    if (integrity) promises.push(__webpack_require__.file('style', __webpack_require__.p + __webpack_require__.k(chunk), integrity))
  }`,
}

const LOADER = `globalThis.${FILE_LOADER}`

const LOAD_FILE = {
  ofHost: `__webpack_require__.file = (...file) => ${LOADER}(...file)`,
  // Other hosts have no such loader.
  ofRemote: `__webpack_require__.file = (kind, url, integrity) =>
    ${LOADER}?.(kind, url, integrity) ?? new Promise((resolve, reject) => {
      const isStyle = kind === 'style'
      if (isStyle && document.querySelector('link[rel=stylesheet][href="' + url + '"]')) return resolve()
      const element = document.createElement(isStyle ? 'link' : 'script')
      element.onload = resolve
      element.onerror = () => {
        element.remove()
        reject(Error('Loading ' + url + ' failed'))
      }
      element.crossOrigin = 'anonymous'
      element.integrity = integrity
      element.rel = 'stylesheet'
      element[isStyle ? 'href' : 'src'] = url
      document.head.append(element)
    })`,
}

export const ownChunkLoading = (loadFile: keyof typeof LOAD_FILE): RspackPluginInstance => ({
  apply(compiler: Compiler) {
    compiler.hooks.compilation.tap('chunk loading', (compilation) => {
      compilation.hooks.runtimeModule.tap('chunk loading', ({ name, source }) => {
        const own = OWN_RUNTIME[name]
        if (!own || !source) return
        const code = name === 'load_script' ? `${LOAD_FILE[loadFile]}\n${own}` : own
        source.source = Buffer.from(code)
      })
    })
  },
})
