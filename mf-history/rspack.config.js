import { remote } from '@anniversary/build'

export default remote({
  dir: import.meta.dirname,
  prerender: ['./HistoryPage'],
  exposes: { './HistoryPage': './src/HistoryPage.tsx' },
})
