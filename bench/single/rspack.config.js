import { HtmlRspackPlugin } from '@rspack/core'
import { base } from '../../rspack.base.js'

/** The whole app as one bundle, from the sources of shell and remotes, to compare the federated site with. */
function single(name, rules = []) {
  const config = base({ dir: import.meta.dirname, development: false, prefix: 'single' })
  return {
    ...config,
    name,
    entry: { main: `./${name}.tsx` },
    output: { ...config.output, path: `${import.meta.dirname}/dist/${name}`, publicPath: '/' },
    module: { ...config.module, rules: [...config.module.rules, ...rules] },
    plugins: [
      new HtmlRspackPlugin({
        template: './page.html',
        scriptLoading: 'defer',
        inject: 'head',
        minify: false,
      }),
    ],
  }
}

// The plain one has axios in its first bundle, as most apps do.
const eagerAxios = { test: /create-client\.ts$/, parser: { dynamicImportMode: 'eager' } }

export default [single('plain', [eagerAxios]), single('tuned')]
