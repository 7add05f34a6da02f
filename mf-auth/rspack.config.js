import { remote } from '@anniversary/build'

export default remote({
  dir: import.meta.dirname,
  prerender: ['./LoginPage', './CheckPage'],
  exposes: { './LoginPage': './src/LoginPage.tsx', './CheckPage': './src/CheckPage.tsx' },
})
