import { remote } from '@anniversary/build'

export default remote({
  dir: import.meta.dirname,
  port: 3001,
  prerender: ['./LoginPage', './CheckPage'],
  exposes: { './LoginPage': './src/LoginPage.tsx', './CheckPage': './src/CheckPage.tsx' },
})
