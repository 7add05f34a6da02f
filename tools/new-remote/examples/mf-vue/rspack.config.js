import { remote } from '@anniversary/build'

export default remote({
  dir: import.meta.dirname,
  exposes: { './VuePage': './src/VuePage.tsx' },
})
