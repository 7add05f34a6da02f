import { remote } from '../rspack.base.js'

export default remote({
  dir: import.meta.dirname,
  port: 3002,
  exposes: { './HomePage': './src/HomePage.tsx' },
})
