import { remote } from '@anniversary/build'

export default remote({
  dir: import.meta.dirname,
  port: 3000,
  prerender: ['./TemplatePage'],
  exposes: { './TemplatePage': './src/TemplatePage.tsx' },
})
