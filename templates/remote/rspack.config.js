import { remote } from '@anniversary/build'

export default remote({
  dir: import.meta.dirname,
  port: 3000,
  exposes: { './TemplatePage': './src/TemplatePage.tsx' },
})
