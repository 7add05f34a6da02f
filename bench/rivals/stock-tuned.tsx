import { loadHttpClient } from '@anniversary/shared/client/create-client'
import { preloadRemote } from '@module-federation/enhanced/runtime'
import { renderStock } from './stock-app.tsx'

renderStock()
requestAnimationFrame(() => document.documentElement.setAttribute('data-typeface', ''))
// A member who types will log in and reach /home.
addEventListener(
  'input',
  () => {
    void loadHttpClient()
    void preloadRemote([
      { nameOrAlias: 'mf_missions', exposes: ['HomePage'], resourceCategory: 'sync' },
    ])
  },
  { once: true },
)
