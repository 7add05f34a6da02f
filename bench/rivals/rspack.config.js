import { single } from './single.config.js'
import { stock } from './stock.config.js'

/** What the site is compared with: the same app as one bundle, and in stock module federation. */
export default [
  single('bundle', false),
  single('prerendered', true),
  ...stock('stock', false),
  ...stock('stock-tuned', true),
]
