import type { Compiler, RspackPluginInstance } from '@rspack/core'

/**
 * Runtime modules of a production build, by name, in place of the bundler's, which also serve pages without hashes,
 * workers and elements of other bundles. The shell requests failed chunks again (shell/src/loader/lazy-chunks.ts).
 */
const OWN: Readonly<Record<string, string>> = {
  // A script that runs: never a module or a worker.
  auto_public_path: `__webpack_require__.p = document.currentScript.src.replace(/[^/]*$/, '')`,
  global: '__webpack_require__.g = globalThis',
  load_script: `__webpack_require__.l = (url, done, key, chunk) => {
    const script = document.createElement('script')
    script.onload = script.onerror = (event) => {
      script.remove()
      done(event)
    }
    script.crossOrigin = 'anonymous'
    script.integrity = __webpack_require__.sriHashes[chunk]
    script.src = url
    document.head.append(script)
  }`,
  // The shell's loader may have put the style on the page.
  css_loading: `const styles = {}
  __webpack_require__.f.css = (chunk, promises) => {
    const integrity = __webpack_require__.sriCssHashes[chunk]
    const url = __webpack_require__.p + __webpack_require__.k(chunk)
    if (!integrity || (!styles[chunk] && document.querySelector('link[rel=stylesheet][href="' + url + '"]'))) return
    promises.push(styles[chunk] ??= new Promise((resolve, reject) => {
      const link = document.createElement('link')
      link.onload = resolve
      link.onerror = () => {
        delete styles[chunk]
        link.remove()
        reject(Error('Loading style ' + url + ' failed'))
      }
      link.crossOrigin = 'anonymous'
      link.integrity = integrity
      link.rel = 'stylesheet'
      link.href = url
      document.head.append(link)
    }))
  }`,
}

export const ownChunkLoading: RspackPluginInstance = {
  apply(compiler: Compiler) {
    compiler.hooks.compilation.tap('chunk loading', (compilation) => {
      compilation.hooks.runtimeModule.tap('chunk loading', ({ name, source }) => {
        const own = OWN[name]
        if (own && source) source.source = Buffer.from(own)
      })
    })
  },
}
