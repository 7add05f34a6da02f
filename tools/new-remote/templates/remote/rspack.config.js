import { remote } from '@anniversary/build'

export default remote({
  dir: import.meta.dirname,
  prerender: ['./TemplatePage'],
  exposes: { './TemplatePage': './src/TemplatePage.tsx' },
})
