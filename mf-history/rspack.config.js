import { remote } from '@anniversary/build'

export default remote({
  dir: import.meta.dirname,
  port: 3003,
  prerender: ['./HistoryPage'],
  exposes: { './HistoryPage': './src/HistoryPage.tsx' },
})
