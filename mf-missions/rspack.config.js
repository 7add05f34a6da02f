import { remote } from '@anniversary/build'

export default remote({
  dir: import.meta.dirname,
  prerender: ['./HomePage'],
  exposes: { './HomePage': './src/HomePage.tsx' },
})
