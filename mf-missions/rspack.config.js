import { remote } from '@anniversary/build'

export default remote({
  dir: import.meta.dirname,
  port: 3002,
  prerender: ['./HomePage'],
  exposes: { './HomePage': './src/HomePage.tsx' },
})
