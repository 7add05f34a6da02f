import { remote } from '../rspack.base.js'

export default remote({
  dir: import.meta.dirname,
  port: 3003,
  exposes: { './HistoryPage': './src/HistoryPage.tsx' },
})
