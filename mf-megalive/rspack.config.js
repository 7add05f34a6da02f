import { remote } from '../rspack.base.js'

export default remote({
  dir: import.meta.dirname,
  port: 3004,
  exposes: { './MegalivePage': './src/MegalivePage.tsx' },
  publicFiles: { '/megalive-sample.html': 'megalive-sample.html' },
})
